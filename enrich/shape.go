package enrich

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/lookup"
)

// A path compiles to nested functions, one per segment, each of which steps from a value to
// a member of it. Types, indexes of fields and keys are looked up once, when the path is
// compiled; a row only follows the indexes. Every step can end in null: at a nil pointer, a
// member that the JSON omits, or an entry that a list lacks. So a column is null if the
// JSON of the result lacks its path, or has an empty text or list there.
//
// Types of one shape in Go but another in JSON have cases of their own: years of the survey
// (a JSON object by year, of which a slice is kept), layers of the user (a map), points, and
// lists. The case of a pointer comes first and that of a leaf after all named types, because
// the named types are slices, maps and structs as well.

// A getter reads a value of a result.
type getter func(reflect.Value) Value

// A node is a compiled path.
type node struct {
	get  getter
	typ  Type
	tags []acs.Tag // profiles of the survey that the path reads
}

var (
	resultsType    = reflect.TypeFor[results]()
	latLngType     = reflect.TypeFor[geo.LatLng]()
	flagType       = reflect.TypeFor[lookup.Flag]()
	yearsType      = reflect.TypeFor[acs.Years[acs.Block]]()
	aggregatesType = reflect.TypeFor[acs.Years[acs.Aggregate]]()
	ownLayersType  = reflect.TypeFor[lookup.OwnLayers]()
	likelyType     = reflect.TypeFor[[]lookup.LikelyArea]()
	censusType     = reflect.TypeFor[lookup.CensusPeriod]()
	stringerType   = reflect.TypeFor[fmt.Stringer]()
	marshalerType  = reflect.TypeFor[encoding.TextMarshaler]()
)

// memberOf returns the member of a struct's JSON with a key.
func memberOf(t reflect.Type, name string) (openapi.Property, bool) {
	all := openapi.Properties(t)
	if i := slices.IndexFunc(all, func(m openapi.Property) bool { return m.Name == name }); i >= 0 {
		return all[i], true
	}
	return openapi.Property{}, false
}

// through returns a node that reads the value that the function at returns; false is null.
func (n node) through(at func(reflect.Value) (reflect.Value, bool)) node {
	inner := n.get
	n.get = func(v reflect.Value) Value {
		if in, ok := at(v); ok {
			return inner(in)
		}
		return Value{}
	}
	return n
}

// compile compiles the path segs below a type. It returns false if the path is unknown.
func compile(t reflect.Type, segs []string, s holdings) (node, bool) {
	switch {
	case t.Kind() == reflect.Pointer:
		n, ok := compile(t.Elem(), segs, s)
		return n.through(func(v reflect.Value) (reflect.Value, bool) { return v.Elem(), !v.IsNil() }), ok
	case t == yearsType:
		return compileFigure(segs, s, false, func(v reflect.Value, year int) *acs.Profiles {
			years := v.Interface().(acs.Years[acs.Block]) // t is this type
			for i := range years {
				if b := &years[i]; year == b.Year || year == 0 && b.Current {
					return &b.Profiles
				}
			}
			return nil
		})
	case t == aggregatesType:
		return compileFigure(segs, s, true, func(v reflect.Value, year int) *acs.Profiles {
			years := v.Interface().(acs.Years[acs.Aggregate]) // t is this type
			for i := range years {
				if a := &years[i]; year == a.Year || year == 0 && a.Current {
					return &a.Profiles
				}
			}
			return nil
		})
	case t == ownLayersType && len(segs) > 0:
		return compileLayer(segs[0], segs[1:], s)
	case t == latLngType:
		return compilePoint(segs)
	case t.Kind() == reflect.Slice && len(segs) > 0:
		return compileList(t, segs, s)
	case len(segs) == 0:
		return leaf(t)
	case t.Kind() != reflect.Struct:
		return node{}, false
	}
	all := segs // "census.county" means "census.current.county"
	m, ok := memberOf(t, segs[0])
	if segs = segs[1:]; !ok {
		if m, ok = memberOf(t, current); !ok {
			return node{}, false
		}
		segs = all
	}
	n, ok := compile(m.Type, segs, s)
	omits := m.Omits()
	return n.through(func(v reflect.Value) (reflect.Value, bool) {
		f, err := v.FieldByIndexErr(m.Index)
		return f, err == nil && !(omits && f.IsZero())
	}), ok
}

// compileLayer reads a member of a layer of the user. The members of its first area can be
// named without areas.1: most rows lie in one area, and lists of one are clumsy in a table.
func compileLayer(name string, segs []string, s holdings) (node, bool) {
	of := reflect.TypeFor[lookup.OwnLayer]()
	n, ok := compile(of, segs, s)
	if !ok {
		n, ok = compile(of, slices.Concat([]string{"areas", "1"}, segs), s)
	}
	return n.through(func(v reflect.Value) (reflect.Value, bool) {
		l, ok := v.Interface().(lookup.OwnLayers)[name] // t is this type
		return reflect.ValueOf(l), ok
	}), ok
}

// compileList reads a member of each entry, or with a number, from 1, of one.
func compileList(t reflect.Type, segs []string, s holdings) (node, bool) {
	k, ok := entryOf(segs)
	if !ok {
		return node{}, false
	}
	// Without a number, likely.cd.p is that of the most likely area, which comes first. A list
	// of probabilities without their areas beside them would mean nothing.
	if k == 0 && t == likelyType {
		k, segs = 1, slices.Concat([]string{"1"}, segs)
	}
	if k > 0 {
		n, ok := compile(t.Elem(), segs[1:], s)
		return n.through(func(v reflect.Value) (reflect.Value, bool) {
			if v.Len() < k {
				return v, false
			}
			return v.Index(k - 1), true
		}), ok
	}
	n, ok := compile(t.Elem(), segs, s)
	return node{typ: List, get: listOf(n.get)}, ok && n.typ != List // lists of lists have no text form
}

