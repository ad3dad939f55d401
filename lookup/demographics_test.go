package lookup_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
)

// addTable adds a table of the survey with the figures of each area, by the
// names of their fields; what is not named is not published.
func addTable(t *testing.T, w *storewrite.Writer, level acs.Level, p acs.Profile, year int, areas map[uint64]map[string]float64) {
	t.Helper()
	layout, _, _ := lookuptest.SurveyTable(level, p, year)
	id, err := w.AddACSTable(layout)
	if err != nil {
		t.Fatal(err)
	}
	for area, figures := range areas {
		cells := make([]store.ACSCell, len(layout.Columns))
		for i, c := range layout.Columns {
			none := store.ACSFigure{Mark: store.ACSTooFewCases}
			cells[i].Estimate, cells[i].MOE = none, none
			if c.Class == store.ACSPercentOnly {
				none := store.ACSFigure{Mark: store.ACSNotApplicable}
				cells[i].Estimate, cells[i].MOE = none, none
			}
			if c.Class != store.ACSPlain {
				cells[i].Percent, cells[i].PercentMOE = none, none
			}
			if v, ok := figures[c.Field]; ok {
				cells[i].Estimate = store.ACSFigure{N: int32(math.Round(v * math.Pow10(int(c.Decimals)))), Mark: store.ACSNumber}
			}
		}
		if err := w.AddACSRow(id, area, cells); err != nil {
			t.Fatal(err)
		}
	}
}

// surveyedReader reads a dataset with the survey of one ZIP and two tracts.
func surveyedReader(t *testing.T) *lookup.Reader {
	t.Helper()
	path := lookuptest.Path(t, func(w *storewrite.Writer) error {
		zcta := func(p acs.Profile, figures map[string]float64) {
			addTable(t, w, acs.ZCTA, p, 2023, map[uint64]map[string]float64{90210: figures})
		}
		addTable(t, w, acs.ZCTA, acs.Demographic, 2022, map[uint64]map[string]float64{
			90210: {"demographic.sex_and_age.total_population": 1}, 10001: {"demographic.sex_and_age.total_population": 2},
		})
		zcta(acs.Demographic, map[string]float64{
			"demographic.sex_and_age.total_population": 20_000, "demographic.sex_and_age.male": 9_500, "demographic.sex_and_age.female": 10_500,
			"demographic.sex_and_age.median_age": 47.3,
		})
		zcta(acs.Social, map[string]float64{
			"social.households.total_households": 8_000, "social.households.average_household_size": 2.49, "social.households.average_family_size": 3.06,
		})
		zcta(acs.Economic, map[string]float64{"economic.income.median_household_income": 190_123})
		addTable(t, w, acs.Tract, acs.Demographic, 2023, map[uint64]map[string]float64{
			6037700600: {"demographic.sex_and_age.total_population": 3_000}, 6037700700: {"demographic.sex_and_age.total_population": 1_000},
		})
		return nil
	})
	return lookuptest.Reader(t, lookuptest.OpenFile(t, path))
}

func TestDemographics(t *testing.T) {
	r := surveyedReader(t)
	for code, want := range map[string]*lookup.Demographics{
		"90210": {
			Population: &lookup.Population{Total: ptr(20_000), Estimate: ptr(21_741), Male: ptr(9_500), Female: ptr(10_500)},
			Age:        &lookup.Age{Median: ptr(47.3)},
			Households: &lookup.Households{Total: ptr(8_000), PersonsPerHome: ptr(2.49), AverageFamilySize: ptr(3.06), MedianIncome: ptr(190_123)},
			Business: &lookup.Business{
				Establishments: 2568, Employees: ptr(33_310), PayrollQ1: ptr(int64(583_253_000)), PayrollAnnual: ptr(int64(2_346_263_000)),
			},
		},
		"00601": {Business: &lookup.Business{Establishments: 2, EmploymentFlag: "A"}},
		"10001": nil, // an older year has it, the newest has not
		"99546": nil,
	} {
		rec := full(t, r, code, lookup.Include{Demographics: true})
		if diff := cmp.Diff(want, rec.Demographics); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
		if told := len(rec.Notices) > 0; told != (want == nil) {
			t.Errorf("%s: notices %v", code, rec.Notices)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestDemographicsDelivered(t *testing.T) {
	r := surveyedReader(t)
	flags := full(t, r, "90210", lookup.Include{Demographics: true}).Delivered()
	if !slices.Equal(flags, []string{"demographics"}) {
		t.Errorf("delivered %v", flags)
	}
}
