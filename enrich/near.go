package enrich

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// A FieldError indicates a path that is unknown or lacks an option.
type FieldError struct {
	Path string   // as given
	Near []string // similar paths, most similar first; may be empty

	Option string // of [Options] that the field requires; "" if none is missing
	why    string // another reason; "" if the path is unknown
}

// Error returns the path and similar ones.
func (e *FieldError) Error() string { return "enrich: " + e.Text(e.Option) }

// Text returns the message with a caller's name for the option.
func (e *FieldError) Text(option string) string {
	switch {
	case e.Option != "":
		return fmt.Sprintf("field %q requires "+e.why, e.Path, option)
	case e.why != "":
		return fmt.Sprintf("field %q %s", e.Path, e.why)
	case len(e.Near) == 0:
		return fmt.Sprintf("unknown field %q", e.Path)
	default:
		return fmt.Sprintf("unknown field %q; similar: %s", e.Path, strings.Join(e.Near, ", "))
	}
}

// A path that can't have a value is an error before the first row, or a table of a million
// rows would end with an empty column. Unknown paths are refused with similar known ones, and
// paths whose layer, survey year or address records the dataset lacks with what is missing.

// shortNames are names that people try, and paths that they mean. They are only suggested,
// never accepted: "income" could mean several figures.
var shortNames = map[string]string{
	"cbsa": "census.metro_micro_cbsa_statistical_area.cbsa_code", "cd": "congressional_district", "fips": "county_fips", "tz": "timezone",
	"lat": "location.lat", "latitude": "location.lat", "lng": "location.lon", "longitude": "location.lon",
	"population": "demographics.population", "income": "households.median_income", "postcode": "code", "zip": "code", "zipcode": "code",
}

// unknown returns the error of an unknown path. That of a layer lists the members of the
// layer, or the layers of the dataset.
func (p paths) unknown(path string) *FieldError {
	given := strings.Split(strings.ToLower(path), ".")
	flag := given[0]
	if flag == "layers" {
		flag = strings.Join(given[:min(2, len(given))], ".")
	}
	name, ok := store.LayerFlag(flag)
	switch {
	case ok && p.hasLayer([]string{"layers", name}):
		e := &FieldError{Path: path}
		for _, m := range []string{"id", "name", "pct", "areas.id", "areas.name", "areas.pct"} {
			member := "layers." + name + "." + m
			if _, known := p.resolve(member); known {
				e.Near = append(e.Near, member)
			}
		}
		return e
	case ok:
		why := ""
		for _, id := range store.LayersNamed(name) {
			for _, err := range p.db.AreaIDs(context.Background(), lookup.Layer(id.String())) {
				if e := envelope.AsFailure(err); e != nil {
					why = "needs a layer: " + e.Detail // of the catalog's layer, which comes last
				}
				break
			}
		}
		return &FieldError{Path: path, why: why + p.heldLayers()}
	case given[0] == "layers":
		return &FieldError{Path: path, why: "has no layer, as layers.NAME.id has" + p.heldLayers()}
	}
	if id, ok := lookup.ParseLayer(given[0]); ok && len(given) > 1 { // a short name
		given[0] = string(id)
	}
	return &FieldError{Path: path, Near: p.near(strings.TrimSpace(strings.Join(given, ".")))}
}

