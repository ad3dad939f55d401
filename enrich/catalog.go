package enrich

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/comments"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"

	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/internal/enum"
)

// An operation computes fields.
type operation uint8

const (
	byIdentity operation = iota + 1 // quick lookup, or the identity of another result
	byZone                          // quick lookup with the time zone of the point
	byRecord                        // full lookup
	byAddress                       // address match
	byGeocode                       // position of an address
	byDistance
	byRadius
	byNearest
	byPlace // nearest of the places of Options
	byArea  // one of the areas of Options
	byZIP3
	byNeighbors
	byBoundary
	byChange // comparison of two years of the survey
)

var operationNames = enum.Names[operation]{
	byIdentity: "quick lookup", byZone: "quick lookup with time zone", byRecord: "lookup", byAddress: "address match", byGeocode: "geocode",
	byDistance: "distance", byRadius: "radius", byNearest: "nearest", byPlace: "nearest of your places", byArea: "your areas",
	byZIP3: "ZIP3", byNeighbors: "neighbors", byBoundary: "boundary", byChange: "comparison of two years",
}

// String returns the operation's name in the catalog.
func (o operation) String() string { return operationNames.Of(o) }

// A root is a first key of paths.
type root struct {
	name  string
	by    operation
	index []int // of the member in the operation's result; nil is the result itself
	of    reflect.Type
	field string // of the member in the source, e.g. "lookup.Identity.City"; "" of a result
}

// about returns the comment of a root's member.
func (r *root) about(comments map[string]string) string { return comments[r.field] }

var (
	identityType = reflect.TypeFor[lookup.Identity]()
	recordType   = reflect.TypeFor[lookup.Record]()
	zoneType     = reflect.TypeFor[lookup.TimeZone]()
	addressType  = reflect.TypeFor[address.Data]()
	geocodeType  = reflect.TypeFor[geocode.Result]()
	distanceType = reflect.TypeFor[radius.DistanceResult]()
	radiusType   = reflect.TypeFor[radius.Result]()
	nearestType  = reflect.TypeFor[radius.NearestResult]()
	zip3Type     = reflect.TypeFor[lookup.ZIP3]()
	nextToType   = reflect.TypeFor[lookup.Neighbors]()
	boundaryType = reflect.TypeFor[radius.BoundaryResult]()
)

// headKeys lists the members that every result begins with. Status and reason
// replace them.
var headKeys = map[string]bool{"success": true, "input": true, "error": true, "notices": true}

// unset lists members that the operation never fills.
var unset = map[string]bool{"nearest.pct_inside": true, "nearest.area_sq_mi": true}

// roots lists the first keys in the order of the catalog.
var roots = sync.OnceValue(func() []root {
	var list []root
	add := func(by operation, t reflect.Type, skip map[string]bool) {
		for _, m := range members(t) {
			if !headKeys[m.name] && !skip[m.name] {
				list = append(list, root{m.name, by, m.index, m.typ, m.field})
			}
		}
	}
	add(byIdentity, identityType, nil)
	list = append(list, root{name: "timezone", by: byZone, of: zoneType})
	known := map[string]bool{"timezone": true}
	for _, m := range members(identityType) {
		known[m.name] = true
	}
	add(byRecord, recordType, known)
	return append(list,
		root{name: "address", by: byAddress, of: addressType},
		root{name: "geocode", by: byGeocode, of: geocodeType},
		root{name: "zip3", by: byZIP3, of: zip3Type},
		root{name: "distance", by: byDistance, of: distanceType},
		root{name: "radius", by: byRadius, of: radiusType},
		part("nearest", byNearest, nearestType, "matches"),
		part("neighbors", byNeighbors, nextToType, "neighbors"),
		root{name: "boundary", by: byBoundary, of: boundaryType},
	)
})

func part(name string, by operation, result reflect.Type, of string) root {
	m, _ := memberOf(result, of)
	return root{name, by, m.index, m.typ, m.field}
}

// A Field is a column that can be added to rows.
type Field struct {
	Path      string `json:"path"`
	Type      Type   `json:"type"`
	Operation string `json:"operation"`      // its source, e.g. "lookup"
	About     string `json:"about,omitzero"` // description; for figures of the survey their labels
}

// measured is the object that paths of distances may omit.
const measured = "distance.distance"

// maxDepth limits the depth of the catalog in types.
const maxDepth = 8

// Catalog lists every field in the order of the results, without the columns of
// user-supplied places and areas. Objects and lists of objects are fields too
// (as JSON) but are not listed. Figures of the survey are listed once. Each
// also has .moe, .pct, .pct_moe and .column, and may have a year before the
// profile ("acs.2019.economic…").
func Catalog() []Field {
	about, err := comments.All()
	if err != nil {
		about = nil // list the fields without descriptions
	}
	var list []Field
	for _, r := range roots() {
		c := cataloger{by: r.by.String(), about: about, list: &list}
		if r.by == byNearest { // one by default
			r.of = r.of.Elem()
		}
		c.walk(r.of, r.name, r.about(about), 0)
	}
	m, _ := memberOf(nextToType, "border_mi")
	cataloger{byNeighbors.String(), about, &list}.walk(m.typ, "neighbors.border_mi", m.about(about), 0)
	list = slices.Concat(list, placeFields(), areaFields())
	return append(list, changeFields()...)
}

// A cataloger appends the fields of an operation to a list.
type cataloger struct {
	by    string
	about map[string]string
	list  *[]Field
}

// walk appends the fields below a path; about describes the path.
func (c cataloger) walk(t reflect.Type, path, about string, depth int) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	add := func(path string, typ Type, about string) {
		*c.list = append(*c.list, Field{path, typ, c.by, about})
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
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		c.entries(t.Elem(), path, about, depth)
	case t.Kind() != reflect.Struct:
		if n, ok := leaf(t); ok {
			add(path, n.typ, about)
		}
	default:
		for _, m := range members(t) {
			next := path + "." + m.name
			if headKeys[m.name] || unset[next] || strings.HasPrefix(next, "address.dpv_result") {
				continue
			}
			if m.name == current || next == measured {
				next = path
			}
			c.walk(m.typ, next, m.about(c.about), depth+1)
		}
	}
}

// entries appends the members of a list's entries, which are lists.
func (c cataloger) entries(t reflect.Type, path, about string, depth int) {
	var inner []Field
	cataloger{c.by, c.about, &inner}.walk(t, path, about, depth+1)
	for _, f := range inner {
		f.Type = List
		*c.list = append(*c.list, f)
	}
}
