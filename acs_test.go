package postgeo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/radius"
)

const (
	income = "economic.income.median_household_income"
	people = "demographic.sex_and_age.total_population"
)

// TestSurveyAggregateOfCircle holds that a circle's figures are those of the
// search, in both modes.
func TestSurveyAggregateOfCircle(t *testing.T) {
	db := sampletest.Open(t)
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		for _, auto := range []radius.Auto{"", radius.Density} {
			opt := radius.Options{Max: 5, Mode: mode, Auto: auto}
			if auto != "" {
				opt.Max = 0
			}
			opt.Include.ACS = []acs.Tag{{Profile: acs.Economic}, {Profile: acs.Demographic}}
			res, err := db.Radius(t.Context(), "98101", opt)
			check(t, err)
			stats := &res.Stats.ACS[0]
			got, err := db.ACSAggregate(t.Context(), radius.Areas{Center: "98101", Radius: opt}, []string{income, people}, acs.SeriesOptions{Years: []int{2024}})
			check(t, err)
			if want := fmt.Sprintf("%v miles around 98101", float64(res.Search.Max)); got.Name != want || got.Areas != stats.WithData+stats.WithoutData || len(got.Lines) != 2 {
				t.Errorf("%v: %+v, want %s of %d areas", mode, got, want, stats.WithData+stats.WithoutData)
			}
			for i, want := range []acs.Value{stats.Metric(acs.MustField(income)).Estimate, stats.Metric(acs.MustField(people)).Estimate} {
				p := &got.Lines[i].Points[0]
				if p.Estimate != want || !p.MOE.IsNumber() || p.With == 0 {
					t.Errorf("%v: %s is %v ± %v, want %v", mode, p.Field, p.Estimate, p.MOE, want)
				}
			}
		}
	}
}

// TestSurveyAggregateOfPolygon holds that a polygon around everything has what
// a list of all its codes has.
func TestSurveyAggregateOfPolygon(t *testing.T) {
	db := sampletest.Open(t)
	box := orb.Polygon{{{-122.5, 47.4}, {-122.2, 47.4}, {-122.2, 47.8}, {-122.5, 47.8}, {-122.5, 47.4}}}
	opt := acs.SeriesOptions{Years: []int{2011, 2024}}
	in, err := db.InPolygon(t.Context(), box, radius.PolygonOptions{Mode: radius.Centroid})
	check(t, err)
	var codes []string
	for _, m := range in.Matches {
		codes = append(codes, m.Code)
	}
	codes = append(codes, codes[0]) // counts once
	byPolygon, err := db.ACSAggregate(t.Context(), radius.Areas{Polygon: box}, []string{income, people}, opt)
	check(t, err)
	byCodes, err := db.ACSAggregate(t.Context(), radius.Areas{Codes: codes}, []string{income, people}, opt)
	check(t, err)
	if byPolygon.Areas != len(codes)-1 || byPolygon.Name != "polygon" || byCodes.Name != fmt.Sprint(len(codes)-1, " areas") {
		t.Errorf("%d areas of %d, %q and %q", byPolygon.Areas, len(codes)-1, byPolygon.Name, byCodes.Name)
	}
	for i := range byCodes.Lines {
		if diff := cmp.Diff(byCodes.Lines[i].Points, byPolygon.Lines[i].Points, cmp.AllowUnexported(acs.Value{})); diff != "" {
			t.Errorf("codes and polygon (-codes +polygon):\n%s", diff)
		}
	}
	spatial, err := db.ACSAggregate(t.Context(), radius.Areas{Polygon: box, Mode: radius.Spatial}, []string{people}, opt)
	check(t, err)
	if spatial.Areas <= byPolygon.Areas {
		t.Errorf("%d areas touch the polygon, and %d points lie in it", spatial.Areas, byPolygon.Areas)
	}
	if p := spatial.Lines[0].Points[0]; p.MOEBasis != acs.UpperBound {
		t.Errorf("by shares the margin is %v", p.MOEBasis)
	}
}

func TestSurveySeriesOfOne(t *testing.T) {
	db := sampletest.Open(t)
	lines, err := db.ACSSeries(t.Context(), []string{"90210"}, []string{income}, acs.SeriesOptions{})
	check(t, err)
	one, err := db.ACSAggregate(t.Context(), radius.Areas{Codes: []string{"90210"}}, []string{income}, acs.SeriesOptions{})
	check(t, err)
	if diff := cmp.Diff(lines, one.Lines, cmp.AllowUnexported(acs.Value{})); diff != "" {
		t.Errorf("an aggregate of one area (-series +aggregate):\n%s", diff)
	}
	last := lines[0].Points[len(lines[0].Points)-1]
	res, err := db.ACSProfile(t.Context(), "90210", []acs.Tag{{Profile: acs.Economic}}, acs.Options{})
	check(t, err)
	if m := res.Years[0].Metric(acs.MustField(income)); m.Estimate != last.Estimate || m.MOE != last.MOE || m.Column() != last.Column {
		t.Errorf("%+v, want %+v", last, m)
	}
	tract, err := db.ACSProfile(t.Context(), "53033000100", []acs.Tag{{Profile: acs.Economic}}, acs.Options{})
	if err != nil || len(tract.Years)+len(tract.Unavailable) != 1 {
		t.Errorf("a tract: %+v, %v", tract, err)
	}
}

