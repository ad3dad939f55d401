package survey_test

import (
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/survey"
)

func TestRows(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	fields := []string{"economic.income.median_household_income", "economic.poverty.people", "economic.health_insurance.under_19_uninsured"}
	lines, err := db.ACSSeries(t.Context(), []string{"90210", "10001"}, fields, acs.SeriesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for layout, want := range map[bool][2]int{false: {1 + 2*3*14, 20}, true: {1 + 2*3, 2 + 14*4}} {
		rows := survey.Rows(lines, layout)
		if len(rows) != want[0] || len(rows[0]) != want[1] {
			t.Errorf("%d rows of %d cells, want %v", len(rows), len(rows[0]), want)
		}
	}
	wide := survey.Rows(lines[:1], true)
	if len(wide[0]) != 2+2*14 || wide[0][2] != "2011_est" || wide[1][0] != "90210" {
		t.Errorf("a median has the columns %q", wide[0])
	}
	long := survey.Rows(lines, false)
	income, poverty, uninsured := long[1], long[1+14], long[1+2*14]
	if income[6] == "" || income[8] != "" || poverty[6] != "" || poverty[8] == "" || poverty[10] != "" || uninsured[4] != "not served" || uninsured[6] != "" {
		t.Errorf("%q\n%q\n%q", income, poverty, uninsured)
	}
	if none := survey.Rows(nil, true); len(none) != 1 || len(none[0]) != 2 {
		t.Errorf("no lines: %q", none)
	}
}
