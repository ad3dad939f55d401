package enrich_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// answer returns the result of a row as text.
func answer(t *testing.T, e *enrich.Enricher, key string) []string {
	t.Helper()
	values, out, err := e.Row(t.Context(), key, nil)
	if err != nil {
		t.Fatalf("Row(%q): %v", key, err)
	}
	texts := []string{string(out.Status)}
	for _, v := range values {
		texts = append(texts, v.String())
	}
	reason, _, _ := strings.Cut(out.Reason, ":")
	return append(texts, reason)
}

// checkRows holds what keys are given, as answer has it.
func checkRows(t *testing.T, db *postgeo.DB, opt enrich.Options, rows map[string][]string) {
	t.Helper()
	e, err := enrich.New(db, opt)
	check(t, err)
	for key, want := range rows {
		if diff := cmp.Diff(want, answer(t, e, key)); diff != "" {
			t.Errorf("Row(%q) (-want +got):\n%s", key, diff)
		}
	}
}

// TestRow checks what rows of each kind are given.
func TestRow(t *testing.T) {
	db := sampletest.Open(t)
	tests := []struct {
		name string
		opt  enrich.Options
		rows map[string][]string
	}{
		{"probabilities", enrich.Options{Kind: enrich.Code, Add: []string{"likely.cd.geoid", "likely.cd.p", "likely.cd.2.geoid", "likely.county.p"}}, map[string][]string{
			"90210": {"matched", "0636", "0.59", "0632", "1", ""},
			"00501": {"no_data", "", "", "", "", "ENRICHMENT_UNAVAILABLE"},
		}},
		{"probabilities of coordinates", enrich.Options{Kind: enrich.Coordinates, Add: []string{"likely.cd.geoid", "likely.tract.p"}}, map[string][]string{
			"34.09,-118.4": {"matched", "0636", "1", ""},
			"40.75,-73.99": {"matched", "3612", "1", ""},
		}},
		{"probabilities of positions", enrich.Options{Kind: enrich.Address, Add: []string{"geocode.precision", "geocode.likely.cd.geoid", "geocode.likely.tract.p", "likely.cd.p"}}, map[string][]string{
			"455-B N Rexferd Dr, 90210": {"matched", "interpolated", "0636", "0.97", "1", "STREET_CORRECTED"},
		}},
		{"identity", enrich.Options{Kind: enrich.Code, Add: []string{"city", "county_fips", "location.lat", "multi_county", "code_type"}}, map[string][]string{
			"90210":      {"matched", "Beverly Hills", "06037", "34.094589", "false", "ZIP", ""},
			" K1A 0B1 ":  {"matched", "Ottawa", "", "45.3754", "", "Postal", ""},
			"K1A9Z9":     {"fallback", "Ottawa", "", "45.4207", "", "FSA", "FALLBACK_USED"},
			"99999":      {"not_found", "", "", "", "", "", "NOT_FOUND_ZIP"},
			"902":        {"invalid", "", "", "", "", "", "VALIDATION_INVALID_ZIP"},
			"":           {"empty", "", "", "", "", "", ""},
			"34.1,-95,2": {"invalid", "", "", "", "", "", "VALIDATION_INVALID_COORDINATES"},
		}},
		{"restored", enrich.Options{Kind: enrich.Code, RestoreZeros: true, Add: []string{"city", "code"}}, map[string][]string{
			"601":     {"matched", "Adjuntas", "00601", "ZEROS_RESTORED"},
			"601.0":   {"matched", "Adjuntas", "00601", "ZEROS_RESTORED"},
			"90210.0": {"matched", "Beverly Hills", "90210", "CODE_REPAIRED"},
			"90210":   {"matched", "Beverly Hills", "90210", ""},
			"60":      {"invalid", "", "", "VALIDATION_INVALID_ZIP"},
		}},
		{"refused", enrich.Options{Kind: enrich.Code, Add: []string{"code"}}, map[string][]string{
			"601":        {"invalid", "", "VALIDATION_INVALID_ZIP"},
			"601.0":      {"invalid", "", "VALIDATION_INVALID_ZIP"},
			"ZIP: 601":   {"invalid", "", "VALIDATION_INVALID_ZIP"},
			"6.01E+02":   {"invalid", "", "VALIDATION_INVALID_ZIP"},
			"6011234":    {"invalid", "", "VALIDATION_INVALID_ZIP"},
			"2134-1234":  {"invalid", "", "VALIDATION_INVALID_ZIP"},
			"90210.0":    {"matched", "90210", "CODE_REPAIRED"},
			"9.0210E+04": {"matched", "90210", "CODE_REPAIRED"},
		}},
		{"record", enrich.Options{Kind: enrich.Code, Add: []string{
			"town=city", "timezone.iana_name", "timezone.zones.iana_name", "area_codes", "census.county.fips", "census.county.1.name", "elevation.ft",
		}}, map[string][]string{
			"90210": {"matched", "Beverly Hills", "America/Los_Angeles", "America/Los_Angeles", "310; 424", "06037", "Los Angeles County", "775", ""},
		}},
		{"coordinates", enrich.Options{Kind: enrich.Coordinates, Add: []string{"code", "census.county.fips"}}, map[string][]string{
			enrich.JoinCoordinates("34.1", " -118.415"): {"matched", "90210", "06037", ""},
			enrich.JoinCoordinates(" ", ""):             {"empty", "", "", ""},
			enrich.JoinCoordinates("91", "0"):           {"invalid", "", "", "VALIDATION_INVALID_COORDINATES"},
			enrich.JoinCoordinates("34.1", ""):          {"invalid", "", "", "VALIDATION_INVALID_COORDINATES"},
			enrich.JoinCoordinates("0", "0"):            {"not_found", "", "", "NOT_FOUND_COORDS_NO_BOUNDARY"},
			enrich.JoinCoordinates("34.33", "-118.37"):  {"matched", "", "06037", "NOT_FOUND_COORDS_NO_BOUNDARY"}, // a county, but no code of the sample
		}},
		{"radius", enrich.Options{Kind: enrich.Code, Radius: radius.Options{Max: 3}, Add: []string{"city", "radius.summary.us_zip_count"}}, map[string][]string{
			"90210": {"matched", "Beverly Hills", "10", ""},
			"09012": {"matched", "APO", "", "ENRICHMENT_UNAVAILABLE"},
			"99999": {"not_found", "", "", "NOT_FOUND_ZIP"},
		}},
		{"address", enrich.Options{Kind: enrich.Address, Add: []string{"code", "city", "state", "address.address_components.plus4", "address.confidence"}}, map[string][]string{
			enrich.JoinAddress("350 5th ave", "", "new york", "ny", "10118"): {"matched", "10118-8059", "New York", "NY", "8059", "medium", "PARTIAL_MATCH; SECONDARY_NEEDED"},
			"1 Nowhere Lane, New York NY 10118":                              {"not_found", "", "", "", "", "", "NOT_FOUND"},
			"350 5th ave":                                                    {"insufficient", "", "", "", "", "", "INSUFFICIENT_INPUT"},
			"short":                                                          {"invalid", "", "", "", "", "", "VALIDATION_INPUT_TOO_SHORT"},
		}},
		{"position", enrich.Options{Kind: enrich.Address, Add: []string{"geocode.location.lat", "geocode.location.lon", "geocode.precision", "geocode.radius_m", "geocode.census.county.name"}}, map[string][]string{
			"350 5th ave, new york ny 10118":    {"matched", "40.7484", "-73.9857", "point", "15", "New York County", ""},
			"1 Nowhere Lane, New York NY 10118": {"fallback", "40.749", "-73.9865", "zip", "2000", "", "FALLBACK_USED; ENRICHMENT_UNAVAILABLE"},
			"1 Nowhere Lane":                    {"insufficient", "", "", "", "", "", "AMBIGUOUS"},
		}},
		{"districts of today and next", enrich.Options{Kind: enrich.Code, At: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Add: []string{"congressional_district.current.plan.id", "congressional_district.next.plan.id"}}, map[string][]string{
			"78701": {"matched", "cd119", "cd120", ""},
		}},
		{"districts of a day", enrich.Options{Kind: enrich.Code, AsOf: time.Date(2027, 1, 3, 0, 0, 0, 0, time.UTC), Add: []string{"congressional_district.current.plan.id"}}, map[string][]string{
			"78701": {"matched", "cd120", ""},
		}},
		{"position of a match", enrich.Options{Kind: enrich.Address, Add: []string{"code", "geocode.precision"}}, map[string][]string{
			"350 5th ave, new york ny 10118":    {"matched", "10118-8059", "point", "PARTIAL_MATCH; SECONDARY_NEEDED"},
			"1 Nowhere Lane, New York NY 10118": {"not_found", "", "", "NOT_FOUND"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkRows(t, db, tt.opt, tt.rows)
		})
	}
}

// TestFieldsMatchRecords checks figures of the survey and areas against the
// records that they come from.
func TestFieldsMatchRecords(t *testing.T) {
	db := sampletest.Open(t)
	rec, err := db.Lookup(t.Context(), "90210", includeOf(t, "acs_economic,acs_economic_2019,census"))
	check(t, err)
	newest, income := rec.ACS[0], acs.MustField("economic.income.median_household_income")
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{
		"acs.economic.income.median_household_income", "acs.current.economic.income.median_household_income.moe",
		"acs.economic.income.median_household_income.column", "acs.2019.economic.income.median_household_income.est",
		"census.tract.geoid", "census.year", "metro",
	}})
	check(t, err)
	var tracts []string
	for _, tract := range rec.Census.Current.Tract {
		tracts = append(tracts, tract.GEOID)
	}
	want := []string{
		"matched", newest.Metric(income).Estimate.String(), newest.Metric(income).MOE.String(),
		"DP03_0062E", rec.ACS.Year(2019).Metric(income).Estimate.String(),
		strings.Join(tracts, "; "), "2024", `{"region":"West","division":"Pacific","csa":"348","csa_name":"Los Angeles-Long Beach, CA","msa":"31080","msa_name":"Los Angeles-Long Beach-Anaheim, CA","pmsa":"31084","pmsa_name":"Los Angeles-Long Beach-Glendale, CA"}`, "",
	}
	if diff := cmp.Diff(want, answer(t, e, "90210")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func includeOf(t *testing.T, flags string) lookup.Options {
	t.Helper()
	inc, unknown := lookup.ParseOptions([]string{flags})
	if len(unknown) > 0 {
		t.Fatalf("unknown %q", unknown)
	}
	return inc
}

// TestCatalog adds every field of the catalog, for each kind of rows
// that supports it, and checks the types of the values.
func TestCatalog(t *testing.T) {
	db := sampletest.Open(t)
	keys := map[enrich.Kind]string{enrich.Code: "90210", enrich.Coordinates: "34.1,-118.415", enrich.Address: "350 5th Ave, New York NY 10118", enrich.City: "Beverly Hills, CA"}
	stores := placesOf(t, db, enrich.Code, []string{"id"}, []string{"90401", "A"}, []string{"10001", "B"})
	all := enrich.Catalog()
	if len(all) < 1500 {
		t.Errorf("the catalogue has %d fields, fewer than the survey alone", len(all))
	}
	paths := map[string]bool{}
	for _, f := range all {
		if f.About == "" || f.Operation == "" || paths[f.Path] {
			t.Errorf("%+v has no meaning, or is there twice", f)
		}
		paths[f.Path] = true
	}
	for kind, key := range keys {
		var add []string
		for _, f := range all {
			head, _, _ := strings.Cut(f.Path, ".")
			switch head {
			case "address":
				if kind != enrich.Address {
					continue
				}
			case "geocode":
				if kind != enrich.Address && kind != enrich.City {
					continue
				}
			}
			add = append(add, f.Path)
		}
		e, err := enrich.New(db, enrich.Options{
			Kind: kind, Add: add, Radius: radius.Options{Max: 5, Mode: radius.Spatial}, Places: stores, Areas: areasOf(t),
		})
		check(t, err)
		values, out, err := e.Row(t.Context(), key, nil)
		if err != nil || !out.Status.Answered() {
			t.Fatalf("%v: %v, %v", kind, out, err)
		}
		byPath := map[string]enrich.Type{}
		for _, f := range all {
			byPath[f.Path] = f.Type
		}
		filled := 0
		for i, c := range e.Columns() {
			if c.Type != byPath[c.Path] {
				t.Errorf("%s is %v, the catalogue has it as %v", c.Path, c.Type, byPath[c.Path])
			}
			if v := values[i]; !v.IsNull() {
				filled++
				if v.Type() != c.Type {
					t.Errorf("%s is a %v, its column is %v", c.Path, v.Type(), c.Type)
				}
			}
		}
		if filled < 400 {
			t.Errorf("%v: %d of %d fields have values", kind, filled, len(values))
		}
	}
}

// TestUnknownFields refuses paths that nothing has and names what comes near.
func TestUnknownFields(t *testing.T) {
	db := sampletest.Open(t)
	tests := []struct {
		add  string
		kind enrich.Kind
		near string
		text string
	}{
		{"citty", enrich.Code, "city", "unknown field"},
		{"median_household_income", enrich.Code, "acs.economic.income.median_household_income", "unknown field"},
		{"acs.economic.income.median_houshold_income", enrich.Code, "acs.economic.income.median_household_income", ""},
		{"acs.1999.economic.income.median_household_income", enrich.Code, "acs.economic.income.median_household_income", ""},
		{"fips", enrich.Code, "census.county.fips", ""},
		{"zip", enrich.Code, "code", ""},
		{"tz", enrich.Code, "timezone.name", ""},
		{"state.code", enrich.Code, "state", ""},
		{"", enrich.Code, "", "unknown field"},
		{"=city", enrich.Code, "", "no name before ="},
		{"success", enrich.Code, "", "unknown field"},
		{"distance.miles", enrich.Code, "", "unknown field"},
		{"address.confidence", enrich.Code, "", "requires addresses (Address)"},
		{"geocode.precision", enrich.Code, "", "requires addresses (Address)"},
		{"radius.summary.total_count", enrich.Code, "", "requires the radius"},
		{"acs.economic.income.poverty.moe.x", enrich.Code, "", ""},
		{"census.county.0.name", enrich.Code, "", ""},
		{strings.Repeat("a.", 400), enrich.Code, "", ""},
		{"address.dpv_result.dpvv", enrich.Address, "", ""},
	}
	for _, tt := range tests {
		_, err := enrich.New(db, enrich.Options{Kind: tt.kind, Add: []string{tt.add}})
		var bad *enrich.FieldError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%q: error %v, want a FieldError with %q", tt.add, err, tt.text)
			continue
		}
		if tt.near != "" && !slices.Contains(bad.Near, tt.near) {
			t.Errorf("%q: similar are %q, want %s among them", tt.add, bad.Near, tt.near)
		}
	}
	if _, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{"city", "x=city", "x=state"}}); err == nil || !strings.Contains(err.Error(), `column name "x"`) {
		t.Errorf("two columns of one name: %v", err)
	}
	if _, err := enrich.New(db, enrich.Options{Add: []string{"city"}}); err == nil {
		t.Error("no kind was taken")
	}
	if _, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Radius: radius.Options{Max: 900}, Add: []string{"radius.summary.total_count"}}); err == nil {
		t.Error("a radius of 900 miles was taken")
	}
}

// TestRowConcurrently calls one Enricher from several goroutines.
func TestRowConcurrently(t *testing.T) {
	e, err := enrich.New(sampletest.Open(t), enrich.Options{Kind: enrich.Code, Add: []string{"city", "acs.economic.income.median_household_income", "census.county.fips"}})
	check(t, err)
	want := answer(t, e, "90210")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if diff := cmp.Diff(want, answer(t, e, "90210")); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
	all.Wait()
}
