package acs_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/postgeo/postgeo/acs"
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

func ExampleSum() {
	all := acs.Sum(
		acs.Estimate{Value: 135173, MOE: 3860},
		acs.Estimate{Value: 43104, MOE: 2642},
		acs.Estimate{Value: 24842, MOE: 1957},
	)
	fmt.Printf("%.0f ± %.0f\n", all.Value, all.MOE)
	// Output: 203119 ± 5070
}

func ExampleProportion() {
	p := acs.Proportion(acs.Estimate{Value: 203119, MOE: 5070}, acs.Estimate{Value: 630498, MOE: 831})
	fmt.Printf("%.1f %% ± %.1f\n", 100*p.Value, 100*p.MOE)
	// Output: 32.2 % ± 0.8
}
