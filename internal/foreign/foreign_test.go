package foreign_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/foreign"
)

func open(t *testing.T) *foreign.Dataset {
	t.Helper()
	d, err := foreign.Open(foreign.Sample, postgeo.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func columns(t *testing.T, d *foreign.Dataset, object string) *foreign.Columns {
	t.Helper()
	opt, err := foreign.ParseOptions(object)
	if err != nil {
		t.Fatal(err)
	}
	c, err := foreign.NewColumns(d, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// rows returns the values of keys as text.
func rows(t *testing.T, c *foreign.Columns, keys ...string) (all []string) {
	t.Helper()
	err := c.Use(func(v *foreign.View) error {
		values, err := v.Values(t.Context(), keys)
		for _, row := range values {
			var cells []string
			for _, cell := range row {
				cells = append(cells, cell.String())
			}
			all = append(all, strings.Join(cells, "|"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestColumns(t *testing.T) {
	d := open(t)
	for _, tt := range []struct {
		options    string
		keys, want []string
	}{
		{`{"fields":["city","county_fips"]}`, []string{"90210", "99999", "", "90210"}, []string{"Beverly Hills|06037", "|", "|", "Beverly Hills|06037"}},
		{`{"fields":["city"],"status":true,"restore_zeros":true}`, []string{"501", "99999"}, []string{"Holtsville|matched|ZEROS_RESTORED", "|not_found|NOT_FOUND_ZIP: ZIP code 99999 not found."}},
		{`{"kind":"coordinates","fields":["county_fips"]}`, []string{foreign.PointKey(34.09, -118.41), ""}, []string{"06037", ""}},
		{`{"fields":["distance.miles"],"pairs":true}`, []string{"90210\t10001", "90210\t90210"}, []string{"2458.88", "0"}},
		{`{"kind":"address","fields":["distance.miles"],"pairs":true}`, []string{"350 5th Ave\tNew York NY 10118\t10118", "10118"}, []string{"0.04", ""}},
		{`{"fields":["distance.miles"],"distance_to":"10001"}`, []string{"90210"}, []string{"2458.88"}},
	} {
		c := columns(t, d, tt.options)
		for range 2 { // the second time from the cache
			if diff := cmp.Diff(tt.want, rows(t, c, tt.keys...)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.options, diff)
			}
		}
	}
}

// TestSwap swaps the dataset and closes it while columns are in use.
func TestSwap(t *testing.T) {
	d := open(t)
	c := columns(t, d, `{"fields":["city"]}`)
	path := filepath.Join("..", "dataset", "sample", "sample.db")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20 {
				if got := rows(t, c, "90210"); got[0] != "Beverly Hills" {
					t.Errorf("90210 is in %q", got)
				}
			}
		})
	}
	if err := d.Swap(t.Context(), path); err != nil {
		t.Error(err)
	}
	all.Wait()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Use(func(*foreign.View) error { return nil }); !errors.Is(err, postgeo.ErrClosed) {
		t.Errorf("columns of a closed dataset: %v", err)
	}
	c.Close()
	c.Close()
}

func TestNumber(t *testing.T) {
	keys := []string{"a", "b", "a", ""}
	index := make([]int32, len(keys))
	distinct := foreign.Number(index, func(row int) string { return keys[row] })
	if diff := cmp.Diff([]string{"a", "b", ""}, distinct); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int32{0, 1, 0, 2}, index); diff != "" {
		t.Error(diff)
	}
}

func TestAreas(t *testing.T) {
	got, err := open(t).Areas(t.Context(), "county", []float64{34.09, 0, 91}, []float64{-118.41, 0, 0})
	if diff := cmp.Diff([]string{"06037", "", ""}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestCall(t *testing.T) {
	d := open(t)
	got, err := d.Call(t.Context(), "distance", `{"from":"90210","to":"10001"}`)
	if err != nil || !strings.Contains(string(got), `"miles":2458.88`) {
		t.Errorf("%s, %v", got, err)
	}
	list, err := json.Marshal(foreign.Operations())
	if err != nil || !strings.Contains(string(list), `"name":"radius"`) {
		t.Errorf("%s, %v", list, err)
	}
}

func TestDescribe(t *testing.T) {
	d := open(t)
	failure := func(_ any, err error) error { return err }
	of := func(options string) error {
		opt, err := foreign.ParseOptions(options)
		if err != nil {
			return err
		}
		return failure(foreign.NewColumns(d, opt))
	}
	for _, tt := range []struct {
		err  error
		want foreign.Failure
	}{
		{failure(d.Call(t.Context(), "lookup", `{"code":"99999"}`)), foreign.Failure{Status: 1, Kind: "not found", Code: "NOT_FOUND_ZIP", Input: "99999"}},
		{failure(d.Call(t.Context(), "lookup", `{"code":"x"}`)), foreign.Failure{Status: 2, Kind: "invalid code", Code: "VALIDATION_INVALID_FSA", Input: "x"}},
		{failure(d.Call(t.Context(), "lookup", `{`)), foreign.Failure{Status: 3, Kind: "invalid parameter", Code: "VALIDATION_INVALID_REQUEST"}},
		{failure(d.Call(t.Context(), "x", `{}`)), foreign.Failure{Status: 3, Kind: "invalid parameter", Code: "VALIDATION_INVALID_PARAM", Param: "operation", Range: `a name that postgeo_operations lists, not "x"`}},
		{of(`{"fields":["nonsense"]}`), foreign.Failure{Status: 3, Kind: "invalid parameter"}},
		{of(`{"fields":["distance.miles"],"distance_to":"x"}`), foreign.Failure{Status: 3, Kind: "invalid parameter", Code: "VALIDATION_INVALID_FSA", Input: "x"}},
		{of(`{"kind":"x"}`), foreign.Failure{Status: 3, Kind: "invalid parameter", Code: "VALIDATION_INVALID_PARAM"}},
		{postgeo.ErrClosed, foreign.Failure{Status: 7, Kind: "closed"}},
		{failure(foreign.Open(t.TempDir()+"/none", postgeo.OpenOptions{})), foreign.Failure{Status: 10, Kind: "other"}},
		{foreign.Safely(func() error { panic("x") }), foreign.Failure{Status: 10, Kind: "other"}},
	} {
		got := foreign.Describe(tt.err)
		if got.Message == "" {
			t.Errorf("%v has no message", tt.err)
		}
		got.Message = ""
		if tt.want.Range == "" {
			got.Param, got.Range = "", ""
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.err, diff)
		}
	}
}
