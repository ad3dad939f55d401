package acs_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
)

// TestCompareAtLimits compares differences of exactly 1.645, 1.96 and 2.576
// standard errors, which are significant, and of a thousandth less. Margins of
// 987 and 1,316 are 1,645 together, a standard error of 1,000.
func TestCompareAtLimits(t *testing.T) {
	at := func(v, moe int32) acs.Figure {
		return acs.Figure{Field: "demographic.sex_and_age.male", Year: 2024, Estimate: acs.Decimal(v, 0), MOE: acs.Decimal(moe, 0)}
	}
	for difference, want := range map[int32][3]bool{
		1644: {}, 1645: {true}, 1959: {true}, 1960: {true, true}, 2575: {true, true}, 2576: {true, true, true},
	} {
		for _, sign := range []int32{1, -1} {
			c, err := acs.Compare(at(10_000, 987), at(10_000+sign*difference, 1316), false, false)
			check(t, err)
			if got := [3]bool{c.At90, c.At95, c.At99}; got != want || math.Abs(c.Z-float64(sign*difference)/1000) > 0.0051 {
				t.Errorf("%d: z %v, %v, want %v", sign*difference, c.Z, got, want)
			}
		}
	}
	if c, err := acs.Compare(at(0, 0), at(5, 0), false, false); err != nil || !c.At99 || c.Change.IsNumber() {
		t.Errorf("without errors: %+v, %v", c, err)
	}
}

// TestCompareChange checks the change in percent of the first figure.
func TestCompareChange(t *testing.T) {
	at := func(v int32) acs.Figure {
		return acs.Figure{Field: "demographic.sex_and_age.male", Year: 2024, Estimate: acs.Decimal(v, 0), MOE: acs.Decimal(1, 0)}
	}
	for _, tt := range []struct {
		a, b int32
		want acs.Value
	}{
		{200, 250, acs.Decimal(250, 1)},
		{250, 200, acs.Decimal(-200, 1)},
		{-200, -150, acs.Decimal(250, 1)}, // a rise
		{3, 4, acs.Decimal(333, 1)},
		{7, 7, acs.Decimal(0, 1)},
		{0, 7, acs.Null(store.ACSNotApplicable)},
	} {
		c, err := acs.Compare(at(tt.a), at(tt.b), false, false)
		check(t, err)
		if c.Change != tt.want {
			t.Errorf("from %d to %d: %v %%, want %v", tt.a, tt.b, c.Change, tt.want)
		}
	}
}

// TestCompareNotes checks the notes of two years. Samples are of five years each.
// From 2020 on, boundaries follow the census of 2020. Other notes are on the
// table and on the year of the dollars.
func TestCompareNotes(t *testing.T) {
	noted := fieldWithNote(t)
	lookuptest.Table(t, "notes.txt", false, func(row string) string {
		var field string
		var a, b, dollars int
		var same bool
		if _, err := fmt.Sscan(row, &field, &a, &b, &dollars, &same); err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		at := func(year int) acs.Figure {
			return acs.Figure{
				Field: map[string]string{"plain": "demographic.sex_and_age.male", "noted": noted}[field], Year: year, Vintage: acs.Vintage(year),
				Dollars: dollars, Estimate: acs.Decimal(5, 0), MOE: acs.Decimal(1, 0),
			}
		}
		c, err := acs.Compare(at(a), at(b), same, false)
		check(t, err)
		var found []string
		for _, words := range []string{"years in common", "2010 census", "Census Bureau's table", "dollars of 2024"} {
			if slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, words) }) {
				found = append(found, words)
			}
		}
		return cmp.Or(strings.Join(found, "; "), "none")
	})
}

// fieldWithNote returns a field of counts whose tables differ.
func fieldWithNote(t *testing.T) string {
	t.Helper()
	for _, f := range acs.Fields(acs.Query{Kind: acs.Count, Served: true}) {
		if f.Note != "" {
			return f.Key()
		}
	}
	t.Fatal("no field has a note")
	return ""
}

