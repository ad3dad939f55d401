package function_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/function"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestFunctions evaluates every function on rows with, without and with invalid keys,
// and compares their costs.
func TestFunctions(t *testing.T) {
	type row struct {
		args, want string
		cost       int
	}
	rows := map[string][]row{
		"zip_city":     {{"90210", `"Beverly Hills"`, 1}, {"902101234", `"Beverly Hills"`, 2}, {"99999", "null", 1}, {"x", "null", 0}, {"", "null", 0}},
		"zip_state":    {{"m5v", `"ON"`, 1}},
		"zip_county":   {{"90210", `"06037"`, 1}},
		"zip_lookup":   {{"10001", `{"code":"10001","city":"New York",`, 1}},
		"point_zip":    {{"34.1|-118.415", `"90210"`, 2}, {"0|0", "null", 2}, {"91|0", "null", 0}, {"34.1", "null", 0}},
		"point_county": {{"34.1|-118.415", `"06037"`, 2}},
		"point_lookup": {{"34.1|-118.415", `{"code":"90210",`, 2}},
		"geocode":      {{"400 N Sample Dr, Beverly Hills, CA 90210", `{"lat":`, 1}, {"", `{"lat":null,`, 0}},
		"find_place":   {{"Beverly Hills, CA", `{"name":"Beverly Hills",`, 1}, {"Nowhere at all", `{"name":null,`, 1}},
		"geo_distance": {{"90210|90210", "0", 1}, {"90210|99999", "null", 1}, {"x|90210", "null", 0}},
	}
	for _, f := range function.All() {
		if len(rows[f.Name]) == 0 {
			t.Errorf("no rows of %s", f.Name)
		}
		e, err := enrich.New(sampletest.Shared(t), f.Options())
		if err != nil {
			t.Fatal(f.Name, err)
		}
		for _, r := range rows[f.Name] {
			cells, to := f.Split(strings.Split(r.args, "|"))
			key, _ := function.Key(f.Kind, cells)
			values, out, err := e.RowTo(t.Context(), key, to, nil)
			got := string(function.AppendJSON(nil, e.Columns(), values))
			if err != nil || !strings.HasPrefix(got, r.want) || f.Cost(key, to, out).Used != r.cost {
				t.Errorf("%s(%s) = %s, %+v, %v, costs %d; want %s, %d", f.Name, r.args, got, out, err, f.Cost(key, to, out).Used, r.want, r.cost)
			}
			if f.Quote(key, to).Used < r.cost {
				t.Errorf("%s(%s) is quoted %d and costs %d", f.Name, r.args, f.Quote(key, to).Used, r.cost)
			}
		}
		if function.Named(f.Name) == nil || !strings.Contains(function.Names(), f.Name) {
			t.Errorf("%s is not found by its name", f.Name)
		}
	}
}

func TestKey(t *testing.T) {
	for _, tt := range []struct {
		kind  enrich.Kind
		cells []string
		key   string
		ok    bool
	}{
		{enrich.Code, []string{" 90210 "}, "90210", true},
		{enrich.Code, []string{"1", "2"}, "", false},
		{enrich.Coordinates, []string{"1"}, "", false},
		{enrich.Coordinates, []string{"", ""}, "", true},
		{enrich.Address, []string{"1 Main St", "", "Ames IA"}, "1 Main St, Ames IA", true},
	} {
		if key, ok := function.Key(tt.kind, tt.cells); key != tt.key || ok != tt.ok {
			t.Errorf("Key(%v, %q) = %q, %v", tt.kind, tt.cells, key, ok)
		}
	}
}

// TestTables evaluates the functions of tables.
func TestTables(t *testing.T) {
	db := sampletest.Shared(t)
	args := map[string][]string{"radius_zips": {"90210", "5"}, "crosswalk": {"county", "state", "people"}}
	for _, table := range function.Tables() {
		rows, err := table.Rows(t.Context(), db, args[table.Name])
		if err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
		held := make([]bool, len(table.Columns))
		for row := range rows {
			if len(row) != len(table.Columns) {
				t.Fatalf("%s: %d values of %d columns", table.Name, len(row), len(table.Columns))
			}
			for i, v := range row {
				held[i] = held[i] || !v.IsNull()
				if c := table.Columns[i]; !v.IsNull() && (v.Type() == enrich.Float) != c.Number {
					t.Fatalf("%s: %s is %v", table.Name, c.Name, v)
				}
			}
		}
		for i, c := range table.Columns {
			if !held[i] {
				t.Errorf("%s: no row has %s", table.Name, c.Name)
			}
		}
		if _, err := table.Rows(t.Context(), db, append([]string{"90210"}, make([]string, len(table.Arguments)-1)...)); err == nil {
			t.Errorf("%s without arguments: no error", table.Name)
		}
	}
}
