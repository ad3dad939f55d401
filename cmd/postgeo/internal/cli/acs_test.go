package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

const (
	income  = "economic.income.median_household_income"
	poverty = "economic.poverty.people"
	males   = "demographic.sex_and_age.male"
)

// rows runs a command that writes comma separated values.
func rows(t *testing.T, args ...string) []map[string]string {
	t.Helper()
	r := world{}.run(append(args, "--format", "csv")...)
	all, err := csv.NewReader(strings.NewReader(r.stdout)).ReadAll()
	if err != nil || len(all) == 0 || r.code != 0 {
		t.Fatalf("%q: %v, %v", args, r, err)
	}
	var list []map[string]string
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, h := range all[0] {
			row[h] = cells[i]
		}
		list = append(list, row)
	}
	return list
}

// TestAcsSeries holds that rows, the library's own CSV and JSON tell the same.
func TestAcsSeries(t *testing.T) {
	db := sampletest.Open(t)
	fields := []string{income, poverty}
	lines, err := db.ACSSeries(t.Context(), []string{"90210", "10001"}, fields, acs.SeriesOptions{FigureOptions: acs.FigureOptions{Dollars: acs.NewestDollars}})
	check(t, err)
	args := []string{"acs", "series", "90210", "-", "--field", income, "--field", poverty, "--dollars", "newest"}
	got := world{stdin: "10001\n"}.run(append(args, "--format", "csv")...)
	table, err := csv.NewReader(strings.NewReader(got.stdout)).ReadAll()
	if err != nil || len(table) != 1+2*2*14 {
		t.Fatalf("%d rows, %v: %v", len(table), err, got.stderr)
	}
	for i, cells := range table[1:] {
		l := &lines[i/14]
		f := &l.Points[i%14]
		value := func(v acs.Value) string {
			text, _ := v.MarshalJSON()
			return strings.Replace(string(text), "null", "", 1)
		}
		want := []string{l.Area, f.Field, strconv.Itoa(f.Year), f.Vintage, string(f.Status), f.Column, value(f.Estimate), value(f.MOE)}
		if diff := cmp.Diff(want, cells[:len(want)]); diff != "" || len(cells) != 20 {
			t.Errorf("row %d (-library +command):\n%s", i, diff)
		}
	}
	shown := world{terminal: true}.run("acs", "series", "90210", "--field", income)
	if head, _, _ := strings.Cut(shown.stdout, "\n"); !strings.HasPrefix(head, "AREA   YEAR  ESTIMATE  ± MOE  CV %") || !strings.Contains(shown.stderr, "2010 census") {
		t.Errorf("%v", shown)
	}
	tract := rows(t, "acs", "series", "53033008101", "--field", income, "--year", "2024")
	if len(tract) != 1 || tract[0]["year"] != "2024" {
		t.Errorf("a tract: %v", tract)
	}
}

func TestAcsAggregate(t *testing.T) {
	polygon := filepath.Join(t.TempDir(), "seattle.geojson")
	text := `{"type":"Polygon","coordinates":[[[-122.5,47.4],[-122.2,47.4],[-122.2,47.8],[-122.5,47.8],[-122.5,47.4]]]}`
	check(t, os.WriteFile(polygon, []byte(text), 0o600))
	one := rows(t, "acs", "aggregate", "--codes", "98101", "--field", income)
	series := rows(t, "acs", "series", "98101", "--field", income, "--year", "2024")
	if diff := cmp.Diff(series, one); diff != "" {
		t.Errorf("one area (-series +aggregate):\n%s", diff)
	}
	inside := rows(t, "acs", "aggregate", "--polygon", polygon, "--field", males, "--field", income, "--year", "2011,2024")
	if len(inside) != 4 || inside[0]["area"] != "polygon" || inside[0]["moe_basis"] != "upper_bound" || inside[0]["est"] == "" {
		t.Errorf("%v", inside)
	}
	whole := rows(t, "acs", "aggregate", "--polygon", polygon, "--mode", "centroid", "--field", males)
	if whole[0]["moe_basis"] != "sum" || whole[0]["areas_with_data"] == "0" || whole[0]["population_covered_pct"] == "" {
		t.Errorf("%v", whole)
	}
	people := world{terminal: true}.run("acs", "aggregate", "--around", "98101", "--radius", "5", "--field", males)
	if !strings.Contains(people.stderr, "areas have figures") || !strings.Contains(people.stdout, "± MOE") {
		t.Errorf("%v", people)
	}
}

