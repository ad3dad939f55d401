package enrich

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/internal/shapes"
	"github.com/postgeo/postgeo/internal/store"
)

// Paths are those of the JSON that the server writes, so that a user who knows a result
// knows the columns. They are not listed by hand: the catalog and the resolution of a path
// walk the same Go types, results and below, by the same JSON keys (openapi.Properties). A
// new member of a record is a field without a line here.

// An operation computes fields. Its number is that of its member of results.
type operation uint8

const (
	byIdentity operation = iota // quick lookup, or the identity of another result
	byZone                      // quick lookup with the time zone of the point
	byRecord                    // full lookup
	byAddress                   // address match
	byGeocode                   // position of an address
	byZIP3                      // the first three digits of a ZIP
	byRadius                    // this and the following measure around the row's point; see measures
	byNearest
	byPlace // nearest of the places of Options
	byArea  // one of the areas of Options
	numOperations
)

// operations describes each operation: its name in the catalog, and the option that it
// requires, with the reason.
var operations = [numOperations]struct {
	name   string
	lacks  func(o *Options, kind Kind) bool
	option string
	why    string
}{
	byIdentity: {name: "quick lookup"},
	byZone:     {name: "quick lookup with time zone"},
	byRecord:   {name: "lookup"},
	byZIP3:     {name: "ZIP3"},
	byNearest:  {name: "nearest"},
	byAddress: {
		"address match",
		func(_ *Options, kind Kind) bool { return kind != Address }, "Address", "addresses (%s); rows are of kind ",
	},
	byGeocode: {
		"geocode",
		func(_ *Options, kind Kind) bool { return kind != Address && kind != City }, "Address", "addresses (%s); rows are of kind ",
	},
	byRadius: {
		"radius",
		func(o *Options, _ Kind) bool { return o.Radius.Max == 0 && o.Radius.Auto == "" }, "Radius", "the radius of the search (%s)",
	},
	byPlace: {
		"nearest of your places",
		func(o *Options, _ Kind) bool { return o.Places == nil }, "Places", "a list of places (%s)",
	},
	byArea: {
		"your areas",
		func(o *Options, _ Kind) bool { return o.Areas == nil }, "Areas", "a list of areas (%s)",
	},
}

// String returns the operation's name in the catalog.
func (o operation) String() string { return operations[o].name }

// headKeys lists the members that every result begins with. Status and reason replace
// them.
var headKeys = map[string]bool{"success": true, "input": true, "error": true, "notices": true}

// unset lists members that the operation never fills: shares of a circle, which Nearest
// does not have. A column of them would be null in every row.
var unset = map[string]bool{"nearest.pct_inside": true, "nearest.area_sq_mi": true}

// A Field is a column that can be added to rows.
type Field struct {
	Path      string `json:"path"` // such as "county_fips" or "census.tract.geoid"
	Type      Type   `json:"type"`
	Operation string `json:"operation"`      // its source, e.g. "lookup"
	About     string `json:"about,omitzero"` // description; for figures of the survey their labels
}

// Catalog lists every field in the order of the results, without the columns of
// user-supplied places and areas. Objects and lists of objects are fields too (as JSON)
// but are not listed. Figures of the survey are listed once. Each also has .moe, .pct,
// .pct_moe and .column, and may have a year before the profile ("acs.2019.economic…").
func Catalog() (list []Field) {
	about, err := shapes.Comments()
	if err != nil {
		about = nil // list the fields without descriptions
	}
	for _, m := range openapi.Properties(resultsType) {
		if headKeys[m.Name] || m.Name == zones {
			continue
		}
		by := operation(m.Index[0])
		if by == byNearest { // one by default
			m.Type = m.Type.Elem()
		}
		walk(m.Type, m.Name, about[m.Source], 0, about, func(path string, typ Type, text string) {
			list = append(list, Field{path, typ, by.String(), text})
		})
	}
	for _, f := range placeFields() {
		list = append(list, Field{placeRoot + "." + f.path, f.typ, byPlace.String(), f.about})
	}
	list = append(list, Field{areaRoot + ".row", Int, byArea.String(), "number of the area in the list, from 1; in_area.NAME is its property NAME"})
	return list
}

const (
	current  = "current" // the key that paths may omit
	maxDepth = 8         // of the catalog in types; bounds paths, too, which can come from anyone
)

// walk adds the fields below a path; text describes the path.
func walk(t reflect.Type, path, text string, depth int, about map[string]string, add func(path string, typ Type, text string)) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case depth > maxDepth:
	case t == yearsType, t == aggregatesType:
		for _, f := range acs.Fields(acs.Query{}) {
			add(path+"."+f.Key(), Float, f.Label)
		}
	case t == latLngType:
		add(path+".lat", Float, "degrees north")
		add(path+".lon", Float, "degrees east")
	case t == likelyType: // of the most likely one
		walk(t.Elem(), path, text, depth+1, about, add)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct: // members of its entries are lists
		walk(t.Elem(), path, text, depth+1, about, func(path string, _ Type, text string) { add(path, List, text) })
	case t.Kind() != reflect.Struct:
		if n, ok := leaf(t); ok {
			add(path, n.typ, text)
		}
	default:
		for _, m := range openapi.Properties(t) {
			next := path + "." + m.Name
			// dpv_result is in the contract, but needs a certified delivery point validation
			if headKeys[m.Name] || unset[next] || strings.HasPrefix(next, "address.dpv_result") {
				continue
			}
			if m.Name == current {
				next = path
			}
			walk(m.Type, next, about[m.Source], depth+1, about, add)
		}
	}
}

