package enrich_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestIsForeign checks the names of countries (D84).
func TestIsForeign(t *testing.T) {
	for _, name := range []string{"", " ", "US", "usa", "U.S.A.", "United States of America", "\u00c9tats-Unis", "CA", "Canada", "CAN", "PR", "Guam", "N/A", "-", "null"} {
		if enrich.IsForeign(name) {
			t.Errorf("%q is foreign", name)
		}
	}
	for _, name := range []string{"DE", "AU", "CH", "Germany", "Mexico", "UK", "M\u00e9xico", "\u4e2d\u56fd", "California"} {
		if !enrich.IsForeign(name) {
			t.Errorf("%q is not foreign", name)
		}
	}
}

// TestMissingFields checks that fields without data in the dataset are refused before
// the first row.
func TestMissingFields(t *testing.T) {
	path := filepath.Join(t.TempDir(), "twin.db")
	check(t, lookuptest.WriteTwin(path, 0))
	db := sampletest.File(t, path)
	for _, path := range []string{"acs.economic.income.median_household_income", "radius.stats.acs.economic.poverty.people", "congressional_district.primary.geoid", "school_district.districts.leaid", "state_legislative.upper.geoid"} {
		if err := enrich.Check(db, []string{path}); err == nil || !strings.Contains(err.Error(), "does not have") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := enrich.Check(db, []string{"city", "county_fips"}); err != nil {
		t.Error(err)
	}
}

// TestOtherKind looks a row up by a kind of key that the options don't have.
func TestOtherKind(t *testing.T) {
	e, err := enrich.New(sampletest.Open(t), enrich.Options{Kind: enrich.Code})
	check(t, err)
	if _, _, err := e.RowBy(t.Context(), []enrich.Key{{Kind: enrich.City, Text: "Boston"}}, nil); err == nil || !strings.Contains(err.Error(), "Options.Kinds") {
		t.Errorf("RowBy of another kind: %v", err)
	}
}

// TestPlainCode reads the cells of testdata/spreadsheets.txt.
func TestPlainCode(t *testing.T) {
	script, err := os.ReadFile("testdata/spreadsheets.txt")
	check(t, err)
	for line := range strings.SplitSeq(strings.TrimSpace(string(script)), "\n") {
		if line[0] != '#' {
			line, _, _ = strings.Cut(line, "    #")
			text, want, _ := strings.Cut(line, " -> ")
			code, reason := enrich.PlainCode(text)
			if got := code + " " + reason; got != want && (got != " " || want != "none") {
				t.Errorf("%q is %q, want %q", text, got, want)
			}
		}
	}
}