func TestCheckTagsAtLimits(t *testing.T) {
	_, r := sampleReader(t)
	for tag, ok := range map[acs.Tag]bool{
		{Profile: acs.Demographic}:                       true,
		{Profile: acs.Housing}:                           true,
		{Profile: acs.Demographic - 1}:                   false,
		{Profile: acs.Housing + 1}:                       false,
		{Profile: acs.Social, Year: acs.FirstYear}:       true,
		{Profile: acs.Social, Year: acs.LastYear}:        true,
		{Profile: acs.Social, Year: acs.FirstYear - 1}:   false,
		{Profile: acs.Social, Year: acs.LastYear + 1}:    false,
		{Profile: acs.Housing + 1, Year: acs.FirstYear}:  false,
		{Profile: acs.Demographic, Year: 1}:              false,
		{Profile: acs.Demographic, Year: math.MaxUint16}: false,
	} {
		if err := r.CheckTags(acs.ZCTA, []acs.Tag{tag}); (err == nil) != ok || !ok && !errors.Is(err, envelope.ErrInvalidParam) {
			t.Errorf("%+v: %v", tag, err)
		}
	}
}

// TestValuesAtLimits checks the largest number and the most decimals that are read.
func TestValuesAtLimits(t *testing.T) {
	for text, ok := range map[string]bool{"1.234567": true, "1.2345678": false, "2147483647": true, "2147483648": false} {
		var v acs.Value
		if err := v.UnmarshalJSON([]byte(text)); (err == nil) != ok || ok && v.String() != text {
			t.Errorf("%s: %v, %v", text, v, err)
		}
	}
	// A proportion with a root of exactly 0 has no error. The formula of quotients
	// applies only without a real root.
	if p := acs.Proportion(acs.Estimate{Value: 50, MOE: 10}, acs.Estimate{Value: 100, MOE: 20}); p != (acs.Estimate{Value: 0.5}) {
		t.Errorf("a root of 0: %v", p)
	}
}

// socialTable is a table of women and births in invented areas.
func socialTable(t *testing.T, areas map[uint64]map[string]store.ACSFigure) *acs.Reader {
	t.Helper()
	w := lookuptest.Create(t)
	none := store.ACSFigure{Mark: store.ACSNotApplicable}
	geoids := slices.Sorted(maps.Keys(areas))
	addTable(t, w, acs.ZCTA, acs.Social, acs.LastYear, geoids, func(area, _ int, c store.ACSColumn) store.ACSCell {
		cell := store.ACSCell{Estimate: none, MOE: none}
		if f, ok := areas[geoids[area]][c.Field]; ok {
			cell = store.ACSCell{Estimate: f, MOE: store.ACSFigure{N: 1, Mark: store.ACSNumber}}
		}
		if c.Class == store.ACSShare || c.Class == store.ACSPercentOnly {
			cell.Percent, cell.PercentMOE = none, none
		}
		return cell
	})
	return acs.NewReader(w.Open())
}