// listOf reads each entry of a list.
func listOf(entry getter) getter {
	return func(v reflect.Value) Value {
		list := make([]Value, v.Len())
		for i := range list {
			list[i] = entry(v.Index(i))
		}
		return ValueOf(list)
	}
}

func compilePoint(segs []string) (node, bool) {
	read := func(typ Type, value func(geo.LatLng) Value) (node, bool) {
		return node{typ: typ, get: func(v reflect.Value) Value {
			if p := v.Interface().(geo.LatLng).Rounded(); p.IsValid() { // t is this type
				return value(p)
			}
			return Value{}
		}}, true
	}
	switch strings.Join(segs, ".") {
	case "":
		return read(String, func(p geo.LatLng) Value { return ValueOf(p.String()) })
	case "lat":
		return read(Float, func(p geo.LatLng) Value { return ValueOf(p.Lat()) })
	case "lon":
		return read(Float, func(p geo.LatLng) Value { return ValueOf(p.Lng()) })
	default:
		return node{}, false
	}
}

func leaf(t reflect.Type) (node, bool) {
	switch kind := t.Kind(); {
	case t == flagType:
		return node{typ: Bool, get: func(v reflect.Value) Value {
			if f := lookup.Flag(v.Uint()); f != 0 {
				return ValueOf(f == lookup.True)
			}
			return Value{}
		}}, true
	case kind == reflect.String:
		return node{typ: String, get: func(v reflect.Value) Value { return ValueOf(v.String()) }}, true
	case kind == reflect.Bool:
		return node{typ: Bool, get: func(v reflect.Value) Value { return ValueOf(v.Bool()) }}, true
	case kind == reflect.Float64:
		return node{typ: Float, get: func(v reflect.Value) Value { return ValueOf(v.Float()) }}, true
	// Enumerations are numbers that the JSON writes as names, so they go before numbers.
	case kind >= reflect.Uint8 && kind <= reflect.Uint32 && t.Implements(stringerType), t.Implements(marshalerType):
		return node{typ: String, get: func(v reflect.Value) Value { return ValueOf(v.Interface().(fmt.Stringer).String()) }}, t.Implements(stringerType)
	case kind >= reflect.Int && kind <= reflect.Int64:
		return node{typ: Int, get: func(v reflect.Value) Value { return ValueOf(v.Int()) }}, true
	case kind >= reflect.Uint && kind <= reflect.Uint32:
		return node{typ: Int, get: func(v reflect.Value) Value { return ValueOf(int64(v.Uint())) }}, true
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Struct:
		inner, ok := leaf(t.Elem())
		return node{typ: List, get: listOf(inner.get)}, ok
	case kind == reflect.Slice, kind == reflect.Struct:
		return node{typ: JSON, get: objectText}, true
	default:
		return node{}, false
	}
}

// objectText is the JSON of an object or of a list of objects, null if JSON can't hold it.
func objectText(v reflect.Value) Value {
	if v.IsZero() {
		return Value{}
	}
	if v.CanAddr() { // for MarshalJSON of pointers, which also saves a copy
		v = v.Addr()
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return Value{}
	}
	return ValueOf(json.RawMessage(text))
}

// holdings are the first and the last year of the survey in a dataset.
type holdings struct{ first, last int }

// cutYear parses the year at the beginning of a path, 0 for the newest. It returns nil for
// a year out of range.
func (s holdings) cutYear(segs []string) (year int, rest []string) {
	if len(segs) == 0 {
		return 0, nil
	}
	year, err := strconv.Atoi(segs[0])
	switch {
	case segs[0] == current:
		return 0, segs[1:]
	case err != nil:
		return 0, segs
	case year < s.first || year > s.last:
		return 0, nil // no path has no segments, so the caller refuses it
	default:
		return year, segs[1:]
	}
}

// named is the number of segments of a field of the survey: profile, section, field.
const named = 3

// compileFigure compiles [current|YYYY].profile.section.field[.est|moe|pct|…]. Aggregates
// of several areas have neither margins nor columns. The function profiles returns those
// of a year, or nil.
func compileFigure(segs []string, s holdings, aggregate bool, profiles func(v reflect.Value, year int) *acs.Profiles) (node, bool) {
	year, segs := s.cutYear(segs)
	if len(segs) == named {
		segs = append(slices.Clip(segs), "est")
	}
	if len(segs) != named+1 {
		return node{}, false
	}
	field, ok := acs.FieldByKey(strings.Join(segs[:named], "."))
	if !ok {
		return node{}, false
	}
	n := node{typ: Float, tags: []acs.Tag{{Profile: field.Profile, Year: year}}}
	var read func(m *acs.Metric) Value
	switch what := segs[named]; {
	case what == "est":
		read = func(m *acs.Metric) Value { return number(m.Estimate) }
	case what == "pct":
		read = func(m *acs.Metric) Value { return number(m.Percent) }
	case aggregate:
		return node{}, false
	case what == "moe":
		read = func(m *acs.Metric) Value { return number(m.MOE) }
	case what == "pct_moe":
		read = func(m *acs.Metric) Value { return number(m.PercentMOE) }
	case what == "column":
		n.typ, read = String, func(m *acs.Metric) Value { return ValueOf(m.Column()) }
	default:
		return node{}, false
	}
	n.get = func(v reflect.Value) Value {
		if p := profiles(v, year); p != nil {
			if m := p.Metric(field); m != (acs.Metric{}) { // a field that the year lacks is zero
				return read(&m)
			}
		}
		return Value{}
	}
	return n, true
}
