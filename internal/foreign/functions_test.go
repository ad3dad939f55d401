package foreign_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/foreign"
	"github.com/postgeo/postgeo/internal/function"
)

// rowOf returns the result of a function as text, a line for each row, or its error.
func rowOf(t *testing.T, f *foreign.Function, args ...string) string {
	t.Helper()
	var lines []string
	err := f.Use(func(row foreign.Row) error {
		var given [][]byte
		for _, a := range args {
			given = append(given, []byte(a))
		}
		cells, err := row(t.Context(), given)
		n := cells.Rows(len(f.Columns))
		for len(cells) > 0 {
			var line []string
			for _, c := range f.Columns {
				var value []byte
				if value, cells = cells.Next(); c.Number && value != nil {
					value = fmt.Append(nil, math.Float64frombits(binary.LittleEndian.Uint64(value)))
				}
				line = append(line, string(value))
			}
			lines = append(lines, strings.Join(line, "|"))
		}
		if n != len(lines) {
			t.Errorf("%s: Rows returns %d, there are %d", f.Name, n, len(lines))
		}
		return err
	})
	if err != nil {
		return err.Error()
	}
	return strings.Join(lines, "\n")
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
		{"geo_distance", []string{"10001", "501"}, "50.13"},
		{"zip_lookup", []string{"M5V"}, "M5V|Toronto|ON||||"},
		{"radius_zips", []string{"90210", "5"}, "90210|Beverly Hills|CA|06037|34.1|-118.415|0"},
		{"radius_zips", []string{"501", "1"}, "00501|Holtsville"},
		{"radius_zips", []string{"90210", "auto"}, "90210|"},
		{"radius_zips", []string{"90210", "9999"}, "9999"},
		{"radius_zips", []string{"90210", "x"}, "x"},
		{"radius_zips", []string{"90210", "NaN"}, "expected above 0"},
		{"radius_zips", []string{"99999", "5"}, ""},
		{"radius_zips", []string{"x", "5"}, ""},
		{"radius_zips", []string{"", "5"}, ""},
		{"crosswalk", []string{"zip", "county", "area"}, "90210||06037|Los Angeles County|100|"},
		{"crosswalk", []string{"zip", "moon", "area"}, "moon"},
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
	if columns := all["geocode"].Columns; columns[0] != (function.TableColumn{Name: "lat", Number: true}) || columns[2].Number {
		t.Errorf("columns %+v", columns)
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

func (r *result) Close() error { return nil }

func TestPrint(t *testing.T) {
	rows := func() *result {
		return &result{names: []string{"a", "long"}, rows: [][]any{{"x, y", 1.5}, {nil, 1234567.0}, {"tab\tand\nline", 1e20}, {float32(0.1), true}}}
	}
	var table, csv strings.Builder
	if err := foreign.Print(rows(), false, &table); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff("a             long\nx, y          1.5\nNULL          1234567\ntab and line  1e+20\n0.1           true\n", table.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if err := foreign.Print(rows(), true, &csv); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff("a,long\n\"x, y\",1.5\n,1234567\n\"tab\tand\nline\",1e+20\n0.1,true\n", csv.String()); diff != "" {
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
			args := make([][]byte, 1)
			for i := 0; b.Loop(); i++ {
				args[0] = codes[i%len(codes)]
				if _, err := row(b.Context(), args); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
