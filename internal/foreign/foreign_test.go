package foreign_test

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/foreign"
)

func open(t *testing.T) *foreign.Dataset {
	t.Helper()
	d, err := foreign.Open(foreign.Sample)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func columns(t *testing.T, d *foreign.Dataset, object string) *foreign.Columns {
	t.Helper()
	c, err := d.ParseColumns(object)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// rows returns the values of keys as text.
func rows(t *testing.T, c *foreign.Columns, keys ...string) (all []string) {
	t.Helper()
	err := c.Use(func(v *foreign.View) error {
		e, err := v.Entries(t.Context(), len(keys), func(row int) string { return keys[row] })
		if err == nil {
			all = textOf(e)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// textOf returns the values of each row as text.
func textOf(e *foreign.Entries) (all []string) {
	for _, row := range e.Rows() {
		var cells []string
		for _, cell := range row {
			cells = append(cells, cell.String())
		}
		all = append(all, strings.Join(cells, "|"))
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

func TestEntries(t *testing.T) {
	c := columns(t, open(t), `{"fields":["city"]}`)
	err := c.Use(func(v *foreign.View) error {
		e, err := v.Entries(t.Context(), 4, foreign.Keys("90210\x0010001 90210\x00\x00x\x00yz\x00", 6))
		if err != nil {
			return err
		}
		if diff := cmp.Diff([]int32{0, 1, 0, 2}, e.Index); diff != "" {
			t.Errorf("index (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"Beverly Hills", "New York", "Beverly Hills", ""}, textOf(e)); diff != "" || len(e.Values) != 3 {
			t.Errorf("%d entries (-want +got):\n%s", len(e.Values), diff)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestText(t *testing.T) {
	c := columns(t, open(t), `{"fields":["city","county_fips"]}`)
	err := c.Use(func(v *foreign.View) error {
		key := foreign.Keys("9021099999", 5)
		cells := []byte(strings.Repeat("x", 12))
		if err := v.Text(t.Context(), 1, key, cells, 6); err != nil {
			return err
		}
		if got, want := string(cells), "06037\x00\x00\x00\x00\x00\x00\x00"; got != want {
			t.Errorf("cells %q, want %q", got, want)
		}
		before := string(cells)
		for _, tt := range []struct{ column, size int64 }{{-1, 6}, {2, 6}, {0, 6}, {0, 0}} { // Beverly Hills has 13 bytes
			if err := v.Text(t.Context(), tt.column, key, cells, tt.size); !errors.Is(err, postgeo.ErrInvalidParam) || string(cells) != before {
				t.Errorf("column %d, size %d: %v, cells %q", tt.column, tt.size, err, cells)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestKeys(t *testing.T) {
	d := open(t)
	for _, tt := range []struct {
		options string
		row     []string
		want    string // "" for an error
	}{
		{`{"fields":["city"]}`, []string{" 90210"}, "90210"},
		{`{"fields":["city"]}`, []string{"1", "2"}, ""},
		{`{"fields":["distance.miles"],"pairs":true}`, []string{"90210", "10\t001"}, "90210\t10 001"},
		{`{"fields":["distance.miles"],"pairs":true}`, []string{"90210"}, ""},
		{`{"kind":"coordinates","fields":["city"]}`, []string{"1", "2"}, "1,2"},
	} {
		err := columns(t, d, tt.options).Use(func(v *foreign.View) error {
			var texts []func(int) string
			for _, cell := range tt.row {
				texts = append(texts, func(int) string { return cell })
			}
			key, err := v.Keys(texts)
			if err == nil && key(0) != tt.want {
				t.Errorf("%s: key %q, want %q", tt.options, key(0), tt.want)
			}
			return err
		})
		if (err != nil) != (tt.want == "") {
			t.Errorf("%s of %q: %v", tt.options, tt.row, err)
		}
	}
}

func TestPoints(t *testing.T) {
	d := open(t)
	lat, lon := []float64{34.09, 0, 91, math.NaN()}, []float64{-118.41, 0, 0, 0}
	want := []string{"06037", "", "", ""}
	e, err := d.Areas(t.Context(), "county", lat, lon)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, textOf(e)); diff != "" || len(e.Values) != 2 {
		t.Errorf("areas (-want +got):\n%s", diff)
	}
	err = columns(t, d, `{"kind":"coordinates","fields":["county_fips"]}`).Use(func(v *foreign.View) error {
		e, err := v.Points(t.Context(), lat, lon)
		if err == nil {
			if diff := cmp.Diff(want, textOf(e)); diff != "" {
				t.Errorf("points (-want +got):\n%s", diff)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestHandles closes an object from several goroutines; one of them does.
func TestHandles(t *testing.T) {
	var h foreign.Handles
	d := open(t)
	n := h.Add(columns(t, d, `{"fields":["city"]}`))
	if _, err := foreign.Held[*foreign.Dataset](&h, n); !errors.Is(err, postgeo.ErrClosed) {
		t.Errorf("columns as a dataset: %v", err)
	}
	if err := foreign.Close[*foreign.Dataset](&h, n); !errors.Is(err, postgeo.ErrClosed) {
		t.Errorf("columns closed as a dataset: %v", err)
	}
	if _, err := foreign.Held[*foreign.Columns](&h, n); err != nil {
		t.Error(err)
	}
	var closed atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if foreign.Close[*foreign.Columns](&h, n) == nil {
				closed.Add(1)
			}
		})
	}
	all.Wait()
	if _, err := foreign.Held[*foreign.Columns](&h, n); !errors.Is(err, postgeo.ErrClosed) || closed.Load() != 1 {
		t.Errorf("closed %d times, then %v", closed.Load(), err)
	}
	if other := h.Add(d); other == n || other == 0 {
		t.Errorf("number %d is used twice", other)
	}
}

func TestCall(t *testing.T) {
	d := open(t)
	got, err := d.Call(t.Context(), "distance", `{"from":"90210","to":"10001"}`)
	if res, ok := got.(*postgeo.DistanceResult); err != nil || !ok || res.Distance.Miles != 2458.88 {
		t.Errorf("%v, %v", got, err)
	}
	list, err := json.Marshal(foreign.Operations())
	if err != nil || !strings.Contains(string(list), `"name":"radius"`) {
		t.Errorf("%s, %v", list, err)
	}
}

func TestDescribe(t *testing.T) {
	d := open(t)
	failure := func(_ any, err error) error { return err }
	of := func(options string) error { return failure(d.ParseColumns(options)) }
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
		{failure(foreign.Open(t.TempDir() + "/none")), foreign.Failure{Status: 10, Kind: "other"}},
		{foreign.Safely(func() error { panic("x") }), foreign.Failure{Status: 10, Kind: "other"}},
		{foreign.Safely(func() error { panic(foreign.Invalid("rows", "some")) }), foreign.Failure{Status: 3, Kind: "invalid parameter", Code: "VALIDATION_INVALID_PARAM", Param: "rows", Range: "some"}},
	} {
		got := foreign.Describe(tt.err)
		if got.Message == "" {
			t.Errorf("%v has no message", tt.err)
		}
		var read foreign.Failure
		if err := json.Unmarshal([]byte(got.String()), &read); err != nil || read != got {
			t.Errorf("%+v is %s, %v", got, got, err)
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
