package enrich

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/internal/lookup"
)

// compileTable reads a member of a table of the user: COLUMN, YEAR.COLUMN or
// COLUMN.coverage_pct, or one that all columns share, such as basis or coverage_pct.
func compileTable(name string, segs []string, s holdings) (n node, ok bool) {
	tables := s.tables()
	at := slices.IndexFunc(tables, func(t lookup.TableInfo) bool { return t.Name == name })
	if at < 0 {
		return node{}, false
	}
	year := 0
	if y, err := strconv.Atoi(segs[0]); err == nil {
		if y == 0 || !slices.Contains(tables[at].Years, y) || len(segs) == 1 {
			return node{}, false
		}
		year, segs = y, segs[1:]
	}
	col := slices.IndexFunc(tables[at].Columns, func(c lookup.TableColumn) bool { return c.Name == segs[0] })
	switch {
	case col >= 0:
		n, ok = compileColumn(&tables[at].Columns[col], year, segs[1:], s)
	case year != 0 || segs[0] == "coverage_pct":
		n, ok = compile(reflect.TypeFor[lookup.OwnYear](), segs, s)
		n.get = ofYear(year, n.get)
	case segs[0] == "values" || segs[0] == "years":
		return node{}, false
	default:
		n, ok = compile(reflect.TypeFor[lookup.OwnTable](), segs, s)
	}
	if !ok {
		return node{}, false
	}
	inner := n.get
	n.own = name
	n.get = func(v reflect.Value) Value {
		if t, ok := v.Interface().(lookup.OwnTables)[name]; ok { // the type is its
			return inner(reflect.ValueOf(&t).Elem())
		}
		return Value{}
	}
	return n, true
}

// ofYear reads a member of the values of a year; 0 is the newest.
func ofYear(year int, inner getter) getter {
	return func(v reflect.Value) Value {
		t := v.Addr().Interface().(*lookup.OwnTable) // the type is its
		of := &t.Values
		if year != 0 {
			of = t.Year(year)
		}
		if of == nil {
			return Value{}
		}
		return inner(reflect.ValueOf(of).Elem())
	}
}

// compileColumn reads the value of a column, or a member of it.
func compileColumn(c *lookup.TableColumn, year int, segs []string, s holdings) (node, bool) {
	n := node{typ: Float}
	if c.Meaning == lookup.MeaningCategory {
		n.typ = String
	}
	read := func(o *lookup.OwnColumn) Value {
		switch {
		case n.typ == String:
			return StringValue(o.Category)
		case o.Value != nil:
			return FloatValue(*o.Value)
		default:
			return Value{}
		}
	}
	if len(segs) > 0 {
		of, ok := compile(reflect.TypeFor[lookup.OwnColumn](), segs, s)
		if !ok {
			return node{}, false
		}
		n.typ, read = of.typ, func(o *lookup.OwnColumn) Value { return of.get(reflect.ValueOf(o).Elem()) }
	}
	n.get = ofYear(year, func(v reflect.Value) Value {
		y := v.Addr().Interface().(*lookup.OwnYear) // the type is its
		if o, ok := y.Columns[c.Name]; ok {
			return read(&o)
		}
		return Value{}
	})
	return n, true
}
