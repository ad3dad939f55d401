package enrich_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestChange checks fields of changes against the comparison that they are of.
func TestChange(t *testing.T) {
	db := sampletest.Open(t)
	const income, poverty = "economic.income.median_household_income", "economic.poverty.families"
	years, err := db.ACSYears(t.Context(), acs.ZCTA)
	if err != nil {
		t.Fatal(err)
	}
	newest := years[0]
	want := func(field string, year int, opt acs.FigureOptions) *acs.Comparison {
		c, err := db.CompareACS(t.Context(), acs.Side{Area: "90210", Year: year}, acs.Side{Area: "90210"}, field, false, opt)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	since, before := want(income, newest-5, acs.FigureOptions{Dollars: acs.NewestDollars}), want(income, 2017, acs.FigureOptions{Dollars: acs.NewestDollars})
	poor := want(poverty, newest-5, acs.FigureOptions{})
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{
		"acs.change." + income, "acs.change." + income + ".difference_moe", "acs.change." + income + ".significant_90", "acs.change." + income + ".z",
		"acs.change.2017." + income + ".change_pct", "acs.change." + poverty + ".difference",
	}})
	if err != nil {
		t.Fatal(err)
	}
	row := []string{
		since.Difference.String(), since.MOE.String(), enrich.BoolValue(since.At90).String(), enrich.FloatValue(since.Z).String(),
		before.Change.String(), poor.Difference.String(),
	}
	none := []string{"", "", "", "", "", ""}
	for key, want := range map[string][]string{
		"90210":         row,
		"34.1,-118.415": row, // lies in it
		"K1A":           none,
		"09012":         none, // has no figures
	} {
		status, reason := "matched", ""
		if want[0] == "" {
			status, reason = "no_data", "ENRICHMENT_UNAVAILABLE"
		}
		if diff := cmp.Diff(append(append([]string{status}, want...), reason), answer(t, e, key)); diff != "" {
			t.Errorf("Row(%q) (-want +got):\n%s", key, diff)
		}
	}
	for _, path := range []string{
		fmt.Sprintf("acs.change.%d.%s", newest, income),
		"acs.change", "acs.change.economic", "acs.change.1999." + income, "acs.change." + income + ".est", "acs.change." + income + ".moe.x",
		"acs.change.current." + income + ".x",
	} {
		var bad *enrich.FieldError
		if _, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{path}}); !errors.As(err, &bad) {
			t.Errorf("%s: error %v, want a FieldError", path, err)
		}
	}
}
