package lookup_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
)

var update = flag.Bool("update", false, "write the golden files of testdata again")

func newReader(tb testing.TB) *lookup.Reader {
	tb.Helper()
	return lookuptest.Reader(tb, lookuptest.Dataset(tb))
}

func TestGoldenRecords(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct{ file, code, include string }{
		{"zip", "90210", ""},
		{"zip_timezone", "90210", "timezone"},
		{"zip_unavailable", "90210", "timezone,census,cd,state_leg,school_district,demographics,medicare,acs_social,acs_housing_2019"},
		{"zip_families", "90210", "census,cd,state_leg,school_district"},
		{"zip_families_elsewhere", "10001", "census,cd,state_leg,school_district"},
		{"zip_families_of_boxes", "90209", "census,cd,state_leg,school_district"},
		{"zip_families_delegate", "96910", "cd"},
		{"coordinates_families", "34.09,-118.41", "census,cd,state_leg,school_district"},
		{"fsa_families", "K1A", "census,cd,state_leg,school_district"},
		{"fsa_families_nowhere", "A1C", "census,cd"},
		{"fsa_families_without_area", "H0H", "census,cd"},
		{"postal_families", "K1A 0B1", "census,cd,demographics,medicare"},
		{"coordinates_families_in_canada", "45.4,-75.65", "census,cd"},
		{"zip_legacy", "90210", "demographics,medicare"},
		{"zip_legacy_in_two_counties", "00601", "demographics,medicare"},
		{"zip_legacy_of_boxes", "90209", "demographics,medicare"},
		{"zip_puerto_rico", "00601", "timezone"},
		{"zip_guam", " 96910 ", "timezone"},
		{"zip_military", "09012", "timezone"},
		{"zip_unique", "20500", ""},
		{"zip_pobox", "90209", ""},
		{"zip4", "902101234", "timezone"},
		{"zip4_unit", "90210-1235", ""},
		{"zip4_box", "90210-9002", ""},
		{"zip4_box_with_zeros", "90210-0145", ""},
		{"zip4_general_delivery", "90210-9998", ""},
		{"zip4_unknown", "90210-9999", ""},
		{"zip4_without_records", "10001-0001", ""},
		{"fsa", "k1a", "timezone"},
		{"fsa_half_hour", "A1C", "timezone"},
		{"fsa_without_point", "H0H", "timezone"},
		{"postal", "k1a0b1", "timezone,cd"},
		{"postal_without_fsa", "N9A 1A1", ""},
		{"postal_fallback", "k1a9z9", "timezone"},
		{"coordinates", "34.1, -118.41", "timezone"},
		{"coordinates_in_canada", "45.4,-75.7", "timezone"},
	} {
		t.Run(c.file, func(t *testing.T) {
			opt, unknown := lookup.ParseOptions([]string{c.include})
			if unknown != nil {
				t.Fatalf("unknown flags %v", unknown)
			}
			if c.file != "zip4_unknown" && !strings.Contains(c.file, "families") && !strings.Contains(c.file, "legacy") {
				quick, err := r.Quick(t.Context(), c.code, lookup.QuickOptions{Timezone: opt.Include.Timezone})
				if err != nil {
					t.Fatal(err)
				}
				golden(t, "quick_"+c.file, quick)
			}
			if c.file != "postal_fallback" {
				full, err := r.Full(t.Context(), c.code, opt)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, "full_"+c.file, full)
			}
		})
	}
}

func golden(t *testing.T, name string, v any) {
	t.Helper()
	lookuptest.Golden(t, name, v, *update)
}