func TestAcsCompare(t *testing.T) {
	r := world{}.run("acs", "compare", "90210", "10001", "--field", income, "--format", "json")
	var c struct {
		Difference *float64 `json:"difference"`
		Z          float64  `json:"z"`
		At90       *bool    `json:"significant_90"`
		A, B       struct{ Est, Year float64 }
	}
	if err := json.Unmarshal([]byte(r.stdout), &c); err != nil || c.Difference == nil || c.At90 == nil || *c.Difference != c.B.Est-c.A.Est || c.A.Year != 2024 || (c.Z > 0) != (*c.Difference > 0) {
		t.Errorf("%v: %+v, %v", r, c, err)
	}
	years := world{terminal: true}.run("acs", "compare", "90210", "--field", income, "--year", "2021", "--year", "2024", "--dollars", "newest")
	if years.code != 0 || !strings.Contains(years.stderr, "have years in common") || !strings.Contains(years.stdout, "B - A") {
		t.Errorf("%v", years)
	}
	percent := rows(t, "acs", "compare", "90210", "10001", "--field", males, "--pct")
	if percent[0]["percent"] != "true" || percent[0]["difference_moe"] == "" {
		t.Errorf("%v", percent)
	}
}

func TestAcsProfile(t *testing.T) {
	block := world{}.run("acs", "profile", "90210", "--profile", "economic", "--year", "2015", "--format", "json")
	lookup := world{}.run("lookup", "90210", "--include", "acs_economic_2015", "--format", "json")
	var a map[string]json.RawMessage
	var b struct{ ACS map[string]json.RawMessage }
	if err := errors.Join(json.Unmarshal([]byte(block.stdout), &a), json.Unmarshal([]byte(lookup.stdout), &b)); err != nil {
		t.Fatalf("%v: %v", err, block)
	}
	if diff := cmp.Diff(string(b.ACS["2015"]), string(a["2015"])); diff != "" || len(a) != 1 {
		t.Errorf("the block (-lookup +profile):\n%s", diff)
	}
	table := world{terminal: true}.run("acs", "profile", "90210")
	if n := strings.Count(table.stdout, "\n"); table.code != 0 || n < 400 || !strings.Contains(table.stdout, income) {
		t.Errorf("%d rows, exit code %d, %s", n, table.code, table.stderr)
	}
}

// yearAfter writes the embedded dataset with one more year of the economic and
// housing profiles, which repeats the newest, and returns its path.
func yearAfter(t *testing.T) string {
	t.Helper()
	must := lookuptest.Must(t)
	base := lookuptest.Sample(t)
	path := filepath.Join(t.TempDir(), "after.db")
	e, err := storewrite.Extend(path, base)
	must(err)
	for k := range base.ACSTables() {
		old := &base.ACSTables()[k]
		years := []int{old.Year}
		if old.Year == acs.LastYear && (old.Name == acs.Economic.Table() || old.Name == acs.Housing.Table()) {
			years = append(years, old.Year+1)
		}
		geoids := base.ACSGEOIDs(old.Level)
		all := make([]uint32, len(geoids))
		for i := range all {
			all[i] = uint32(i)
		}
		for _, year := range years {
			table := *old
			table.Year = year
			id, err := e.AddACSTable(table)
			must(err)
			cells := make([]store.ACSCell, len(table.Columns))
			must(base.ACSRows(t.Context(), old, all, func(i int, r *store.ACSRow) error {
				if err := r.Cells(cells); err != nil {
					return err
				}
				return e.AddACSRow(id, geoids[i], cells)
			}))
		}
	}
	must(e.Finish(dataset.Manifest{Version: "after", Sample: true}))
	return path
}

// TestYearsFollowTheDataset asks for a year that the contract does not name, of
// a dataset that has it and of one that has not.
func TestYearsFollowTheDataset(t *testing.T) {
	path := yearAfter(t)
	for _, args := range []string{
		"radius 98101 --max 3 -i acs_housing_2025,acs_housing_2024", "address 350+5th+Ave,+10118 -i acs_tract_housing_2025,acs_tract_housing_2024",
		"lookup 98101 -i acs_housing_2025,acs_housing_2024",
	} {
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "+", " ")
		}
		words = append(words, "--format", "json")
		r := world{}.run(append(words, "--data", path)...)
		if r.code != cli.Done || !regexp.MustCompile(`"current":\{[^{}]*"year":2025\b.*"2024":\{[^{}]*"year":2024\b`).MatchString(r.stdout) {
			t.Errorf("%s: %.500s", args, r)
		}
		r = world{}.run(words...) // of the embedded dataset
		if r.code != cli.Misuse || !strings.Contains(r.stderr, "_housing_2025") {
			t.Errorf("%s without the year: exit %d: %s", args, r.code, r.stderr)
		}
	}
}

// TestInfoOfSurvey shows the many files of the survey as one line to people, and each of
// them to programs.
func TestInfoOfSurvey(t *testing.T) {
	count := func(text, begin string) (n int) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, begin) && !strings.HasPrefix(line, begin+"-b") { // not the summary file
				n++
			}
		}
		return n
	}
	page, each := world{terminal: true}.run("dataset", "info"), world{}.run("dataset", "info", "-f", "csv")
	if count(page.stdout, "acs") != 1 || !strings.Contains(page.stdout, "files)") || count(each.stdout, "acs") < 56 {
		t.Errorf("%d lines of a table, %d of CSV", count(page.stdout, "acs"), count(each.stdout, "acs"))
	}
}
