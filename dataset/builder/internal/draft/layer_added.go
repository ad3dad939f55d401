package draft

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// Layers and plans of the user take the same way in a new dataset and in the copy of a
// finished one (decision D79). The difference is where codes come from: from the draft,
// or from the base by [storedIn]. Their overlaps are given with the layer
// (LayerData.Shared) instead of code by code, because the codes of a base have been
// written already.

// A Request is a layer or a plan of districts that the user adds, and its file.
type Request struct {
	Name    string // of the layer without prefix, or the ID of the plan
	File    string
	Base    store.LayerID // layer of the plan; 0 for an own layer
	Plan    store.Plan    // without states
	States  []string      // letters of the states that the plan covers; nil: those of its areas
	Keep    []catalog.Kept
	Columns source.LayerColumns
	Title   string
	Terms   catalog.Terms
}

// planLayers are the layers that can have several plans, by their short names.
var planLayers = map[string]store.LayerID{
	"cd": store.LayerCongressionalDistrict, "sldu": store.LayerStateUpper, "sldl": store.LayerStateLower, "fed": store.LayerFederalDistrict,
}

// ParsePlan reads NAME=FILE,layer=cd,from=2027-01-03 with the options to, states,
// keep, evidence, id, name, title, license and attribution.
func ParsePlan(text string) (Request, error) {
	r, options, err := parse(text, "layer", "from", "to", "states", "keep", "evidence", "id", "name", "title", "license", "attribution")
	if err != nil {
		return r, err
	}
	r.Base = planLayers[options["layer"]]
	r.Plan = store.Plan{ID: strings.ToLower(r.Name), Name: cmp.Or(r.Title, r.Name), From: options["from"], To: options["to"], Evidence: options["evidence"]}
	if r.Base == 0 {
		return r, fmt.Errorf("%q lacks layer=cd, sldu, sldl or fed", text)
	}
	if _, err := time.Parse(time.DateOnly, r.Plan.From); err != nil {
		return r, fmt.Errorf("%q lacks from=YYYY-MM-DD, the first day of the plan", text)
	}
	if _, err := time.Parse(time.DateOnly, r.Plan.To); r.Plan.To != "" && err != nil {
		return r, fmt.Errorf("%q has to=%s; expected YYYY-MM-DD", text, r.Plan.To)
	}
	r.States = strings.FieldsFunc(strings.ToUpper(options["states"]), func(c rune) bool { return c == ',' || c == '+' || c == ' ' })
	for _, k := range strings.Split(options["keep"], "+") {
		state, rest, _ := strings.Cut(k, ":")
		plan, evidence, ok := strings.Cut(rest, ":")
		switch {
		case k == "":
		case !ok:
			return r, fmt.Errorf("%q has keep=%s; expected STATE:PLAN:EVIDENCE", text, k)
		default:
			r.Keep = append(r.Keep, catalog.Kept{State: strings.ToUpper(state), Plan: strings.ToLower(plan), Evidence: evidence})
		}
	}
	return r, nil
}

// ParseLayer reads NAME=FILE with the options id, name, title, license and attribution.
func ParseLayer(text string) (Request, error) {
	r, _, err := parse(text, "id", "name", "title", "license", "attribution")
	if err != nil {
		return r, err
	}
	if _, ok := store.OwnLayer(r.Name); !ok {
		return r, fmt.Errorf("%q is not the name of a layer; expected at most %d lower-case letters, digits and underscores", r.Name, store.MaxOwnName)
	}
	return r, nil
}

// parse splits NAME=FILE,option=value. A part without a known option continues the one
// before, so that values may have commas. An unknown word before "=" is refused as a
// misspelt option, unless it has a blank or a mark of a path: those belong to a value,
// such as "evidence=order of 2026, see https://court.example/?id=1".
func parse(text string, known ...string) (Request, map[string]string, error) {
	name, rest, ok := strings.Cut(text, "=")
	parts := strings.Split(rest, ",")
	r, options, last := Request{Name: strings.TrimSpace(name), File: parts[0]}, map[string]string{}, ""
	for _, part := range parts[1:] {
		key, value, assigned := strings.Cut(part, "=")
		switch key = strings.TrimSpace(key); {
		case assigned && slices.Contains(known, key):
			last = key
			options[key] = value
		case assigned && !strings.ContainsAny(key, " /:\\"):
			return r, nil, fmt.Errorf("%q has the option %q; known options: %s", text, key, strings.Join(known, ", "))
		case last == "":
			r.File += "," + part
		default:
			options[last] += "," + part
		}
	}
	if !ok || r.Name == "" || r.File == "" {
		return r, nil, fmt.Errorf("%q is not of the form NAME=FILE", text)
	}
	r.Columns = source.LayerColumns{ID: options["id"], Name: options["name"]}
	r.Title, r.Terms = options["title"], catalog.Terms{License: options["license"], Attribution: options["attribution"]}
	return r, options, nil
}

