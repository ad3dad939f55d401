package foreign_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/foreign"
	"github.com/postgeo/postgeo/internal/function"
)

// rowOf returns the result of a function as text, or its error.
func rowOf(t *testing.T, f *foreign.Function, args ...string) string {
	t.Helper()
	var cells []string
	err := f.Use(func(row foreign.Row) error {
		var given [][]byte
		for _, a := range args {
			given = append(given, []byte(a))
		}
		values, err := row(t.Context(), given)
		for _, v := range values {
			cells = append(cells, v.String())
		}
		return err
	})
	if err != nil {
		return err.Error()
	}
	return strings.Join(cells, "|")
}

func TestFunctions(t *testing.T) {
	list, err := open(t).Functions()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*foreign.Function{}
	for _, f := range list {
		all[f.Name] = f
	}
	for _, f := range function.All() {
		if all[f.Name] == nil {
			t.Errorf("no function %s", f.Name)
		}
	}
	for _, tt := range []struct {
		name string
		args []string
		want string // a part of the result or error
	}{
		{"zip_city", []string{"90210"}, "Beverly Hills"},
		{"zip_city", []string{" 501 "}, "Holtsville"},
		{"zip_lookup", []string{"99999"}, ""},
		{"point_zip", []string{"34.1", "-118.415"}, "90210"},
		{"point_zip", []string{"34.1,-118.415", "0"}, ""},
		{"geo_distance", []string{"90210", "10001"}, "2458.88"},
		{"geo_distance", []string{"90210", "34.1,-118.415"}, "0"},
		{"geo_distance", []string{"90210\t10001", "x"}, ""},
		{"geocode", []string{"400 N Sample Dr, Beverly Hills, CA 90210"}, "|90210"},
		{"acs", []string{"90210", "economic.income.median_household_income", "2024"}, "54782"},
		{"acs", []string{"90210", "nonsense", "2024"}, "nonsense"},
		{"zip_field", []string{"90210", "area_codes"}, "310; 424"},
		{"zip_field", []string{"90210\x00city", "county"}, ""},
	} {
		for range 2 { // the second time from the cache
			if got := rowOf(t, all[tt.name], tt.args...); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("%s(%q) = %q, want %q", tt.name, tt.args, got, tt.want)
			}
		}
	}
	err = all["zip_city"].Use(func(foreign.Row) error { panic("x") })
	if err == nil {
		t.Error("a panic is no error")
	}
	if columns := all["geocode"].Columns; columns[0] != (function.TableColumn{Name: "lat", Path: "geocode.location.lat", Number: true}) || columns[2].Number {
		t.Errorf("columns %+v", columns)
	}
}

func TestTable(t *testing.T) {
	d := open(t)
	for _, table := range function.Tables() {
		if table.Name != "radius_zips" {
			continue
		}
		f := d.Table(table)
		for _, tt := range []struct {
			code, miles, want string
		}{
			{"90210", "5", `"code":"90210"`},
			{"90210", "5", `"code":"90210"`},
			{"90210", "9999", "9999"},
			{"90210", "x", "x"},
			{"90210", "NaN", "number"},
			{"", "5", "code"},
		} {
			if got := rowOf(t, f, tt.code, tt.miles); !strings.Contains(got, tt.want) {
				t.Errorf("radius_zips(%s, %s) = %.80s, want %s", tt.code, tt.miles, got, tt.want)
			}
		}
	}
}

// A result is rows of a database.
type result struct {
	names []string
	rows  [][]any
	at    int
	err   error
}

func (r *result) Columns() ([]string, error) { return r.names, nil }

func (r *result) Next() bool {
	r.at++
	return r.at <= len(r.rows)
}

func (r *result) Scan(targets ...any) error {
	for i, v := range r.rows[r.at-1] {
		*targets[i].(*any) = v
	}
	return nil
}

func (r *result) Err() error { return r.err }

func TestPrint(t *testing.T) {
	rows := func() *result {
		return &result{names: []string{"a", "long"}, rows: [][]any{{"x, y", 1.5}, {nil, map[string]any{"k": []any{1, "v"}}}, {[]byte("b"), true}}}
	}
	var table, csv strings.Builder
	if err := foreign.Print(rows(), false, &table); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff("a     long\nx, y  1.5\nNULL  {\"k\":[1,\"v\"]}\nb     true\n", table.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if err := foreign.Print(rows(), true, &csv); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff("a,long\n\"x, y\",1.5\n,\"{\"\"k\"\":[1,\"\"v\"\"]}\"\nb,true\n", csv.String()); diff != "" {
		t.Errorf("CSV (-want +got):\n%s", diff)
	}
	broken := rows()
	broken.err = context.Canceled
	if err := foreign.Print(broken, true, &csv); err == nil {
		t.Error("no error of broken rows")
	}
}

// BenchmarkFunction evaluates a function of a code.
func BenchmarkFunction(b *testing.B) {
	d, err := foreign.Open(foreign.Sample)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	list, err := d.Functions()
	if err != nil {
		b.Fatal(err)
	}
	var codes [][]byte
	for i := range 100_000 {
		codes = append(codes, fmt.Appendf(nil, "%05d", i))
	}
	for _, f := range list {
		if f.Name != "zip_county" {
			continue
		}
		err := f.Use(func(row foreign.Row) error {
			var values []enrich.Value
			args := make([][]byte, 1)
			for i := 0; b.Loop(); i++ {
				args[0] = codes[i%len(codes)]
				var err error
				if values, err = row(b.Context(), args); err != nil {
					return err
				}
			}
			_ = values
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
