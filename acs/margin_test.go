package acs_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
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

// The handbook's example: never-married women of three counties, of all women,
// and by never-married men.
var (
	neverMarried = []acs.Estimate{{Value: 135_173, MOE: 3_860}, {Value: 43_104, MOE: 2_642}, {Value: 24_842, MOE: 1_957}}
	women        = acs.Estimate{Value: 630_498, MOE: 831}
	men          = acs.Estimate{Value: 226_840, MOE: 5_556}
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestHandbook(t *testing.T) {
	all := acs.Sum(neverMarried...)
	near(t, "sum", all.Value, 203_119, 0)
	near(t, "its margin", all.MOE, 5_070, 1)
	near(t, "its standard error", all.StandardError(), 3_082, 1)
	near(t, "its coefficient of variation", all.CV(), 1.5, 0.05)
	p := acs.Proportion(all, women)
	near(t, "proportion", p.Value, 0.322, 0.0005)
	near(t, "its margin", p.MOE, 0.008, 0.0005)
	q := acs.Quotient(all, men)
	near(t, "ratio", q.Value, 0.895, 0.0005)
	near(t, "its margin", q.MOE, 0.031, 0.0005)
}

func TestSumOfZeros(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name string
		of   []acs.Estimate
		want float64
	}{
		{"nothing", nil, 0},
		{"a zero", []acs.Estimate{{0, 27}}, 27},
		{"the largest of zeros", []acs.Estimate{{0, 27}, {0, 19}, {0, 22}}, 27},
		{"zeros beside others", []acs.Estimate{{36, 56}, {0, 25}, {0, 28}, {0, 31}}, math.Hypot(56, 31)},
		{"no zeros", []acs.Estimate{{73, 49}, {22, 26}}, math.Hypot(49, 26)},
		{"a controlled estimate", []acs.Estimate{{100, 0}, {22, 26}}, 26},
		{"an unknown margin", []acs.Estimate{{100, nan}, {22, 26}}, nan},
		{"an unknown margin of zero", []acs.Estimate{{0, nan}, {22, 26}}, nan},
		{"a negative estimate", []acs.Estimate{{-5, 3}, {5, 4}}, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := acs.Sum(tt.of...).MOE
			if math.IsNaN(tt.want) != math.IsNaN(got) || math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("the margin is %v, want %v", got, tt.want)
			}
		})
	}
}

func TestProportionWithoutRoot(t *testing.T) {
	part, whole := acs.Estimate{Value: 90, MOE: 10}, acs.Estimate{Value: 100, MOE: 30}
	near(t, "margin", acs.Proportion(part, whole).MOE, acs.Quotient(part, whole).MOE, 0)
	near(t, "margin by hand", acs.Proportion(part, whole).MOE, math.Sqrt(100+0.81*900)/100, 1e-12)
	if p := acs.Proportion(part, acs.Estimate{}); p.Value == p.Value && !math.IsInf(p.Value, 0) {
		t.Errorf("a share of nothing is %v", p)
	}
	near(t, "scaled", acs.Estimate{Value: 4, MOE: 2}.Scale(-0.5).MOE, 1, 0)
	near(t, "difference", acs.Difference(acs.Estimate{Value: 5, MOE: 3}, acs.Estimate{Value: 1, MOE: 4}).MOE, 5, 1e-12)
}

func TestReliability(t *testing.T) {
	for _, tt := range []struct {
		cv   float64
		want string
	}{{0, "high"}, {12, "high"}, {12.1, "medium"}, {40, "medium"}, {40.1, "low"}, {math.Inf(1), "low"}, {math.NaN(), ""}} {
		if got := string(acs.ReliabilityOf(tt.cv)); got != tt.want {
			t.Errorf("%v percent is %q, want %q", tt.cv, got, tt.want)
		}
	}
	if cv := (acs.Estimate{MOE: 12}).CV(); !math.IsNaN(cv) {
		t.Errorf("the coefficient of 0 is %v", cv)
	}
}

func TestPriceFactor(t *testing.T) {
	// Annual averages of the CPI-U, which the retroactive series differs from
	// by little since 2000.
	cpiU := []float64{
		224.939, 229.594, 232.957, 236.736, 237.017, 240.007, 245.120, 251.107, 255.657, 258.811, 270.970, 292.655, 304.702, 313.689,
	}
	for i, from := range cpiU {
		for k, to := range cpiU {
			got, err := acs.PriceFactor(2011+i, 2011+k)
			check(t, err)
			near(t, fmt.Sprintf("factor from %d to %d", 2011+i, 2011+k), got/(to/from), 1, 0.006)
			back, err := acs.PriceFactor(2011+k, 2011+i)
			check(t, err)
			near(t, "there and back", got*back, 1, 1e-12)
		}
	}
	for _, years := range [][2]int{{2010, 2020}, {2020, acs.LastPriceYear + 1}, {0, 2020}} {
		if f, err := acs.PriceFactor(years[0], years[1]); !errors.Is(err, acs.ErrNoPriceIndex) {
			t.Errorf("%v: %v, %v", years, f, err)
		}
	}
	if f, err := acs.PriceFactor(2031, 2031); f != 1 || err != nil {
		t.Errorf("a year in its own dollars: %v, %v", f, err)
	}
}

func TestDollars(t *testing.T) {
	n := 0
	for _, f := range acs.Fields(acs.Query{}) {
		if f.Dollars() {
			n++
			if f.Kind != acs.Median && f.Kind != acs.Mean {
				t.Errorf("%s is a %s of money", f, f.Kind)
			}
		}
	}
	if n != 19 {
		t.Errorf("%d fields are money, want 19", n)
	}
}

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