// A target is a resolved path.
type target struct {
	by   operation
	name string // first key
	nth  int    // last entry of nearest or nearest_place that it reads, from 1; else 0
	typ  Type
	tags []acs.Tag // profiles of the survey that it reads
	get  func(*results) Value
}

// paths resolve paths for the options that they depend on.
type paths struct {
	db     *postgeo.DB
	count  int     // of nearest codes and places in a path without a number
	places *Places // nil accepts any column
	areas  *Areas  // nil accepts any column
}

// Check returns a [*FieldError] for an unknown path, or one that no row can have with the
// dataset. Unlike [New] it needs neither the kind of the rows nor lists of places and
// areas.
func Check(db *postgeo.DB, add []string) error {
	p := paths{db: db}
	for _, text := range add {
		_, path := splitName(text)
		if path == "" {
			return &FieldError{Path: text}
		}
		if _, err := p.find(path); err != nil {
			return err
		}
	}
	return nil
}

// find resolves a path. The error is a [*FieldError].
func (p paths) find(path string) (target, error) {
	t, ok := p.resolve(path)
	if !ok {
		return t, p.unknown(path)
	}
	if why := p.missing(&t, path); why != "" {
		return t, &FieldError{Path: path, why: why}
	}
	return t, nil
}

// splitName splits NAME=PATH. The name defaults to the path.
func splitName(text string) (name, path string) {
	name, path, named := strings.Cut(text, "=")
	if !named {
		path = text
	}
	return strings.TrimSpace(name), strings.TrimSpace(path)
}

// lastYear returns the newest year of the survey that a field of a level may name. It is
// the dataset's, if that is newer than the program.
func (p paths) lastYear(level acs.Level) int {
	years, _ := p.db.ACSYears(context.Background(), level) // in memory; none after Close
	return slices.Max(append(years, acs.LastYear))
}

func (p paths) resolve(path string) (t target, ok bool) {
	segs := strings.Split(path, ".")
	switch {
	case len(segs) > 1 && segs[0] == placeRoot:
		return p.place(segs[1:])
	case len(segs) > 1 && segs[0] == areaRoot:
		return p.area(strings.Join(segs[1:], "."))
	case len(segs) > 2*maxDepth || !p.hasLayer(segs):
		return t, false
	}
	years := holdings{acs.FirstYear, p.lastYear(acs.ZCTA)}
	if segs[0] == "address" || segs[0] == "geocode" { // the contract has three years of tracts
		last := p.lastYear(acs.Tract)
		years = holdings{last - 2, last}
	}
	if len(segs) > 1 && segs[0]+"."+segs[1] == zones {
		segs = slices.Concat([]string{zones}, segs[1:])
	}
	// Results such as address and radius begin with head keys, too. Members of an identity or
	// record are promoted, and have an index of several numbers.
	m, ok := memberOf(resultsType, segs[0])
	own := len(m.Index) == 1
	if !ok || headKeys[segs[0]] || len(segs) > 1 && (headKeys[segs[1]] && own || unset[segs[0]+"."+segs[len(segs)-1]]) {
		return t, false
	}
	t, segs = target{by: operation(m.Index[0]), name: segs[0]}, segs[1:]
	lists := false
	if t.by == byNearest {
		if t.nth, ok = entryOf(segs); !ok {
			return t, false
		}
		// "nearest.code" is one value by default, so that a column has the type of its field.
		if lists = t.nth == 0 && p.count > 1; lists {
			t.nth = p.count
		} else if t.nth == 0 {
			t.nth, segs = 1, slices.Concat([]string{"1"}, segs)
		}
	}
	n, ok := compile(m.Type, segs, years)
	t.typ, t.tags = n.typ, n.tags
	t.get = func(a *results) Value {
		v, err := reflect.ValueOf(a).Elem().FieldByIndexErr(m.Index)
		if err != nil { // no record
			return Value{}
		}
		if lists { // a path with a number may require more
			v = v.Slice(0, min(v.Len(), p.count))
		}
		return n.get(v)
	}
	return t, ok
}

// hasLayer reports whether the dataset has the layer of the user that a path names, such
// as layers.clinics.id. It is true for other paths.
func (p paths) hasLayer(segs []string) bool {
	at := slices.Index(segs, "layers") + 1
	if at == 0 {
		return true
	}
	return at < len(segs) && slices.ContainsFunc(store.LayersNamed(segs[at]), p.hasAreas)
}

// entryOf parses the number of an entry, from 1, at the beginning of segs, or 0 if there
// is none. It returns false for a number out of range.
func entryOf(segs []string) (nth int, ok bool) {
	const most = 1000 // entries; "nearest.1000.code" makes each row search for so many
	if len(segs) == 0 {
		return 0, true
	}
	k, err := strconv.Atoi(segs[0])
	if err != nil {
		return 0, true
	}
	return max(k, 0), k >= 1 && k <= most
}
