package enrich

import (
	"reflect"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/comments"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// An operation is what answers a field.
type operation uint8

const (
	byIdentity operation = iota + 1 // quick lookup, or the identity of any other answer
	byZone                          // quick lookup with the time zone of the point
	byRecord                        // full lookup
	byAddress                       // address match
	byDistance
	byRadius
	byNearest
	byPlace // nearest of the places of Options
	byArea  // which of the areas of Options
	byNeighbors
	byBoundary
	bySuggest
	byChange // comparison of two years of the survey
)

// String returns the operation's name in the catalogue.
func (o operation) String() string {
	switch o {
	case byIdentity:
		return "quick lookup"
	case byZone:
		return "quick lookup with time zone"
	case byRecord:
		return "lookup"
	case byAddress:
		return "address match"
	case byDistance:
		return "distance"
	case byRadius:
		return "radius"
	case byNearest:
		return "nearest"
	case byPlace:
		return "nearest of your own places"
	case byArea:
		return "your own areas"
	case byNeighbors:
		return "neighbors"
	case byBoundary:
		return "boundary"
	case bySuggest:
		return "suggest"
	case byChange:
		return "comparison of two years"
	default:
		return ""
	}
}

// ofTexts reports whether the operation has an answer for what a text means.
func (o operation) ofTexts() bool {
	switch o {
	case bySuggest, byDistance, byRadius, byNearest, byPlace, byArea, byBoundary:
		return true
	default: // would be told of one of the many codes of a place
		return false
	}
}

// A root is a first key of paths.
type root struct {
	name  string
	by    operation
	index []int // of the member in the operation's answer; nil is the answer itself
	of    reflect.Type
	field string // of the member in the source, e.g. "lookup.Identity.City"; "" of an answer
}

// about is what the source says of a root's member.
func (r *root) about(comments map[string]string) string { return comments[r.field] }

var (
	identityType = reflect.TypeFor[lookup.Identity]()
	recordType   = reflect.TypeFor[lookup.Record]()
	zoneType     = reflect.TypeFor[lookup.TimeZone]()
	addressType  = reflect.TypeFor[address.Data]()
	distanceType = reflect.TypeFor[radius.DistanceResult]()
	radiusType   = reflect.TypeFor[radius.Result]()
	nearestType  = reflect.TypeFor[radius.NearestResult]()
	nextToType   = reflect.TypeFor[lookup.Neighbors]()
	boundaryType = reflect.TypeFor[radius.BoundaryResult]()
	textType     = reflect.TypeFor[textMatch]()
)

// headKeys are the members that every answer begins with. The columns of
// status and reason tell them.
var headKeys = map[string]bool{"success": true, "input": true, "error": true, "notices": true}

// neverTold are members that the type of an answer has and the operation does not
// fill.
var neverTold = map[string]bool{"nearest.pct_inside": true, "nearest.area_sq_mi": true}

// roots lists the first keys in the order of the catalogue.
func roots() []root {
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
		root{name: "distance", by: byDistance, of: distanceType},
		root{name: "radius", by: byRadius, of: radiusType},
		part("nearest", byNearest, nearestType, "matches"),
		part("neighbors", byNeighbors, nextToType, "neighbors"),
		root{name: "boundary", by: byBoundary, of: boundaryType},
		root{name: "suggest", by: bySuggest, of: textType},
	)
}

// part is a root that stands for a member of the operation's answer.
func part(name string, by operation, answer reflect.Type, of string) root {
	m, _ := memberOf(answer, of)
	return root{name, by, m.index, m.typ, m.field}
}

// A Field is something that can be added to rows.
type Field struct {
	Path      string `json:"path"`
	Type      Type   `json:"type"`
	Operation string `json:"operation"`      // that answers it, e.g. "lookup"
	About     string `json:"about,omitzero"` // what it is; figures of the survey have their labels
}

// measured is the object that paths of distances may leave out, as they may
// leave out current.
const measured = "distance.distance"

// maxDepth bounds the catalogue's walk through types.
const maxDepth = 8

// Catalog lists every field in the order of the answers, the columns of places and
// areas of one's own aside. Lists of objects and objects themselves are fields too (as
// JSON) but are not listed. Figures of the survey are listed once: each also has
// .moe, .pct, .pct_moe and .column, and a year before the profile
// ("acs.2019.economic…").
func Catalog() []Field {
	about, err := comments.All()
	if err != nil {
		about = nil // a list without explanations is a list
	}
	var list []Field
	for _, r := range roots() {
		c := cataloguer{by: r.by.String(), about: about, list: &list}
		if r.by == byNearest { // one, unless more are asked for
			r.of = r.of.Elem()
		}
		c.walk(r.of, r.name, r.about(about), 0)
	}
	m, _ := memberOf(nextToType, "border_mi")
	cataloguer{byNeighbors.String(), about, &list}.walk(m.typ, "neighbors.border_mi", m.about(about), 0)
	list = slices.Concat(list, placeFields(), areaFields())
	return append(list, changeFields()...)
}

type cataloguer struct {
	by    string
	about map[string]string
	list  *[]Field
}

// walk lists what a path leads to, down to what has no members; about is what is
// known of it.
func (c cataloguer) walk(t reflect.Type, path, about string, depth int) {
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
			if headKeys[m.name] || neverTold[next] || strings.HasPrefix(next, "address.dpv_result") {
				continue
			}
			if m.name == current || next == measured {
				next = path
			}
			c.walk(m.typ, next, m.about(c.about), depth+1)
		}
	}
}

// entries lists the members of a list's entries, each of which is a list.
func (c cataloguer) entries(t reflect.Type, path, about string, depth int) {
	var inner []Field
	cataloguer{c.by, c.about, &inner}.walk(t, path, about, depth+1)
	for _, f := range inner {
		f.Type = List
		*c.list = append(*c.list, f)
	}
}