// heldLayers lists the layers of the dataset that paths can name, at the end of an error.
func (p paths) heldLayers() string {
	var list []string
	own, err := p.db.OwnLayers(context.Background())
	if err != nil {
		return "" // the rows report it
	}
	for _, id := range own {
		list = append(list, string(id))
	}
	for _, name := range store.NamedLayers() {
		if p.hasLayer([]string{"layers", name}) {
			list = append(list, "layers."+name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "; it has " + strings.Join(list, ", ")
}

// near returns the paths of the catalog, and of user-supplied places and areas, that are
// similar to an unknown one. For a path of places or areas it returns only such paths, by
// default the first ones.
func (p paths) near(path string) []string {
	const most = 5
	var names []string
	own := p.ownLists()
	for _, root := range []string{placeRoot, areaRoot} {
		if list := own[root]; list != nil {
			for _, c := range list.columns {
				names = append(names, root+"."+c)
			}
		}
	}
	for _, f := range Catalog() {
		names = append(names, f.Path)
	}
	root, _, _ := strings.Cut(path, ".")
	// Columns of the user's lists are compared among themselves: the 3,800 paths of the
	// catalog would crowd them out.
	if root != placeRoot && root != areaRoot {
		if long, ok := shortNames[path]; ok {
			path = long
		}
		return edit.NearPaths(path, names, most)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, root+".") })
	if found := edit.NearPaths(path, names, most); len(found) > 0 {
		return found
	}
	return names[:min(most, len(names))]
}

// layersOf lists the layers that the families of a record need, by their roots, and members
// of the census and of probabilities that come from layers only. Postal codes of Canada
// have some of the others without one.
var layersOf = map[string][]string{
	"congressional_district": {"cd"}, "federal_electoral_district": {"fed"}, "state_legislative": {"state-upper", "state-lower"}, "school_district": {"school"},
	"likely.cd": {"cd", "fed"}, "likely.county": {"county"}, "likely.tract": {"tract"}, "likely.state_upper": {"state-upper"}, "likely.state_lower": {"state-lower"}, "likely.school_district": {"school"},
	"census.county": {"county"}, "census.county_subdivision": {"county-subdivision"}, "census.place": {"place"}, "census.tract": {"tract"}, "census.block_group": {"block-group"},
}

// missing returns why no row can have a value of a field with this dataset, or "".
func (p paths) missing(t *target, path string) string {
	segs := strings.Split(path, ".")
	ofAddress := segs[0] == "address" || segs[0] == "geocode"
	if t.by == byAddress { // any address will do
		_, err := p.db.MatchAddress(context.Background(), "350 5th Ave, New York, NY 10118", address.Options{})
		if e := envelope.AsFailure(err); e != nil && e.Kind == envelope.KindUnavailable && e.Lacks == "address records" {
			return "needs address records, which the dataset does not have"
		}
	}
	if len(t.tags) > 0 || segs[0] == "acs" {
		return p.missingSurvey(t, ofAddress)
	}
	if ofAddress {
		segs = segs[1:]
	}
	segs = append(slices.DeleteFunc(segs, func(s string) bool { return s == current }), "")
	layers := layersOf[segs[0]]
	if segs[0] == "census" || segs[0] == "likely" {
		layers = layersOf[segs[0]+"."+segs[1]]
	}
	held := func(name string) bool {
		id, ok := store.ParseLayerName(name)
		return !ok || p.hasAreas(id)
	}
	if len(layers) == 0 || slices.ContainsFunc(layers, held) {
		return ""
	}
	return "needs the layer " + strings.Join(layers, " or ") + ", which the dataset does not have"
}

// missingSurvey is missing for fields of the American Community Survey.
func (p paths) missingSurvey(t *target, ofAddress bool) string {
	level, of := acs.ZCTA, ""
	if ofAddress {
		level, of = acs.Tract, " of census tracts"
	}
	years, err := p.db.ACSYears(context.Background(), level)
	switch {
	case err != nil:
		return "" // the rows report it
	case len(years) == 0:
		return "needs the American Community Survey" + of + ", which the dataset does not have"
	case slices.ContainsFunc(t.tags, func(tag acs.Tag) bool { return tag.Year != 0 && !slices.Contains(years, tag.Year) }):
		return "names a year of the American Community Survey that the dataset does not have"
	default:
		return ""
	}
}

// hasAreas reports whether the dataset has areas of a layer. The first one decides; an error
// of the sequence means that there are none.
func (p paths) hasAreas(id store.LayerID) bool {
	for _, err := range p.db.AreaIDs(context.Background(), lookup.Layer(id.String())) {
		return err == nil
	}
	return false
}
