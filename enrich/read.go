package enrich

import (
	"reflect"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// families lists the roots that an address match fills for the address's own
// point.
var families = map[string]bool{
	"census": true, "congressional_district": true, "federal_electoral_district": true, "state_legislative": true, "school_district": true, "layers": true,
}

// need requests the operation of a field.
func (e *Enricher) need(t *target, path string) {
	byPoint := e.opt.Kind == Address
	zones := strings.Contains(path, ".timezone")
	e.matches = e.matches || t.by != byGeocode
	switch t.by {
	case byIdentity:
		e.identity = true
		e.atPoint(byPoint && t.name == "location")
	case byZone:
		e.identity, e.zone = true, true
	case byZIP3:
		e.identity, e.zip3 = true, true
	case byDistance:
		e.distance = true
		e.atPoint(byPoint)
	case byRadius:
		e.radius = true
		addTags(&e.opt.Radius.Include.ACS, t.tags)
		e.opt.Radius.Include.Timezone = e.opt.Radius.Include.Timezone || zones
		e.atPoint(byPoint)
	case byNearest:
		count, zoned := max(e.nearest.Count, e.opt.Nearest.Count, t.nth, 1), e.nearest.Timezone || zones
		e.nearest = e.opt.Nearest
		e.nearest.Count, e.nearest.Timezone = count, zoned
		e.atPoint(byPoint)
	case byPlace, byArea:
		if t.by == byPlace {
			e.places = max(e.places, e.opt.Nearest.Count, t.nth, 1)
		}
		e.areas = e.areas || t.by == byArea
		e.identity = e.identity || byPoint // of the ZIP, if the record has no point
		e.atPoint(byPoint)
	case byNeighbors:
		e.neighbors = true
		e.atPoint(byPoint)
	case byBoundary:
		e.boundary = true
		e.atPoint(byPoint)
	case byChange:
		e.identity = true
		e.addChange(t)
	case byAddress:
		family, rest := familyOf(path)
		e.needFamily(family, path)
		e.atPoint(family == "location" || rest == "")
		addTags(&e.match.Include.Tract, t.tags)
	case byGeocode:
		e.geocode = true
		family, _ := familyOf(path)
		addFamily(&e.place.Include, family, path)
		addTags(&e.place.Include.Tract, t.tags)
	case byRecord:
		if byPoint && families[t.name] {
			e.needFamily(t.name, path)
			return
		}
		e.record = true
		e.selects(t.name, path)
		e.needFamily(t.name, path)
		addTags(&e.include.ACS, t.tags)
	}
}

// lean lists the roots that need no details of a code.
var lean = map[string]bool{"detail": true, "timezone.zones": true, "acs": true}

// selects adds the value of a path to the selection of the record.
func (e *Enricher) selects(root, path string) {
	switch {
	case root == "census":
		segs := slices.DeleteFunc(strings.Split(path, ".")[1:], func(s string) bool { return s == current })
		if len(segs) > 0 {
			e.selection.Census = append(e.selection.Census, segs[0])
			return
		}
		for _, m := range members(reflect.TypeFor[lookup.CensusPeriod]()) {
			e.selection.Census = append(e.selection.Census, m.name)
		}
	case !families[root] && !lean[root]:
		e.selection.Details = true
	}
}

// atPoint requests the point of an address's record if needed is set.
func (e *Enricher) atPoint(needed bool) {
	e.match.Include.Coordinates = e.match.Include.Coordinates || needed
}

// familyOf returns the second key of a path, and the path from there on.
func familyOf(path string) (family, rest string) {
	_, rest, _ = strings.Cut(path, ".")
	family, _, _ = strings.Cut(rest, ".")
	return family, rest
}

// addFamily requests the areas of a family around a position, and those of the next
// plan of districts for a path below next.
func addFamily(inc *address.Include, name, path string) {
	next := slices.Contains(strings.Split(path, "."), "next")
	switch name {
	case "census":
		inc.Census = true
	case "congressional_district", "federal_electoral_district":
		inc.CongressionalDistrict, inc.CongressNext = true, inc.CongressNext || next
	case "state_legislative":
		inc.StateLegislative, inc.StateLegislativeNext = true, inc.StateLegislativeNext || next
	case "school_district":
		inc.SchoolDistrict = true
	case "layers":
		inc.Layers = withLayer(inc.Layers, path)
	}
}

// withLayer appends the layer of a path such as layers.clinics.id or
// address.layers.clinics.id.
func withLayer(list []string, path string) []string {
	segs := strings.Split(path, ".")
	if at := slices.Index(segs, "layers") + 1; at > 0 && at < len(segs) && !slices.Contains(list, segs[at]) {
		list = append(list, segs[at])
	}
	return list
}

// needFamily requests the enrichment named by the first key of a path.
func (e *Enricher) needFamily(name, path string) {
	addFamily(&e.match.Include, name, path)
	e.include.CongressNext, e.include.StateLegislativeNext = e.match.Include.CongressNext, e.match.Include.StateLegislativeNext
	switch name {
	case "timezone.zones":
		e.include.Timezone = true
	case "census":
		e.include.Census = true
	case "congressional_district", "federal_electoral_district":
		e.include.CongressionalDistrict = true
	case "state_legislative":
		e.include.StateLegislative = true
	case "school_district":
		e.include.SchoolDistrict = true
	case "layers":
		e.include.Layers = withLayer(e.include.Layers, path)
	case "demographics":
		e.include.Demographics = true
	case "medicare":
		e.include.Medicare = true
	case "quality":
		e.include.Quality = true
	default: // needs no flag
	}
}

func addTags(to *[]acs.Tag, tags []acs.Tag) {
	for _, t := range tags {
		if !slices.Contains(*to, t) {
			*to = append(*to, t)
		}
	}
}

// reader returns a function that reads a field of a row's results.
func (e *Enricher) reader(t *target) func(*results) Value {
	if t.value != nil {
		return t.value
	}
	get, index := t.get, t.index
	if t.by == byRecord && e.opt.Kind == Address && families[t.name] {
		m, _ := memberOf(addressType, t.name)
		return present(func(a *results) *address.Data { return a.address }, get, m.index)
	}
	switch t.by {
	case byIdentity:
		return present(func(a *results) *lookup.Identity { return &a.identity }, get, index)
	case byZone:
		return present(func(a *results) *lookup.TimeZone { return a.zone }, get, index)
	case byRecord:
		return present(func(a *results) *lookup.Record { return a.record }, get, index)
	case byAddress:
		return present(func(a *results) *address.Data { return a.address }, get, index)
	case byGeocode:
		return present(func(a *results) *geocode.Result { return a.geocode }, get, index)
	case byZIP3:
		return present(func(a *results) *lookup.ZIP3 { return a.zip3 }, get, index)
	case byDistance:
		return present(func(a *results) *radius.DistanceResult { return a.distance }, get, index)
	case byNearest:
		return present(func(a *results) *radius.NearestResult { return a.nearest }, get, index)
	case byNeighbors:
		return present(func(a *results) *lookup.Neighbors { return a.neighbors }, get, index)
	case byBoundary:
		return present(func(a *results) *radius.BoundaryResult { return a.boundary }, get, index)
	default:
		return present(func(a *results) *radius.Result { return a.radius }, get, index)
	}
}

// present reads a member of a result that may be nil; an empty index selects
// the result itself.
func present[T any](answer func(*results) *T, get getter, index []int) func(*results) Value {
	return func(a *results) Value {
		p := answer(a)
		if p == nil {
			return Value{}
		}
		v := reflect.ValueOf(p).Elem()
		if len(index) > 0 {
			f, err := v.FieldByIndexErr(index)
			if err != nil {
				return Value{}
			}
			v = f
		}
		return get(v)
	}
}
