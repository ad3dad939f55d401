package cli_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// TestSeveralCenters searches around the codes of standard input.
func TestSeveralCenters(t *testing.T) {
	r := world{stdin: "14012\n\nnowhere\n14099\n"}.run("radius", "-", "--max", "1", "--data", gridDataset(t), "--columns", "center,code,distance_miles")
	if want := "center,code,distance_miles\n14012,14012,0\nnowhere,,\n14099,14099,0\n"; r.stdout != want || r.code != cli.Failed {
		t.Errorf("%v; want %q", r, want)
	}
	if r := (world{}).run("radius", "90210", "10001", "--max", "1", "-f", "json"); strings.Count(r.stdout, `"search":`) != 2 || r.stdout[0] != '[' {
		t.Error(r)
	}
	if r := (world{}).run("radius", "90210", "10001", "--max", "1", "--svg", "x.svg"); r.code != cli.Misuse {
		t.Error(r)
	}
}

// TestNothingInside fails for polygons without codes, with a hint for swapped coordinates.
func TestNothingInside(t *testing.T) {
	const sea = `{"type":"Polygon","coordinates":[[[-40,30],[-39,30],[-39,31],[-40,30]]]}`
	if r := (world{stdin: sea}).run("inside", "-"); r.code != cli.Failed || !strings.Contains(r.stderr, "no code is inside the polygon") || strings.Contains(r.stderr, "swapped") {
		t.Error(r)
	}
	for _, swapped := range []string{
		`{"type":"Polygon","coordinates":[[[34,-118.5],[34,-118.3],[34.2,-118.3],[34,-118.5]]]}`,
		`{"type":"Polygon","coordinates":[[[40,-74],[40,-73.8],[40.2,-73.8],[40,-74]]]}`,
	} {
		if r := (world{stdin: swapped}).run("inside", "-"); r.code != cli.Failed || !strings.Contains(r.stderr, "seem to be swapped") {
			t.Error(r)
		}
	}
}

// TestFieldColumns chooses fields of enrich as columns of lookup.
func TestFieldColumns(t *testing.T) {
	for _, args := range []string{"90210", "90210 34.09,-118.41"} {
		r := world{}.run(append([]string{"lookup", "--columns", "code,nearest.code,county_fips,census.tract.geoid"}, strings.Fields(args)...)...)
		if !strings.HasPrefix(r.stdout, "code,nearest.code,county_fips,census.tract.geoid\n90210,90210,06037,06037") || strings.Count(r.stdout, "\n") != 1+len(strings.Fields(args)) {
			t.Error(r)
		}
	}
	const meant = "similar: census.metro_micro_cbsa_statistical_area.cbsa_code"
	for _, args := range []string{"lookup 90210 --columns cbsa", "enrich --add cbsa"} {
		if r := (world{stdin: "zip\n90210\n"}).run(strings.Fields(args)...); r.code != cli.Misuse || !strings.Contains(r.stderr, meant) {
			t.Errorf("%s: %v", args, r)
		}
	}
}

// TestFieldWords filters the fields of the survey by arguments.
func TestFieldWords(t *testing.T) {
	all, some := world{}.run("acs", "fields"), world{}.run("acs", "fields", "median", "income")
	if n := strings.Count(some.stdout, "\n"); n == 0 || n >= strings.Count(all.stdout, "\n") {
		t.Error(some)
	}
}

// TestSurveyMissing refuses fields of the survey before it reads a row.
func TestSurveyMissing(t *testing.T) {
	r := world{stdin: "zip\n14012\n"}.run("enrich", "--data", gridDataset(t), "--add", "acs.economic.income.median_household_income")
	if r.code != cli.Misuse || r.stdout != "" || !strings.Contains(r.stderr, "acs.economic.income.median_household_income") {
		t.Error(r)
	}
}

// TestDistanceColumns has chosen columns in a table.
func TestDistanceColumns(t *testing.T) {
	r := world{}.run("distance", "90210", "10001", "-f", "table", "--columns", "from.code,distance.miles")
	if want := "FROM.CODE  DISTANCE.MILES\n90210      2458.91\n"; r.stdout != want {
		t.Errorf("%v; want %q", r, want)
	}
}
