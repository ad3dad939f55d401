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

// TestRepairs checks codes that a person repairs at sight, cells without a value, and
// the family that messages name.
func TestRepairs(t *testing.T) {
	e, err := enrich.New(sampletest.Open(t), enrich.Options{Kind: enrich.Code, RestoreZeros: true, Add: []string{"code"}})
	check(t, err)
	for key, want := range map[string]string{
		"90210-": "90210 CODE_REPAIRED", "US-90210": "90210 CODE_REPAIRED", "USA 90210": "90210 CODE_REPAIRED", "CA 90210": "90210 CODE_REPAIRED", "ZIP: 90210": "90210 CODE_REPAIRED",
		"Zip Code 90210": "90210 CODE_REPAIRED", "90210 USA": "90210 CODE_REPAIRED", "90210, USA": "90210 CODE_REPAIRED", "90210, United States": "90210 CODE_REPAIRED",
		"K1A 0B1 CANADA": "K1A 0B1 CODE_REPAIRED", "k1a0b1, ca": "K1A 0B1 CODE_REPAIRED", "\u200b90210": "90210 CODE_REPAIRED", "\ufeff90210\u200e": "90210 CODE_REPAIRED", "US-601": "00601 CODE_REPAIRED; ZEROS_RESTORED",
		"601-1234": "VALIDATION_INVALID_ZIP", "0601-1234": "00601 CODE_REPAIRED", "(34.09, -118.40)": "90210 CODE_REPAIRED", "POINT (-118.4 34.1)": "90210 CODE_REPAIRED", "point(-118.4 34.1)": "90210 CODE_REPAIRED",
		"90210\u2014": "90210 CODE_REPAIRED", "90210;": "90210 CODE_REPAIRED", `"90210"`: "90210 CODE_REPAIRED", "34.09 -118.40": "90210 CODE_REPAIRED",
		"34.09; -118.40": "90210 CODE_REPAIRED", "34.09N, 118.40W": "90210 CODE_REPAIRED", "34.09° N 118.40° W": "90210 CODE_REPAIRED", "90210 1234": "90210 FALLBACK_USED",
		"MA 90210": "VALIDATION_INVALID_ZIP", "D-90210": "VALIDATION_INVALID_ZIP", "34.09 N": "VALIDATION_INVALID_ZIP",
		"N/A": "empty", "NULL": "empty", "-": "empty", "\u2014": "empty", "n/a": "empty", "#N/A": "empty", "none": "empty",
		"O2134": "VALIDATION_INVALID_ZIP letter", "9O21O": "VALIDATION_INVALID_ZIP letter", "90210, Boston": "VALIDATION_INVALID_ZIP", "99.5,200": "VALIDATION_INVALID_COORDINATES", "99.12345,200": "VALIDATION_INVALID_COORDINATES", "K1A OB1": "VALIDATION_INVALID_POSTAL",
		"CANADA": "VALIDATION_INVALID_POSTAL", "US": "VALIDATION_INVALID_FSA", "()": "VALIDATION_INVALID_ZIP",
	} {
		values, out, err := e.Row(t.Context(), key, nil)
		check(t, err)
		got := strings.TrimSpace(values[0].String() + " " + out.Reason)
		switch out.Status {
		case enrich.Empty:
			got = "empty"
		case enrich.Invalid:
			code, message, _ := strings.Cut(out.Reason, ":")
			if got = code; strings.Contains(message, "letter in place of a digit") {
				got += " letter"
			}
		case enrich.Fallback:
			got = strings.TrimSuffix(got, "; FALLBACK_USED")
		}
		if got != want {
			t.Errorf("%q: %q, want %q (%v)", key, got, want, out)
		}
	}
}

// TestNoData checks that a row without a value of the fields is not matched.
func TestNoData(t *testing.T) {
	db := sampletest.Open(t)
	checkRows(t, db, enrich.Options{Kind: enrich.Code, Add: []string{"location.lat"}}, map[string][]string{
		"90210": {"matched", "34.094589", ""}, "09012": {"no_data", "", ""}, "99999": {"not_found", "", "NOT_FOUND_ZIP"},
	})
	checkRows(t, db, enrich.Options{Kind: enrich.Code}, map[string][]string{"09012": {"matched", ""}})
}

