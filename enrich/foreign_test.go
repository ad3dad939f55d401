package enrich_test

import (
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

func TestPlainCode(t *testing.T) {
	for _, tt := range []struct{ text, code, reason string }{
		{`="00501"`, "00501", enrich.CodeRepaired},
		{`=00501`, "00501", enrich.CodeRepaired},
		{`="M5V 3L9"`, "M5V 3L9", enrich.CodeRepaired},
		{"'02139", "02139", enrich.CodeRepaired},
		{"90210.0", "90210", enrich.CodeRepaired},
		{"902101234.00", "902101234", enrich.CodeRepaired},
		{"9.0210E+04", "90210", enrich.CodeRepaired},
		{"9.021e+04", "90210", enrich.CodeRounded},
		{"9E+04", "90000", enrich.CodeRounded},
		{"5.01E+02", "501", enrich.CodeRepaired}, // without leading zeros
		{"9.02101234E+08", "902101234", enrich.CodeRepaired},
		{"14.3S 170.7W", "-14.3,-170.7", enrich.CodeRepaired},
		{"-14.3 -170.7", "-14.3,-170.7", enrich.CodeRepaired},
	} {
		if code, reason := enrich.PlainCode(tt.text); code != tt.code || reason != tt.reason {
			t.Errorf("%q is %q, %q; want %q, %q", tt.text, code, reason, tt.code, tt.reason)
		}
	}
	for _, text := range []string{
		"90210", "", "=", "'", "2139", "2139.0", "90210.5", "90210.", "9.02101E+04", "9.021E-04", "9.021E+99", "90.21E+03", "E+04", "0.1E+04", "9.0x1E+04",
	} {
		if code, reason := enrich.PlainCode(text); code != "" || reason != "" {
			t.Errorf("%q is %q, %q; want nothing", text, code, reason)
		}
	}
}