// TestBirthRate checks births per 1,000 women of several areas. Each area's
// women follow from its births and rate. Areas without births add women in
// proportion to their women of 15 years and over.
func TestBirthRate(t *testing.T) {
	const (
		births = "social.fertility.women_with_birth"
		rate   = "social.fertility.births_per_1000_women_15_to_50"
		women  = "social.marital_status.females_15_plus"
	)
	area := func(b, r, w int32) map[string]store.ACSFigure {
		m := map[string]store.ACSFigure{}
		for key, n := range map[string]int32{births: b, rate: r, women: w} {
			m[key] = store.ACSFigure{N: n, Mark: store.ACSNumber}
			if n < 0 {
				m[key] = store.ACSFigure{Mark: store.ACSTooFewSamples}
			}
		}
		return m
	}
	r := socialTable(t, map[uint64]map[string]store.ACSFigure{
		10001: area(300, 100, 6000), // 3,000 women of 15 to 50
		10002: area(100, 400, 500),  // 250
		10003: area(0, 0, 3250),     // half the women of both
		10004: area(70, -1, 900),    // the rate is withheld
		10005: area(-1, 30, 900),    // the births are
		10006: area(200, 200, -1),   // 1,000 women, those of 15 and over are withheld
		10007: area(0, 0, -1),       // nothing is known
		10008: area(0, 0, 0),        // no women
	})
	field, _ := acs.FieldByKey(rate)
	for _, tt := range []struct {
		name  string
		parts []acs.Part
		want  float64 // negative: null
	}{
		{"one area", []acs.Part{{10001, 100}}, 100},
		{"two areas", []acs.Part{{10001, 100}, {10002, 100}}, 1000 * 400 / 3250.},
		{"half of one", []acs.Part{{10001, 50}, {10002, 100}}, 1000 * 250 / 1750.},
		{"no births", []acs.Part{{10003, 100}}, 0},
		{"an area without births", []acs.Part{{10001, 100}, {10002, 100}, {10003, 100}}, 1000 * 400 / (3250 * 1.5)},
		{"half an area without births", []acs.Part{{10001, 100}, {10002, 100}, {10003, 50}}, 1000 * 400 / (3250 * 1.25)},
		{"an area without a rate", []acs.Part{{10001, 100}, {10004, 100}}, 100},
		{"an area without births known", []acs.Part{{10001, 100}, {10005, 100}}, 100},
		{"an area without women known", []acs.Part{{10001, 100}, {10006, 100}}, 1000 * 500 / 4000.},
		{"no women to compare with", []acs.Part{{10006, 100}, {10003, 100}}, 200},
		{"nothing known", []acs.Part{{10007, 100}}, -1},
		{"no women", []acs.Part{{10008, 100}}, -1},
		{"withheld", []acs.Part{{10004, 100}}, -1},
	} {
		got, err := r.AggregateOf(t.Context(), acs.ZCTA, tt.parts, []acs.Tag{{Profile: acs.Social}}, true, acs.Options{})
		check(t, err)
		value := acs.Null(store.ACSNotApplicable)
		if y := got.Years.Year(acs.LastYear); y != nil {
			value = y.Metric(field).Estimate
		}
		if v, ok := value.Float64(); ok != (tt.want >= 0) || ok && math.Abs(v-tt.want) > 0.5 {
			t.Errorf("%s: %v, want %v", tt.name, value, tt.want)
		}
	}
}

// TestQuotientMargins checks the margins of quotients of sums: a rate by the
// formula of proportions, a mean by that of quotients, both times the factor.
func TestQuotientMargins(t *testing.T) {
	_, r := sampleReader(t)
	areas := []uint64{98101, 98122}
	samples := func(geoid uint64, key string) acs.Estimate {
		t.Helper()
		one, err := r.Figures(t.Context(), acs.ZCTA, []acs.Part{{geoid, 100}}, fieldsOf(t, key), []int{2024}, acs.FigureOptions{})
		check(t, err)
		e, ok := one[0].Sample(false)
		if !ok {
			t.Fatalf("%d has no %s", geoid, key)
		}
		return e
	}
	for _, tt := range []struct {
		field, over, under string
		factor, rounded    float64
		of                 func(a, b acs.Estimate) acs.Estimate
	}{
		{"economic.employment.unemployment_rate", "economic.employment.unemployed", "economic.employment.civilian_labor_force", 100, 0.05, acs.Proportion},
		{"social.households.average_household_size", "social.relationship.population_in_households", "social.households.total_households", 1, 0.005, acs.Quotient},
		{"demographic.sex_and_age.sex_ratio", "demographic.sex_and_age.male", "demographic.sex_and_age.female", 100, 0.05, acs.Quotient},
	} {
		var over, under []acs.Estimate
		var parts []acs.Part
		for _, a := range areas {
			over, under = append(over, samples(a, tt.over)), append(under, samples(a, tt.under))
			parts = append(parts, acs.Part{GEOID: a, Percent: 100})
		}
		want := tt.of(acs.Sum(over...), acs.Sum(under...)).Scale(tt.factor)
		got, err := r.Figures(t.Context(), acs.ZCTA, parts, fieldsOf(t, tt.field), []int{2024}, acs.FigureOptions{})
		check(t, err)
		e, _ := got[0].Sample(false)
		near(t, tt.field, e.Value, want.Value, tt.rounded+1e-9)
		near(t, "margin of "+tt.field, e.MOE, want.MOE, tt.rounded+1e-9)
	}
}
