package foreign_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/draw"
	"github.com/postgeo/postgeo/internal/foreign"
	"github.com/postgeo/postgeo/radius"
)

func sample(t testing.TB) (*foreign.Datasets, uint64) {
	t.Helper()
	d := new(foreign.Datasets)
	db, err := d.Open(foreign.Sample)
	check(t, err)
	t.Cleanup(func() { d.Close(db) })
	return d, db
}

// enriched returns the result of enrich as JSON.
func enriched(t *testing.T, arguments string) string {
	t.Helper()
	d, db := sample(t)
	res, err := d.Call(t.Context(), db, "enrich", arguments)
	check(t, err)
	text, err := json.Marshal(res)
	check(t, err)
	return string(text)
}

func TestEnrich(t *testing.T) {
	for _, tt := range []struct{ arguments, want string }{
		{
			`{"rows":["90210","99999",null,90210],"fields":["city","location.lat"]}`,
			`[{"name":"city","type":"string","values":["Beverly Hills",null,null,"Beverly Hills"]},{"name":"location.lat","type":"float","values":[34.094589,null,null,34.094589]}]`,
		},
		{
			`{"rows":["501","99999"],"fields":["city"],"status":true,"restore_zeros":true}`,
			`[{"name":"city","type":"string","values":["Holtsville",null]},{"name":"postgeo_status","type":"string","values":["matched","not_found"]},` +
				`{"name":"postgeo_reason","type":"string","values":["ZEROS_RESTORED","NOT_FOUND_ZIP: ZIP code 99999 not found."]}]`,
		},
		{`{"rows":[[34.09,-118.41],[null,null],null],"kind":"coordinates","fields":["county_fips"]}`, `[{"name":"county_fips","type":"string","values":["06037",null,null]}]`},
		{`{"rows":[],"fields":["city"]}`, `[{"name":"city","type":"string","values":[]}]`},
	} {
		if diff := cmp.Diff(`{"columns":`+tt.want+`}`, enriched(t, tt.arguments)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.arguments, diff)
		}
	}
}

// TestEnrichMany compares rows that several processors evaluate with single ones.
func TestEnrichMany(t *testing.T) {
	const n = 2500
	var rows []string
	for i := range n {
		rows = append(rows, fmt.Sprintf("%05d", 89000+i))
	}
	list, err := json.Marshal(rows)
	check(t, err)
	var res struct{ Columns []struct{ Values []*string } }
	check(t, json.Unmarshal([]byte(enriched(t, `{"fields":["city"],"rows":`+string(list)+`}`)), &res))
	values := res.Columns[0].Values
	if len(values) != n || *values[90210-89000] != "Beverly Hills" || values[99] != nil {
		t.Errorf("%d values", len(values))
	}
}

// TestClose closes a dataset from several goroutines while calls run. One of them closes it.
func TestClose(t *testing.T) {
	d, db := sample(t)
	other, err := d.Open(foreign.Sample)
	if err != nil || other == db || other == 0 {
		t.Fatalf("handles %d and %d, %v", db, other, err)
	}
	var closed atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := d.Call(t.Context(), db, "lookup", `{"code":"90210"}`); err != nil && !errors.Is(err, postgeo.ErrClosed) {
				t.Error(err)
			}
			if err := d.Close(db); err == nil {
				closed.Add(1)
			} else if !errors.Is(err, postgeo.ErrClosed) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if _, err := d.Call(t.Context(), db, "info", ""); !errors.Is(err, postgeo.ErrClosed) || closed.Load() != 1 {
		t.Errorf("closed %d times, then %v", closed.Load(), err)
	}
	if _, err := d.Call(t.Context(), other, "info", ""); err != nil {
		t.Error(err)
	}
}