// TestOutsideCodes checks that points outside all codes keep county, state, district and
// time zone (D73).
func TestOutsideCodes(t *testing.T) {
	path := lookuptest.NationalPath(t)
	db := sampletest.File(t, path)
	const reason = "NOT_FOUND_COORDS_NO_BOUNDARY"
	checkRows(t, db, enrich.Options{Kind: enrich.Coordinates, Add: []string{"county_fips", "state", "timezone.iana_name"}}, map[string][]string{
		"40.6892,-74.0445":  {"matched", "36061", "NY", "America/New_York", reason},    // Statue of Liberty
		"44.4605,-110.8281": {"matched", "56039", "WY", "America/Denver", reason},      // Old Faithful
		"37.8199,-122.4783": {"matched", "", "", "America/Los_Angeles", reason},        // Golden Gate
		"41.8917,-87.6":     {"matched", "", "", "America/Chicago", reason},            // Navy Pier, outside the county's outline
		"63.07,-151":        {"matched", "02068", "AK", "America/Anchorage", reason},   // Denali
		"39.1,-120.03":      {"matched", "06061", "CA", "America/Los_Angeles", reason}, // Lake Tahoe
		"43,-87":            {"matched", "", "", "America/Detroit", reason},            // Lake Michigan
		"48,-88.9":          {"matched", "26083", "MI", "America/Detroit", reason},     // Isle Royale
		"43.08,-79.07":      {"matched", "36063", "NY", "America/New_York", ""},        // Niagara, in a ZIP Code at the border
		"49.3,-95":          {"matched", "27077", "MN", "America/Chicago", reason},     // Northwest Angle
		"35,-60":            {"matched", "", "", "Etc/GMT+4", reason},                  // Atlantic
	})
	checkRows(t, db, enrich.Options{Kind: enrich.Coordinates, Add: []string{"county_fips", "congressional_district.primary.geoid"}}, map[string][]string{
		"40.6892,-74.0445": {"matched", "36061", "3610", reason},
		"24.628,-82.873":   {"matched", "12087", "1228", reason}, // Dry Tortugas
	})
	checkRows(t, db, enrich.Options{Kind: enrich.Coordinates, Add: []string{"city"}}, map[string][]string{
		"40.6892,-74.0445": {"no_data", "", reason}, "37.8199,-122.4783": {"not_found", "", reason},
	})
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

// TestKindsOptions checks what further kinds allow and refuse.
func TestKindsOptions(t *testing.T) {
	db := sampletest.Open(t)
	for _, tt := range []struct {
		opt  enrich.Options
		want string // in the error
	}{
		{enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{enrich.Address}, Add: []string{"address.confidence", "city"}}, ""},
		{enrich.Options{Kind: enrich.City, Kinds: []enrich.Kind{enrich.Code}, Add: []string{"city", "geocode.city"}}, ""},
		{enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{enrich.Coordinates}, Add: []string{"address.confidence"}}, "requires addresses"},
		{enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{"x"}}, `kind "x"`},
	} {
		_, err := enrich.New(db, tt.opt)
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("New(%v, %v, %q): %v, want %q", tt.opt.Kind, tt.opt.Kinds, tt.opt.Add, err, tt.want)
		}
	}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code})
	check(t, err)
	if _, _, err := e.RowBy(t.Context(), []enrich.Key{{Kind: enrich.City, Text: "Boston"}}, nil); err == nil || !strings.Contains(err.Error(), "Options.Kinds") {
		t.Errorf("RowBy of another kind: %v", err)
	}
}

// TestZIP3 adds the first three digits of US codes (decision D82).
func TestZIP3(t *testing.T) {
	checkRows(t, sampletest.Open(t), enrich.Options{Kind: enrich.Code, Add: []string{"zip3.code", "zip3.safe_harbor"}}, map[string][]string{
		"90210": {"matched", "902", "902", ""}, "00601": {"matched", "006", "006", ""}, "10118": {"matched", "101", "000", ""},
		"K1A": {"no_data", "", "", ""}, "34.09,-118.41": {"matched", "902", "902", ""},
	})
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
