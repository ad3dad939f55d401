package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// listed names the methods of DB that the fixed list calls.
var listed = []string{
	"QuickLookup", "QuickLookupBatch", "Lookup", "Radius", "Nearest", "Neighbors", "Suggest", "MatchAddress", "Distance", "DistanceMatrix",
	"PairsWithin", "InPolygon", "Boundary", "CodeOutline", "AreaOutline", "StateOutlines", "StateOutlinesIn", "CodesIn", "Crosswalk", "FamiliesAt", "ACSYears",
	"LastACSYear", "Ping", "Geocode", "GeocodeBatch", "Reverse",
}

// sectionless names the methods of DB that do not depend on a section. They read
// the file as bytes, open it or close it. Info reads memory of Open, and the sample has
// no table of a user.
var sectionless = []string{"Close", "Info", "Moved", "OwnLayers", "Snapshot", "Swap", "Verify", "VerifyPages"}

// moreQuestions calls the other methods of DB, by their names.
func moreQuestions() []question {
	codes := []string{"90210", "K1A", "98101"}
	where := func(yield func(postgeo.Where) bool) {
		for _, c := range codes {
			if !yield(c) {
				return
			}
		}
	}
	fields := []string{"economic.income.median_household_income"}
	tract := everything("acs_social").Include.ACS
	return []question{
		{"Prepare", func(ctx context.Context, db *postgeo.DB) (any, error) { return nil, db.Prepare(ctx) }},
		{"HasAreas", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.HasAreas(ctx) }},
		{"AutoRadius", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.AutoRadius(ctx, "34.0901,-118.4065", radius.Commute)
		}},
		{"LookupBatch", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return gather(db.LookupBatch(ctx, where, everything("acs_housing")))
		}},
		{"RadiusBatch", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return gather(db.RadiusBatch(ctx, slices.Values([]postgeo.RadiusSearch{{Center: "90210", Options: radius.Options{Max: 4}}})))
		}},
		{"MatchAddressBatch", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return gather(db.MatchAddressBatch(ctx, slices.Values([]string{"350 5th Ave, New York, NY 10118", "90210"}), address.Options{}))
		}},
		{"MatchAddressFields", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.MatchAddressFields(ctx, address.Fields{Street: "350 5th Ave", ZIP: "10118"}, address.Options{})
		}},
		{"SuggestAddress", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.SuggestAddress(ctx, "350 5th av", address.SuggestOptions{})
		}},
		{"Codes", func(ctx context.Context, db *postgeo.DB) (any, error) { return gather(db.Codes(ctx, lookup.Postal)) }},
		{"AreaIDs", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return gather(db.AreaIDs(ctx, lookup.LayerTract))
		}},
		{"AreaIDsIn", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return gather(db.AreaIDsIn(ctx, lookup.LayerTract, geo.Box{SouthWest: geo.MustLatLng(34, -118.5), NorthEast: geo.MustLatLng(34.2, -118.3)}))
		}},
		{"AreaIDsAt", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return gather(db.AreaIDsAt(ctx, lookup.LayerTract, slices.Values([]geo.LatLng{geo.MustLatLng(34.0901, -118.4065), geo.MustLatLng(47.6, -122.33)})))
		}},
		{"Apportion", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.Apportion(ctx, map[string]float64{"53033": 12, "36061": 7.5}, "county", "cd", lookup.CrosswalkOptions{})
		}},
		{"CodeOutlineSource", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.CodeOutlineSource(ctx, "90210") }},
		{"ACSProfile", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.ACSProfile(ctx, "90210", tract, acs.Options{})
		}},
		{"ACSSeries", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.ACSSeries(ctx, []string{"90210"}, fields, acs.SeriesOptions{})
		}},
		{"ACSAggregate", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.ACSAggregate(ctx, radius.Areas{Center: "98101", Radius: radius.Options{Max: 3, Mode: radius.Spatial}}, fields, acs.SeriesOptions{})
		}},
		{"Locate", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.Locate(ctx, "90210") }},
		{"ZIP3", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.ZIP3(ctx, "902") }},
		{"CompareACS", func(ctx context.Context, db *postgeo.DB) (any, error) {
			return db.CompareACS(ctx, acs.Side{Area: "90210"}, acs.Side{Area: "98101"}, fields[0], false, acs.FigureOptions{})
		}},
	}
}

// TestQuestionsCallEveryMethod fails for a method of DB that damaged files are
// not tested with.
func TestQuestionsCallEveryMethod(t *testing.T) {
	names := slices.Concat(listed, sectionless)
	for _, q := range moreQuestions() {
		names = append(names, q.name)
	}
	slices.Sort(names)
	var want []string
	for m := range reflect.TypeFor[*postgeo.DB]().Methods() {
		want = append(want, m.Name)
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("methods of DB (-want +got):\n%s", diff)
	}
}