func TestCall(t *testing.T) {
	d, db := sample(t)
	got, err := d.Call(t.Context(), db, "distance", `{"from":"90210","to":"10001"}`)
	if res, ok := got.(*radius.DistanceResult); err != nil || !ok || res.Distance.Miles != 2458.91 {
		t.Errorf("%v, %v", got, err)
	}
	list, err := d.Call(t.Context(), 0, "operations", "")
	check(t, err)
	text, err := json.Marshal(list)
	for _, name := range []string{"radius", "outlines", "area", "figures"} {
		if !strings.Contains(string(text), `"name":"`+name+`"`) {
			t.Errorf("%s lacks %s, %v", text, name, err)
		}
	}
	got, err = d.Call(t.Context(), db, "area", `{"layer":"county","geoid":"06037"}`)
	if res, ok := got.(*draw.AreaOfResult); err != nil || !ok || len(res.Rings) == 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestDescribe(t *testing.T) {
	d, db := sample(t)
	call := func(name, arguments string) error {
		_, err := d.Call(t.Context(), db, name, arguments)
		return err
	}
	opened := func(path string) error {
		_, err := d.Open(path)
		return err
	}
	invalid := func(param string) foreign.Failure {
		return foreign.Failure{Status: 3, Kind: "invalid parameter", Code: "VALIDATION_INVALID_PARAM", Param: param}
	}
	for _, tt := range []struct {
		err  error
		want foreign.Failure
	}{
		{call("lookup", `{"code":"99999"}`), foreign.Failure{Status: 1, Kind: "not found", Code: "NOT_FOUND_ZIP", Input: "99999"}},
		{call("lookup", `{"code":"x"}`), foreign.Failure{Status: 2, Kind: "invalid code", Code: "VALIDATION_INVALID_FSA", Input: "x"}},
		{call("lookup", `{`), foreign.Failure{Status: 3, Kind: "invalid parameter", Code: "VALIDATION_INVALID_REQUEST"}},
		{call("x", `{}`), invalid("operation")},
		{call("enrich", `{"rows":["90210"],"fields":["nonsense"]}`), foreign.Failure{Status: 3, Kind: "invalid parameter"}},
		{call("enrich", `{"rows":["90210"],"kind":"x"}`), invalid("")},
		{call("enrich", `{"rows":[true],"fields":["city"]}`), invalid("rows")},
		{call("enrich", `{"rows":"90210","fields":["city"]}`), invalid("rows")},
		{call("enrich", `{"fields":["city"]}`), invalid("rows")},
		{opened(t.TempDir() + "/none"), foreign.Failure{Status: 10, Kind: "other"}},
		{foreign.Safely(func() error { panic("x") }), foreign.Failure{Status: 10, Kind: "other"}},
	} {
		got := foreign.Describe(tt.err)
		if got.Message == "" {
			t.Errorf("%v has no message", tt.err)
		}
		var read foreign.Failure
		if err := json.Unmarshal([]byte(got.String()), &read); err != nil || read != got {
			t.Errorf("%+v is %s, %v", got, got, err)
		}
		got.Message, got.Range = "", ""
		if tt.want.Param == "" {
			got.Param = ""
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.err, diff)
		}
	}
}

// FuzzCall calls operations with any arguments.
func FuzzCall(f *testing.F) {
	f.Add("lookup", `{"code":"90210"}`)
	f.Add("enrich", `{"rows":["90210",501,null,[1,2]],"fields":["city"],"status":true,"restore_zeros":true}`)
	f.Add("enrich", `{"kind":"address","rows":["1 Main St 90210"],"fields":["geocode.precision","address"]}`)
	f.Add("distance", `[]`)
	f.Fuzz(func(t *testing.T, name, arguments string) {
		d, db := sample(t)
		res, err := d.Call(t.Context(), db, name, arguments)
		if err != nil {
			if f := foreign.Describe(err); f.Status == 0 || f.Message == "" || strings.HasPrefix(f.Message, "defect") {
				t.Errorf("%+v", f)
			}
			return
		}
		if _, err := json.Marshal(res); err != nil {
			t.Error(err)
		}
	})
}

var check = checktest.Check