// Extend adds the layers, plans, streets and address points to a copy of a dataset, which
// Output writes. It calls do with each part.
func (d *Draft) Extend(ctx context.Context, base *store.Dataset, do func(name string, part func() error) error) error {
	// States are added in the order of the base, so that identifiers are those of its
	// rows. Of codes, layers and roads need only the rows: code, state, class and point.
	d.base = base
	for _, state := range base.States() {
		d.States.Add(state)
	}
	for z := range base.ZIPs() {
		d.ZIPs.List = append(d.ZIPs.List, &ZIP{Row: z})
	}
	for f := range base.FSAs() {
		d.FSAs.List = append(d.FSAs.List, &FSA{Row: f})
	}
	return d.run(ctx, do, part{"own layers and plans", d.addLayers}, part{"write: roads", d.writeRoads})
}

// addLayers reads the layers and plans of the user, and measures what codes share with
// their areas.
//
// Several requests of one name make one layer, as for files of single states. The first
// of them reads the files of all, and the others are passed over. Each plan is a layer of
// its own. A failure names the layer, which is why each one has a try of its own.
func (d *Draft) addLayers() {
	taken := map[store.LayerID]bool{}
	if d.base != nil && len(d.Requests) > 0 {
		check(d.base.Load(d.ctx, store.SectionZIPAreas|store.SectionFSAAreas|store.SectionOverlaps|store.SectionCenters))
		d.compared.people = map[postcode.ZIP][]Center{}
		for c := range d.base.Centers() {
			addPeople(d.compared.people, &c)
		}
		for _, l := range d.base.Layers() {
			taken[l.ID()] = true
		}
	}
	continues := func(r, first *Request) bool { return r.Base == 0 && first.Base == 0 && r.Name == first.Name }
	for i := range d.Requests {
		r := &d.Requests[i]
		if slices.ContainsFunc(d.Requests[:i], func(first Request) bool { return continues(r, &first) }) {
			continue
		}
		err := try(func() {
			l := newLayer(freeLayer(r, taken))
			l.Info.Source, l.Info.Title = r.Describe(), r.Title
			for k := i; k < len(d.Requests); k++ {
				more := &d.Requests[k]
				if k > i && !continues(more, r) {
					continue
				}
				areas := func(f format.File) iter.Seq2[source.AreaRow, error] { return source.OwnAreas(f, more.Columns) }
				read(d, catalog.Repeated(catalog.OwnAreas, k), areas, func(row source.AreaRow) error { return d.takeOwn(l, more, row) })
				if k > i {
					l.Info.Source = r.Describe() + " and others"
				}
			}
			if len(l.Areas) == 0 {
				check(fmt.Errorf("%s: no area was accepted: %s", r.File, cmp.Or(d.source(catalog.Repeated(catalog.OwnAreas, i)).refusal, "the file has none")))
			}
			if r.Base != 0 {
				check(d.setOwnPlan(l, r))
			}
			d.compareOwn(l, r)
			d.repaired(r.Name, &l.repairs)
			d.written("layer "+l.Info.ID.String(), len(l.Areas))
			check(d.Output.SetLayer(l.LayerData))
		})
		if err != nil {
			check(fmt.Errorf("%s: %w", r.Name, err))
		}
	}
}

