package acs_test

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/store"
)

// incomes are households by income, with the same margin each.
func incomes(moe float64, counts ...float64) []acs.Bracket {
	limits := []float64{2_500, 10_000, 25_000, 50_000, 100_000, math.Inf(1)}
	list := make([]acs.Bracket, len(counts))
	for i, n := range counts {
		list[i] = acs.Bracket{Low: limits[i], High: limits[i+1], OpenBelow: i == 0, Count: acs.Estimate{Value: n, MOE: moe}}
	}
	return list
}

func TestMedianOfBrackets(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name     string
		brackets []acs.Bracket
		want     float64
		mark     store.ACSMark
	}{
		{"in the middle", incomes(0, 10, 10, 20, 10, 10), 37_500, store.ACSNumber},
		{"at an edge", incomes(0, 10, 20, 10, 10, 10), 25_000, store.ACSNumber},
		{"in the highest", incomes(0, 1, 1, 1, 1, 10), 100_000, store.ACSAtLeast},
		{"in the lowest", incomes(0, 10, 1, 1, 1, 1), 10_000, store.ACSAtMost},
		{"nobody", incomes(0, 0, 0, 0, 0, 0), nan, store.ACSNotApplicable},
		{"no brackets", nil, nan, store.ACSNotApplicable},
		{"empty brackets", incomes(0, 0, 10, 0, 10, 0), 25_000, store.ACSNumber},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, mark := acs.MedianOfBrackets(tt.brackets, nan)
			if mark != tt.mark || math.IsNaN(got.Value) != math.IsNaN(tt.want) || math.Abs(got.Value-tt.want) > 1e-6 {
				t.Errorf("%v (%d), want %v (%d)", got, mark, tt.want, tt.mark)
			}
			if mark == store.ACSNumber && got.MOE != 0 {
				t.Errorf("without errors of counts the margin is %v", got.MOE)
			}
		})
	}
}

func TestMarginOfMedian(t *testing.T) {
	brackets := incomes(0, 100, 100, 200, 100, 100)
	for i := range brackets {
		brackets[i].Count.MOE = 16.45
	}
	// Below 50,000 are 400 of 600 with a margin of 16.45·√3, of whom all have
	// no error: the standard error of the share is 10·√3/600, which is
	// 10·√3/200 of the bracket's 25,000 to either side.
	got, _ := acs.MedianOfBrackets(brackets, 0)
	near(t, "margin", got.MOE, 1.645*25_000*10*math.Sqrt(3)/200, 1e-6)

	wide := slices.Clone(brackets)
	for i := range wide {
		wide[i].Count.MOE = 500
	}
	if got, mark := acs.MedianOfBrackets(wide, 0); mark != store.ACSNumber || !math.IsNaN(got.MOE) {
		t.Errorf("reaching into open brackets the margin is %v", got.MOE)
	}
	brackets[1].Count.MOE = math.NaN()
	if got, _ := acs.MedianOfBrackets(brackets, 0); !math.IsNaN(got.MOE) {
		t.Errorf("with an unknown margin it is %v", got.MOE)
	}
}

// TestMedianOfCalifornia checks medians of brackets against those that the
// Census Bureau published in the same rows: California, and its school
// districts, in 2022.
func TestMedianOfCalifornia(t *testing.T) {
	const file = "../../shared/data/acs/values/other/2022_CA_schooldist_DP03.csv.gz"
	in, err := os.Open(file)
	if err != nil {
		t.Skip("the published tables are not at hand")
	}
	defer in.Close()
	unzipped, err := gzip.NewReader(in)
	check(t, err)
	rows, err := csv.NewReader(unzipped).ReadAll()
	check(t, err)
	at := map[string]int{}
	for i, h := range rows[0] {
		at[h] = i
	}
	fields := acs.Fields(acs.Query{Section: "income"})
	number := func(row []string, f *acs.Field) (acs.Estimate, bool) {
		e, err := strconv.ParseFloat(row[at[f.Column(2022)]], 64)
		m, err2 := strconv.ParseFloat(row[at[strings.TrimSuffix(f.Column(2022), "E")+"M"]], 64)
		return acs.Estimate{Value: e, MOE: m}, err == nil && err2 == nil
	}
	limits := []float64{2_500, 10_000, 15_000, 25_000, 35_000, 50_000, 75_000, 100_000, 150_000, 200_000, math.Inf(1)}
	for _, of := range []struct{ prefix, median, universe string }{
		{"households_", "median_household_income", "total_households"}, {"families_", "median_family_income", "families"},
	} {
		median, _ := acs.FieldByKey("economic.income." + of.median)
		universe, _ := acs.FieldByKey("economic.income." + of.universe)
		var list []float64
		for _, row := range rows[2:] {
			var brackets []acs.Bracket
			for _, f := range fields {
				if !strings.HasPrefix(f.Name, of.prefix) || f.Number(2022) == 0 {
					continue
				}
				n, ok := number(row, f)
				if i := len(brackets); ok {
					brackets = append(brackets, acs.Bracket{Low: limits[i], High: limits[i+1], OpenBelow: i == 0, Count: n})
				}
			}
			want, known := number(row, median)
			all, _ := number(row, universe)
			if len(brackets) != 10 || !known {
				continue
			}
			got, mark := acs.MedianOfBrackets(brackets, all.MOE)
			if row[0] == "0400000US06" && (mark != store.ACSNumber || math.Abs(got.Value/want.Value-1) > 0.01) {
				t.Errorf("the median of California is %v, published %v", got, want)
			}
			if mark == store.ACSNumber && all.Value > 1000 {
				list = append(list, math.Abs(got.Value/want.Value-1))
			}
		}
		slices.Sort(list)
		if len(list) < 500 || list[len(list)/2] > 0.03 {
			t.Errorf("%s of %d districts: off by %.3f in the median", of.median, len(list), list[len(list)/2])
		}
	}
}

func ExampleMedianOfBrackets() {
	ages := []acs.Bracket{
		{Low: 0, High: 20, Count: acs.Estimate{Value: 250, MOE: 30}},
		{Low: 20, High: 45, Count: acs.Estimate{Value: 400, MOE: 40}},
		{Low: 45, High: 65, Count: acs.Estimate{Value: 250, MOE: 30}},
		{Low: 65, High: math.Inf(1), Count: acs.Estimate{Value: 100, MOE: 20}},
	}
	median, _ := acs.MedianOfBrackets(ages, math.NaN())
	fmt.Printf("%.1f ± %.1f\n", median.Value, median.MOE)
	// Output: 35.6 ± 1.9
}
