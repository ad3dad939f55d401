package owntables_test

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/fetch"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/owntables"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// openCSV reads a file of comma-separated values.
func openCSV(path string) ([]string, iter.Seq2[[]string, error], error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	r := csv.NewReader(f)
	header, err := r.Read()
	return header, func(yield func([]string, error) bool) {
		defer f.Close()
		for {
			row, err := r.Read()
			if errors.Is(err, io.EOF) || !yield(row, err) {
				return
			}
		}
	}, err
}

// read runs the step for a request.
func read(t *testing.T, r owntables.Request) (tables []dataset.OwnTableData, err error) {
	t.Helper()
	b := plan.New(nil)
	b.Add(&fetch.File{Source: fetch.Source{ID: catalog.OwnTables, Optional: true}, Path: r.File})
	b.Give(&draft.States{List: []dataset.State{{Abbr: "CA", FIPS: "06"}}}, &draft.Output{}, &owntables.Requests{
		List: []owntables.Request{r}, Open: openCSV,
		Add: func(d dataset.OwnTableData) error { tables = append(tables, d); return nil },
	})
	return tables, b.Run(context.Background(), []plan.Step{owntables.Added()})
}

// TestRecipes reads an invented file in the format of each recipe.
func TestRecipes(t *testing.T) {
	dir := t.TempDir()
	text := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	sheet := func(name, sheet string, rows ...[]string) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := xlsx.Write(f, sheet, rows); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// The header and a row of the columns of a recipe with the key and one value each.
	wide := func(name, key string) string {
		r, ok := owntables.BuiltIn(name)
		if !ok {
			t.Fatalf("no recipe %s", name)
		}
		header, row := []string{"STATE", r.ID}, []string{"Texas", key}
		for _, c := range slices.Concat(r.Count, r.Rate, r.Mean) {
			c, _, _ = strings.Cut(c, "/")
			c, _, _ = strings.Cut(c, ":")
			header, row = append(header, c), append(row, "12.5")
		}
		return strings.Join(header, ",") + "\n" + strings.Join(row, ",") + "\n"
	}
	ruca := []string{"TractFIPS20", "PrimaryRUCA", "SecondaryRUCA", "Population"}
	tests := []struct {
		recipe, file, table, key string
		year                     int
		column                   string
		number                   float64
		category                 string
	}{
		{"svi2022", text("svi.csv", wide("svi2022", "6037101110")), "svi", "06037101110", 2022, "ep_pov150", 12.5, ""},
		{"places2024", text("places.csv", wide("places2024", "6037101110")), "places", "06037101110", 2024, "diabetes_crudeprev", 12.5, ""},
		{"ruca2020", text("ruca.csv", strings.Join(ruca, ",")+"\n06037101110,4,4.1,7\n06037101122,99,99,0\n"), "ruca", "06037101110", 2020, "secondaryruca", 0, "4.1"},
		{"ruca2020", sheet("ruca.xlsx", "RUCA2020 Tract Data", []string{"Codes of 2020"}, ruca, []string{"06037101110", "4", "4.1", "7"}), "ruca", "06037101110", 2020, "primaryruca", 0, "4"},
		{"qoz2018", sheet("qoz.xlsx", "QOZs", []string{"State\n\nState", "County", "Census Tract Number", "Tract Type", "ACS Data Source"}, []string{"California", "Los Angeles", "06037101110", "Low-Income Community", "2011-2015"}), "qoz", "06037101110", 2018, "tract_type", 0, "Low-Income Community"},
		{"safmr2026", sheet("safmr.xlsx", "SAFMRs", []string{"ZIP\nCode", "HUD Area Code", "SAFMR\n0BR", "SAFMR\n1BR", "SAFMR\n2BR", "SAFMR\n3BR", "SAFMR\n4BR"}, []string{"1001", "METRO1", "900", "1000", "1234", "1500", "1700"}), "safmr", "01001", 2026, "safmr_2br", 1234, ""},
	}
	for _, tt := range tests {
		r, err := owntables.ParseRecipe(tt.recipe + "=" + tt.file)
		if err != nil {
			t.Fatalf("%s: %v", tt.recipe, err)
		}
		tables, err := read(t, r)
		if err != nil || len(tables) != 1 {
			t.Errorf("%s: %d tables, error %v", tt.recipe, len(tables), err)
			continue
		}
		d := tables[0]
		c := slices.IndexFunc(d.Columns, func(c dataset.OwnColumn) bool { return c.Name == tt.column })
		if d.Name != tt.table || d.Year != tt.year || d.Keys[0] != tt.key || c < 0 {
			t.Errorf("%s: table %s %d with the key %s and columns %v", tt.recipe, d.Name, d.Year, d.Keys[0], d.Columns)
			continue
		}
		if v := d.Values[c]; tt.category != "" && v.Texts[0] != tt.category || tt.category == "" && v.Numbers[0] != tt.number {
			t.Errorf("%s: %s is %+v", tt.recipe, tt.column, v)
		}
		if tt.recipe == "qoz2018" && d.Columns[c].Absent != "not listed" {
			t.Errorf("%s: absent %q", tt.recipe, d.Columns[c].Absent)
		}
	}
	if len(owntables.Recipes()) != 5 {
		t.Errorf("recipes %v", owntables.Recipes())
	}
}

// TestTables reads years of a column, states by their letters and refused rows.
func TestTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "states.csv")
	if err := os.WriteFile(path, []byte("state,year,homes\nca,2021,\"1,000\"\n6,2022,2000\n36,2022,1e300\nXX,2022,1\nCA,2022,5\nCA,x,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := owntables.ParseTable("homes=" + path + ",key=state,year=year,count=homes,missing=-1")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := read(t, r)
	if err != nil || len(tables) != 2 {
		t.Fatalf("%d tables, error %v", len(tables), err)
	}
	for i, want := range []float64{1000, 2000} {
		if d := tables[i]; d.Year != 2021+i || len(d.Keys) != 1+i || d.Keys[0] != "06" || d.Values[0].Numbers[0] != want {
			t.Errorf("table %d: %+v", i, d)
		}
	}
	if huge := tables[1].Values[0].Numbers[1]; !math.IsNaN(huge) {
		t.Errorf("a number above the bound is %v", huge)
	}
	r.Count = []string{"none"}
	closed := false
	b := plan.New(nil)
	b.Add(&fetch.File{Source: fetch.Source{ID: catalog.OwnTables, Optional: true}, Path: path})
	b.Give(&draft.States{}, &draft.Output{}, &owntables.Requests{List: []owntables.Request{r}, Open: func(string) ([]string, iter.Seq2[[]string, error], error) {
		return []string{"state"}, func(yield func([]string, error) bool) {
			defer func() { closed = true }()
			yield([]string{"CA"}, nil)
		}, nil
	}})
	if err := b.Run(t.Context(), []plan.Step{owntables.Added()}); err == nil || !closed {
		t.Errorf("a table without a column: error %v, closed %v", err, closed)
	}
}
