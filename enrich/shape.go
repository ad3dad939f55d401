package enrich

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// A getter reads a value of a result.
type getter func(reflect.Value) Value

// A node is a compiled path.
type node struct {
	get  getter
	typ  Type
	tags []acs.Tag // profiles of the survey that the path reads
}

var (
	latLngType     = reflect.TypeFor[geo.LatLng]()
	flagType       = reflect.TypeFor[lookup.Flag]()
	yearsType      = reflect.TypeFor[acs.Years]()
	aggregatesType = reflect.TypeFor[acs.Aggregates]()
	ownLayersType  = reflect.TypeFor[lookup.OwnLayers]()
	stringerType   = reflect.TypeFor[fmt.Stringer]()
	marshalerType  = reflect.TypeFor[encoding.TextMarshaler]()
)

// A member is a key of an object's JSON.
type member struct {
	name  string
	index []int
	typ   reflect.Type
	omit  bool   // a zero value is left out
	field string // its name in the source, e.g. "lookup.Identity.City"
}

// about returns the comment of the member.
func (m *member) about(comments map[string]string) string { return comments[m.field] }

// memberLists holds the results of members. Reflection takes a tenth of a
// millisecond for a record.
var memberLists sync.Map // of []member by reflect.Type

// members lists the keys of a struct type in the order of its JSON. The list must
// not be changed.
func members(t reflect.Type) []member {
	if list, ok := memberLists.Load(t); ok {
		return list.([]member)
	}
	var list []member
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" || !f.IsExported() {
			continue
		}
		owner := t
		if n := len(f.Index); n > 1 { // promoted
			owner = t.FieldByIndex(f.Index[:n-1]).Type
		}
		list = append(list, member{name, f.Index, f.Type, strings.Contains(options, "omit"), owner.String() + "." + f.Name})
	}
	memberLists.Store(t, list)
	return list
}

// current is the key that paths may omit.
const current = "current"

