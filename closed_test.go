package postgeo_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// valid has an argument of every type whose zero value an open DB refuses.
var valid = []any{
	"90210",
	[]string{"90210"},
	slices.Values([]string{"90210"}),
	geo.MustLatLng(34, -118), slices.Values([]geo.LatLng{geo.MustLatLng(34, -118)}),
	orb.Polygon{{{-118, 34}, {-117, 34}, {-117, 35}, {-118, 34}}},
	lookup.LayerCounty, lookup.ZIP, radius.Density,
	radius.Options{Max: 5},
	slices.Values([]radius.Query{{Center: "90210", Options: radius.Options{Max: 5}}}),
	radius.Areas{Codes: []string{"90210"}},
	acs.Side{Area: "90210"},
}

// TestUseAfterClose calls every method that may read the dataset after Close.
func TestUseAfterClose(t *testing.T) {
	db := openTest(t)
	check(t, db.Close())
	named := map[string]func() error{ // whose texts are no codes
		"ACSAggregate": func() error {
			return last(db.ACSAggregate(t.Context(), radius.Areas{Codes: []string{"90210"}}, []string{income}, acs.SeriesOptions{}))
		},
		"ACSSeries": func() error {
			return last(db.ACSSeries(t.Context(), []string{"90210"}, []string{income}, acs.SeriesOptions{}))
		},
		"ACSCompare": func() error {
			return last(db.ACSCompare(t.Context(), acs.Side{Area: "90210"}, acs.Side{Area: "10001"}, income, false, acs.FigureOptions{}))
		},
		"Swap": func() error { return db.Swap(t.Context(), lookuptest.Path(t)) },
	}
	v := reflect.ValueOf(db)
	for i := range v.NumMethod() {
		name, call := v.Type().Method(i).Name, v.Method(i)
		if typ := call.Type(); typ.NumIn() == 0 || typ.In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if call := named[name]; call != nil {
				checkError(t, call(), postgeo.ErrClosed, "postgeo: dataset: closed")
				return
			}
			args := []reflect.Value{reflect.ValueOf(t.Context())}
			for j := 1; j < call.Type().NumIn() && !(call.Type().IsVariadic() && j == call.Type().NumIn()-1); j++ {
				args = append(args, argument(call.Type().In(j)))
			}
			out := call.Call(args)
			last := out[len(out)-1]
			if last.Kind() == reflect.Func { // a sequence
				for _, err := range last.Seq2() {
					last = err
					break
				}
			}
			err, _ := last.Interface().(error)
			checkError(t, err, postgeo.ErrClosed, "postgeo: dataset: closed")
		})
	}
	if m := db.Info(); m.Version != "" {
		t.Errorf("the manifest is %+v", m)
	}
}

// argument returns a valid value of a type.
func argument(of reflect.Type) reflect.Value {
	for _, v := range valid {
		if x := reflect.ValueOf(v); x.Type().AssignableTo(of) && x.Kind() == of.Kind() || of.Kind() == reflect.Interface && x.Type().Implements(of) {
			return x
		}
	}
	return reflect.Zero(of)
}