// freeLayer returns the number of a new layer. That of an own layer encodes its name.
// Plans take the next free number from FirstAddedPlan on; those below are the catalog's.
func freeLayer(r *Request, taken map[store.LayerID]bool) store.LayerID {
	id, _ := store.OwnLayer(r.Name)
	if r.Base == 0 && taken[id] {
		check(fmt.Errorf("the dataset has the layer %s; give another name", id))
	}
	if r.Base != 0 {
		n := store.FirstAddedPlan
		for id = store.PlanLayer(r.Base, n); taken[id]; id = store.PlanLayer(r.Base, n) {
			if n++; n == store.MaxPlans {
				check(fmt.Errorf("the dataset has %d plans of %s, which is the maximum", store.MaxPlans, r.Base))
			}
		}
	}
	taken[id] = true
	return id
}

// Describe returns the source of the areas: the title and the name of the file. Sources
// of a layer are joined by commas, so that the name must have none.
func (r Request) Describe() string {
	return cmp.Or(r.Title, r.Name) + " (" + strings.ReplaceAll(r.File[strings.LastIndexAny(r.File, `/\`)+1:], ",", " ") + ")"
}

// takeOwn adds an area of the file, or a further part of one.
func (d *Draft) takeOwn(l *layer, r *Request, row source.AreaRow) error {
	a := store.LayerArea{GEOID: row.ID, Name: cmp.Or(row.Name, row.ID), Land: store.UnknownArea, Water: store.UnknownArea}
	if r.Base != 0 {
		if undefined(row.ID) {
			return refused("area that belongs to no district", row.Record, row.ID)
		}
		a.GEOID = d.districtID(r, row.ID)
		var reason string
		if a.State, reason = d.districtState(r, a.GEOID); reason != "" {
			return refused(reason, row.Record, row.ID)
		}
	}
	if utf8.RuneCountInString(a.GEOID) > storewrite.MaxGEOID {
		return refused(fmt.Sprintf("identifier of more than %d letters", storewrite.MaxGEOID), row.Record, row.ID)
	}
	// Outlines of strangers are repaired and laid out one by one: a bad one is refused
	// with its record, while one of a built-in layer ends the build.
	polygons := l.repairs.Repair(row.Polygon)
	if len(polygons) == 0 {
		return refused("outline without an area", row.Record, row.ID)
	}
	if _, err := spatial.NewOutline(polygons); err != nil {
		return refused("outline that cannot be repaired: "+err.Error(), row.Record, row.ID)
	}
	l.repairs.Closed += int64(row.Closed)
	l.add(a, polygons)
	return nil
}

// districtState returns the state of a district, or the reason to refuse it.
func (d *Draft) districtState(r *Request, geoid string) (id store.StateID, refused string) {
	switch id = d.layerState(r.Base, geoid); {
	case id == 0:
		return 0, "district of an unknown state"
	case len(r.States) > 0 && !slices.Contains(r.States, d.States.Abbr(id)):
		return 0, "district of a state that the plan does not cover"
	}
	return id, ""
}

// codeDigits are the digits of a district behind those of its state.
var codeDigits = map[store.LayerID]int{
	store.LayerCongressionalDistrict: 2, store.LayerStateUpper: 3, store.LayerStateLower: 3, store.LayerFederalDistrict: 3,
}

// districtID returns the GEOID of a district. A file of one state may have the
// numbers of the districts only.
func (d *Draft) districtID(r *Request, id string) string {
	digits := codeDigits[r.Base]
	if len(r.States) != 1 || len(id) > digits { // an identifier with more digits has the state
		return id
	}
	for i := range d.States.List {
		if s := &d.States.List[i]; s.Abbr == r.States[0] && s.FIPS != "" {
			return s.FIPS + strings.Repeat("0", digits-len(id)) + id
		}
	}
	return id
}

// setOwnPlan completes the plan of a layer of districts.
func (d *Draft) setOwnPlan(l *layer, r *Request) error {
	p := r.Plan
	for i := range l.Areas {
		if s := l.Areas[i].State; !slices.Contains(p.States, s) {
			p.States = append(p.States, s)
		}
	}
	for _, k := range r.Keep {
		at := slices.IndexFunc(d.States.List, func(s store.State) bool { return s.Abbr == k.State })
		if at < 0 || !slices.Contains(p.States, store.StateID(at+1)) {
			return fmt.Errorf("keep=%s: the plan has no district of the state", k.State)
		}
		p.Overrides = append(p.Overrides, store.PlanOverride{State: store.StateID(at + 1), Plan: k.Plan, Evidence: k.Evidence})
	}
	for _, abbr := range r.States {
		if !slices.ContainsFunc(p.States, func(s store.StateID) bool { return d.States.Abbr(s) == abbr }) {
			return fmt.Errorf("states=%s: the file has no district of the state", abbr)
		}
	}
	slices.Sort(p.States)
	l.Info.Plan = p
	return nil
}

// compareOwn compares codes with the areas of a layer. Codes without an outline of known
// extent belong to the area around their point.
func (d *Draft) compareOwn(l *layer, r *Request) {
	l.settle()
	l.pack(d)
	// An own layer has no country: both kinds of codes are compared with it.
	var box geo.Box
	for _, m := range l.polygons {
		box = spatial.Union(box, shape.BoxAround(m))
	}
	if store.LayerIn(l.Info.ID, store.US) {
		l.Info.People = len(d.compared.people) > 0
		shareOwn(d, l, newCodes(d.zipPlaces(box)), d.compared.people, store.CodeOfZIP)
	}
	if store.LayerIn(l.Info.ID, store.CA) {
		shareOwn(d, l, newCodes(d.fsaPlaces(box)), nil, store.CodeOfFSA)
	}
	meets := make([]bool, len(l.Areas))
	for _, s := range l.Shared {
		meets[s.Area] = true
	}
	for i := range l.Areas {
		if !meets[i] { // the usual reason is a file with latitudes before longitudes
			d.applied("areas of "+r.Name+" that meet no ZIP Code or FSA", l.Areas[i].GEOID)
		}
	}
}

// shareOwn adds what codes share with the areas of a layer.
func shareOwn[K postcode.ZIP | postcode.FSA](d *Draft, l *layer, c *codes[K], people map[K][]Center, code func(K) store.Code) {
	c.meet(d, l, people)
	for i, p := range c.places {
		for _, o := range c.found[i].Of(l.Info.ID) {
			if p.outline == nil { // the point is inside, and stands for the whole extent
				o.Intersection = p.extent
			}
			l.Shared = append(l.Shared, storewrite.SharedPart{Code: code(p.key), Area: o.Area, Intersection: o.Intersection, People: o.People})
		}
	}
}

// addBlocks keeps the census blocks of the user. All blocks of a block group come from
// the first file that has one, or its people could count twice. Parts of a group that
// have no number of a block get the number 000 and may repeat.
func (d *Draft) addBlocks() {
	var list []store.CensusBlock
	seen, files := map[uint64]bool{}, map[uint64]int{} // blocks; the file of each block group
	centers := map[uint64]geo.LatLng{}
	for _, c := range d.compared.centers {
		centers[c.BlockGroup] = c.At
	}
	atCenter := 0
	for file, id := range d.files(catalog.Blocks) {
		read(d, id, source.Blocks, func(k source.Block) error {
			geoid, err := strconv.ParseUint(k.GEOID, 10, 64)
			if err != nil {
				return err
			}
			whole := len(k.GEOID) > groupDigits
			if !whole {
				geoid *= store.BlocksOfGroup
			}
			group := geoid / store.BlocksOfGroup
			if first, have := files[group]; have && first != file {
				return refused("block group that an earlier file has", k.Line, k.GEOID)
			} else if whole && seen[geoid] {
				return refused("block that the file has twice", k.Line, k.GEOID)
			}
			if !k.At.IsValid() {
				if k.At = centers[group]; !k.At.IsValid() {
					return refused("block without a point, whose block group has no center", k.Line, k.GEOID)
				}
				atCenter++
			}
			files[group], seen[geoid] = file, true
			b := store.CensusBlock{GEOID: geoid, At: k.At, People: int(k.People), Housing: store.UnknownArea, Land: known(k.Land)}
			if k.Housing != nil {
				b.Housing = int(*k.Housing)
			}
			list = append(list, b)
			return nil
		})
	}
	if len(list) == 0 {
		return
	}
	if atCenter > 0 {
		d.applied("census blocks without a point, at the center of their block group", strconv.Itoa(atCenter))
	}
	slices.SortStableFunc(list, func(x, y store.CensusBlock) int { return cmp.Compare(x.GEOID, y.GEOID) })
	d.written("census blocks", len(list))
	check(d.Output.SetCensusBlocks(list))
}