// compile compiles the path segs below a type. It returns false if the path is
// unknown.
func compile(t reflect.Type, segs []string, s holdings) (n node, ok bool) {
	switch {
	case t.Kind() == reflect.Pointer:
		n, ok = compile(t.Elem(), segs, s)
		inner := n.get
		n.get = func(v reflect.Value) Value {
			if v.IsNil() {
				return Value{}
			}
			return inner(v.Elem())
		}
		return n, ok
	case t == yearsType:
		return compileYears(segs, s)
	case t == aggregatesType:
		return compileAggregates(segs, s)
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
	all := members(t)
	for i := range all {
		if all[i].name == segs[0] {
			return compileMember(&all[i], segs[1:], s)
		}
	}
	for i := range all {
		if all[i].name == current {
			return compileMember(&all[i], segs, s)
		}
	}
	return node{}, false
}

// compileLayer reads a member of a layer of the user. The members of its first area
// can be named without areas.1.
func compileLayer(name string, segs []string, s holdings) (node, bool) {
	of := reflect.TypeFor[lookup.OwnLayer]()
	n, ok := compile(of, segs, s)
	if !ok {
		n, ok = compile(of, slices.Concat([]string{"areas", "1"}, segs), s)
	}
	inner := n.get
	n.get = func(v reflect.Value) Value {
		if l, ok := v.Interface().(lookup.OwnLayers)[name]; ok { // the type is its
			return inner(reflect.ValueOf(l))
		}
		return Value{}
	}
	return n, ok
}

func compileMember(m *member, segs []string, s holdings) (node, bool) {
	n, ok := compile(m.typ, segs, s)
	if !ok {
		return node{}, false
	}
	inner, index, omit := n.get, m.index, m.omit
	n.get = func(v reflect.Value) Value {
		f, err := v.FieldByIndexErr(index)
		if err != nil || omit && f.IsZero() {
			return Value{}
		}
		return inner(f)
	}
	return n, true
}

// compileList reads a member of each entry, or with a number, from 1, of one.
func compileList(t reflect.Type, segs []string, s holdings) (node, bool) {
	if k, ok := entryOf(segs); !ok {
		return node{}, false
	} else if k > 0 {
		n, ok := compile(t.Elem(), segs[1:], s)
		if !ok {
			return node{}, false
		}
		inner := n.get
		n.get = func(v reflect.Value) Value {
			if v.Len() < k {
				return Value{}
			}
			return inner(v.Index(k - 1))
		}
		return n, true
	}
	n, ok := compile(t.Elem(), segs, s)
	if !ok || n.typ == List {
		return node{}, false
	}
	inner := n.get
	return node{typ: List, get: func(v reflect.Value) Value {
		if v.Len() == 0 {
			return Value{}
		}
		list := make([]Value, v.Len())
		for i := range list {
			if list[i] = inner(v.Index(i)); list[i].typ == broken {
				return list[i]
			}
		}
		return listValue(list)
	}}, true
}

func compilePoint(segs []string) (node, bool) {
	at := func(v reflect.Value) geo.LatLng { return v.Interface().(geo.LatLng).Rounded() } // the type is its
	get := func(read func(geo.LatLng) Value) getter {
		return func(v reflect.Value) Value {
			if p := at(v); p.IsValid() {
				return read(p)
			}
			return Value{}
		}
	}
	switch strings.Join(segs, ".") {
	case "":
		return node{typ: String, get: get(func(p geo.LatLng) Value { return StringValue(p.String()) })}, true
	case "lat":
		return node{typ: Float, get: get(func(p geo.LatLng) Value { return FloatValue(p.Lat()) })}, true
	case "lon":
		return node{typ: Float, get: get(func(p geo.LatLng) Value { return FloatValue(p.Lng()) })}, true
	default:
		return node{}, false
	}
}

func leaf(t reflect.Type) (node, bool) {
	switch kind := t.Kind(); {
	case t == flagType:
		return node{typ: Bool, get: func(v reflect.Value) Value {
			if f := lookup.Flag(v.Uint()); f.Known() {
				return BoolValue(f.Bool())
			}
			return Value{}
		}}, true
	case kind == reflect.String:
		return node{typ: String, get: func(v reflect.Value) Value { return StringValue(v.String()) }}, true
	case kind == reflect.Bool:
		return node{typ: Bool, get: func(v reflect.Value) Value { return BoolValue(v.Bool()) }}, true
	case kind == reflect.Float64:
		return node{typ: Float, get: func(v reflect.Value) Value { return FloatValue(v.Float()) }}, true
	case kind >= reflect.Uint8 && kind <= reflect.Uint32 && t.Implements(stringerType), t.Implements(marshalerType):
		return node{typ: String, get: func(v reflect.Value) Value { return StringValue(v.Interface().(fmt.Stringer).String()) }}, t.Implements(stringerType)
	case kind >= reflect.Int && kind <= reflect.Int64:
		return node{typ: Int, get: func(v reflect.Value) Value { return IntValue(v.Int()) }}, true
	case kind >= reflect.Uint && kind <= reflect.Uint32:
		return node{typ: Int, get: func(v reflect.Value) Value { return IntValue(int64(v.Uint())) }}, true
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Struct:
		inner, ok := leaf(t.Elem())
		return node{typ: List, get: func(v reflect.Value) Value {
			list := make([]Value, v.Len())
			for i := range list {
				list[i] = inner.get(v.Index(i))
			}
			return listValue(list)
		}}, ok
	case kind == reflect.Slice, kind == reflect.Struct:
		return node{typ: JSON, get: objectText}, true
	default:
		return node{}, false
	}
}

// objectText is the JSON of an object or of a list of objects. One that cannot be
// written is a broken value, which ends the row with an error.
func objectText(v reflect.Value) Value {
	if v.IsZero() {
		return Value{}
	}
	var it any
	if v.CanAddr() {
		it = v.Addr().Interface()
	} else {
		it = v.Interface()
	}
	text, err := json.Marshal(it)
	if err != nil {
		return Value{typ: broken, text: err.Error()}
	}
	return JSONValue(string(text))
}