// askSafely returns a panic as an error that matches nothing.
func askSafely(ctx context.Context, q question, db *postgeo.DB) (a answered) {
	defer func() {
		if p := recover(); p != nil {
			a = answered{err: fmt.Errorf("panic: %v", p)}
		}
	}()
	v, err := q.ask(ctx, db)
	if err != nil {
		return answered{err: err}
	}
	text, err := json.Marshal(v)
	return answered{string(text), err}
}

// TestDamagedSections damages a column of each section and calls every operation
// first on a fresh DB. Each fails with ErrDamaged or returns the undamaged
// result.
func TestDamagedSections(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	list := append(questions(), moreQuestions()...)
	want := make([]answered, len(list))
	for i, q := range list {
		db, err := postgeo.OpenSample()
		check(t, err)
		want[i] = askSafely(t.Context(), q, db)
		check(t, db.Close())
	}
	columns := map[string]string{}
	for name, s := range sections {
		columns[name] = s.column
	}
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	check(t, err)
	check(t, d.Close())
	for _, id := range store.PlanIDs() {
		if d.Layer(id) != nil && !testing.Short() {
			columns[id.String()] = "layer." + id.String() + ".areas"
		}
	}
	for name, column := range columns {
		t.Run(name, func(t *testing.T) {
			bad := append([]byte(nil), good...)
			bad[placeOfColumn(t, good, column)] ^= 0xff
			fsys := fstest.MapFS{"x.db": {Data: bad}}
			failed := 0
			for i, q := range list {
				db, err := postgeo.OpenFS(fsys, "x.db", postgeo.OpenOptions{})
				if errors.Is(err, store.ErrDamaged) { // the column is so small that Open reads its page
					failed++
					continue
				}
				check(t, err)
				got := askSafely(t.Context(), q, db)
				switch {
				case errors.Is(got.err, store.ErrDamaged):
					failed++
				case got.failure() != want[i].failure() || got.text != want[i].text:
					t.Errorf("%s: %.300s, error %v", q.name, got.text, got.err)
				}
				check(t, db.Close())
			}
			if failed == 0 {
				t.Errorf("no operation reads the section")
			}
			t.Logf("%d calls failed", failed)
		})
	}
}

// TestDamagedStreets calls all methods of a Dataset about streets and address points,
// with damaged lists of both. Methods return ErrDamaged; those without an error
// panic with it, as documented.
func TestDamagedStreets(t *testing.T) {
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	arguments := map[reflect.Type]any{}
	for _, a := range []any{
		dataset.ZIP(10001), store.RoadAreaOfZIP(10118), "5", dataset.Plus4(1), geo.MustLatLng(40.7484, -73.9857), geo.Meters(100),
		[]store.Road(nil), []store.StreetRecord(nil), []store.StreetAlias(nil),
	} {
		arguments[reflect.TypeOf(a)] = a
	}
	call := func(d *store.Dataset, m reflect.Method) (failed error) {
		in := []reflect.Value{reflect.ValueOf(d)}
		for i := 1; i < m.Type.NumIn(); i++ {
			if m.Type.In(i) == reflect.TypeFor[context.Context]() {
				in = append(in, reflect.ValueOf(t.Context()))
			} else {
				in = append(in, reflect.ValueOf(arguments[m.Type.In(i)]))
			}
		}
		last := m.Type.Out(m.Type.NumOut() - 1)
		isPairs := last.CanSeq2()
		defer func() {
			if p := recover(); p != nil {
				if failed, _ = p.(error); failed == nil || isPairs || last == reflect.TypeFor[error]() {
					t.Errorf("%s: panic: %v", m.Name, p)
				}
			}
		}()
		out := m.Func.Call(in)
		if !isPairs {
			failed, _ = out[len(out)-1].Interface().(error)
			return failed
		}
		for _, v := range out[0].Seq2() {
			failed, _ = v.Interface().(error)
		}
		return failed
	}
	about := regexp.MustCompile("Road|Street|ZIP4|Boxes|Ranges")
	for _, column := range []string{"road.areas", "zip4.zips"} {
		bad := append([]byte(nil), good...)
		bad[placeOfColumn(t, good, column)] ^= 0xff
		for m := range reflect.TypeFor[*store.Dataset]().Methods() {
			if !about.MatchString(m.Name) {
				continue
			}
			d, err := sqlite.OpenFS(fstest.MapFS{"x.db": {Data: bad}}, "x.db")
			check(t, err)
			failed := call(d, m)
			own := (column == "road.areas") == (strings.Contains(m.Name, "Road") || m.Name == "HasRanges")
			if isDamaged := errors.Is(failed, store.ErrDamaged); !isDamaged && (own || failed != nil) {
				t.Errorf("%s with a damaged %s: %v", m.Name, column, failed)
			}
			check(t, d.Close())
		}
	}
}