func TestCompareSurvey(t *testing.T) {
	db := sampletest.Open(t)
	two, err := db.ACSCompare(t.Context(), acs.Side{Area: "90210"}, acs.Side{Area: "10001"}, income, false, acs.FigureOptions{})
	check(t, err)
	back, err := db.ACSCompare(t.Context(), acs.Side{Area: "10001", Year: 2024}, acs.Side{Area: "90210", Year: 2024}, income, false, acs.FigureOptions{})
	check(t, err)
	if two.Z != -back.Z || two.At95 != back.At95 || two.A.Year != 2024 || two.Overlap != 0 {
		t.Errorf("%+v and %+v", two, back)
	}
	years, err := db.ACSCompare(t.Context(), acs.Side{Area: "90210", Year: 2021}, acs.Side{Area: "90210"}, income, false, acs.FigureOptions{Dollars: acs.NewestDollars})
	check(t, err)
	if years.Overlap != 0.4 || years.A.Dollars != 2024 || math.IsNaN(years.Z) {
		t.Errorf("%+v", years)
	}
	if _, err := db.ACSCompare(t.Context(), acs.Side{Area: "90210", Year: 2021}, acs.Side{Area: "90210"}, income, false, acs.FigureOptions{}); !errors.Is(err, acs.ErrNotComparable) {
		t.Errorf("dollars of two years: %v", err)
	}
}

func TestSurveyErrors(t *testing.T) {
	db := sampletest.Open(t)
	ctx := t.Context()
	aggregate := func(where radius.Areas, field string) error {
		_, err := db.ACSAggregate(ctx, where, []string{field}, acs.SeriesOptions{})
		return err
	}
	series := func(area, field string, opt acs.SeriesOptions) error {
		_, err := db.ACSSeries(ctx, []string{area}, []string{field}, opt)
		return err
	}
	compare := func(a, b, field string) error {
		_, err := db.ACSCompare(ctx, acs.Side{Area: a}, acs.Side{Area: b}, field, false, acs.FigureOptions{})
		return err
	}
	profile := func(area string) error {
		_, err := db.ACSProfile(ctx, area, nil, acs.Options{})
		return err
	}
	codes := []string{"90210"}
	tests := []struct {
		name      string
		got, want error
	}{
		{"two kinds of areas", aggregate(radius.Areas{Codes: codes, Center: "90210"}, income), postgeo.ErrInvalidParam},
		{"two levels", aggregate(radius.Areas{Codes: []string{"90210", "48029110100"}}, income), envelope.ErrInvalidCode},
		{"Canada", aggregate(radius.Areas{Codes: []string{"K1A"}}, income), envelope.ErrInvalidCode},
		{"a line as polygon", aggregate(radius.Areas{Polygon: orb.LineString{{0, 0}, {1, 1}}}, income), nil},
		{"a radius of nothing", aggregate(radius.Areas{Center: "90210"}, income), postgeo.ErrInvalidParam},
		{"a center that does not exist", aggregate(radius.Areas{Center: "99999", Radius: radius.Options{Max: 1}}, income), postgeo.ErrNotFound},
		{"no field", aggregate(radius.Areas{Codes: codes}, "income"), envelope.ErrInvalidParam},
		{"dollars of a year to come", series("90210", income, acs.SeriesOptions{FigureOptions: acs.FigureOptions{Dollars: 2099}}), acs.ErrNoPriceIndex},
		{"no area of a comparison", compare("90210", "K1A", income), envelope.ErrInvalidCode},
		{"an area without figures", compare("90210", "99999", income), acs.ErrNotComparable},
		{"no field of a comparison", compare("90210", "10001", ""), envelope.ErrInvalidParam},
		{"no area of a profile", profile("somewhere"), envelope.ErrInvalidCode},
	}
	for _, tt := range tests {
		if tt.got == nil || tt.want != nil && !errors.Is(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

func ExampleDB_ACSSeries() {
	db := sampleDB()
	defer db.Close()
	lines, err := db.ACSSeries(context.Background(), []string{"90210"}, []string{"economic.health_insurance.under_19_uninsured"}, acs.SeriesOptions{Years: []int{2016, 2017}})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range lines[0].Points {
		fmt.Println(p.Vintage, p.Status, p.Column, p.MOE.IsNumber())
	}
	// Output:
	// 2012-2016 not served  false
	// 2013-2017 available DP03_0101E true
}

func ExampleDB_ACSAggregate() {
	db := sampleDB()
	defer db.Close()
	where := radius.Areas{Center: "98101", Radius: radius.Options{Max: 5, Mode: radius.Spatial}}
	a, err := db.ACSAggregate(context.Background(), where, []string{"economic.income.median_household_income"}, acs.SeriesOptions{Years: []int{2024}})
	if err != nil {
		log.Fatal(err)
	}
	p := a.Lines[0].Points[0]
	fmt.Println(a.Name, p.Status, p.MOEBasis, p.Bracket.Interpolation)
	// Output: 5 miles around 98101 available upper_bound linear
}

func ExampleDB_ACSCompare() {
	db := sampleDB()
	defer db.Close()
	a, b := acs.Side{Area: "90210", Year: 2016}, acs.Side{Area: "90210", Year: 2018}
	c, err := db.ACSCompare(context.Background(), a, b, "demographic.sex_and_age.total_population", false, acs.FigureOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Overlap, c.Notes[0])
	// Output: 0.6 2012-2016 and 2014-2018 have years in common. The Census Bureau advises against comparing periods that overlap; the error of the difference allows for the common part of the samples.
}

var check = checktest.Check
