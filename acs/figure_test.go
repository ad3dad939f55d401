package acs_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// served are all fields of the interface.
func served(t *testing.T) []*acs.Field {
	t.Helper()
	list := acs.Fields(acs.Query{Served: true})
	if len(list) != 528 {
		t.Fatalf("%d fields", len(list))
	}
	return list
}

func fieldsOf(t *testing.T, keys ...string) []*acs.Field {
	t.Helper()
	list, err := acs.ParseFields(keys...)
	check(t, err)
	return list
}

// TestFiguresOfOne verifies that one area in full has what was published for it.
func TestFiguresOfOne(t *testing.T) {
	_, r := sampleReader(t)
	fields := served(t)
	years := r.YearsOf(acs.ZCTA)
	got, err := r.Figures(t.Context(), acs.ZCTA, []acs.Part{{GEOID: 10001, Percent: 100}}, fields, years, acs.FigureOptions{})
	check(t, err)
	res, err := r.Area(t.Context(), acs.ZCTA, "10001", everything(t, r), acs.Options{})
	check(t, err)
	if len(got) != len(fields)*len(years) {
		t.Fatalf("%d figures of %d fields and %d years", len(got), len(fields), len(years))
	}
	status := map[acs.Status]int{}
	for i := range got {
		g := &got[i]
		f := fields[i%len(fields)]
		if g.Field != f.Key() || g.Year != years[i/len(fields)] {
			t.Fatalf("figure %d is %s of %d", i, g.Field, g.Year)
		}
		status[g.Status]++
		m := res.Years.Year(g.Year).Metric(f)
		if g.Status == acs.NotServed {
			if m != (acs.Metric{}) {
				t.Errorf("%s of %d is not served, and yet %+v", f, g.Year, m)
			}
			continue
		}
		if g.Estimate != m.Estimate || g.Percent != m.Percent || g.Column != m.Column() {
			t.Errorf("%s of %d is %v (%v), want %v (%v)", f, g.Year, g.Estimate, g.Percent, m.Estimate, m.Percent)
		}
		if m.MOE.IsNumber() && (g.MOE != m.MOE || g.MOEBasis != acs.PublishedMargin) {
			t.Errorf("%s of %d has the margin %v (%v), published is %v", f, g.Year, g.MOE, g.MOEBasis, m.MOE)
		}
		if m.MOE.Mark() == store.ACSControlled && g.MOE.String() != "0" {
			t.Errorf("%s of %d is controlled and has the margin %v", f, g.Year, g.MOE)
		}
		if m.PercentMOE.IsNumber() && m.Percent.IsNumber() && g.PercentMOE != m.PercentMOE {
			t.Errorf("%s of %d has the margin %v of its percentage, published is %v", f, g.Year, g.PercentMOE, m.PercentMOE)
		}
	}
	if status[acs.Available] < 6000 || status[acs.NotServed] == 0 || status[acs.NoTable]+status[acs.NotInTable] != 0 {
		t.Errorf("statuses: %v", status)
	}
}

// TestFiguresOfSeveral computes margins from the blocks of the parts.
func TestFiguresOfSeveral(t *testing.T) {
	d, r := sampleReader(t)
	const year = 2019
	fields := served(t)
	for name, share := range map[string]float64{"in full": 100, "by shares": 30} {
		t.Run(name, func(t *testing.T) {
			parts := sampleParts(d, func(int) float64 { return share })[:12]
			got, err := r.Figures(t.Context(), acs.ZCTA, parts, fields, []int{year}, acs.FigureOptions{})
			check(t, err)
			var list []acs.Tag
			for _, p := range acs.AllProfiles() {
				list = append(list, acs.Tag{Profile: p, Year: year})
			}
			sums, err := r.AggregateOf(t.Context(), acs.ZCTA, parts, list, true, acs.Options{})
			check(t, err)
			var blocks []*acs.Block
			for _, p := range parts {
				res, err := r.Area(t.Context(), acs.ZCTA, postcode.ZIP(p.GEOID).String(), list, acs.Options{})
				check(t, err)
				if b := res.Years.Year(year); b.Published != nil && *b.Published {
					blocks = append(blocks, b)
				}
			}
			total := func(f *acs.Field) acs.Estimate {
				var of []acs.Estimate
				for _, b := range blocks {
					m := b.Metric(f)
					if v, ok := m.Estimate.Float64(); ok {
						e := acs.Estimate{Value: v, MOE: math.NaN()}
						if moe, ok := m.MOE.Float64(); ok || m.MOE.Mark() == store.ACSControlled {
							e.MOE = moe
						}
						of = append(of, e.Scale(share/100))
					}
				}
				return acs.Sum(of...)
			}
			margins, shares, means := 0, 0, 0
			for i := range got {
				g, f := &got[i], fields[i]
				m := sums.Years.Year(year).Metric(f)
				if g.Status == acs.NotServed {
					continue
				}
				if g.Estimate != m.Estimate || g.Percent != m.Percent {
					t.Errorf("%s is %v (%v), want %v (%v)", f, g.Estimate, g.Percent, m.Estimate, m.Percent)
				}
				if g.Percent.IsNumber() && g.PercentMOE.IsNumber() && g.PercentBasis != acs.UpperBound {
					t.Errorf("%s: the margin of the percentage is %v", f, g.PercentBasis)
				}
				if f.Kind != acs.Count {
					if e, ok := g.Sample(false); ok && !math.IsNaN(e.MOE) {
						means++
						if !(e.MOE > 0) || g.MOEBasis == acs.SummedMargin {
							t.Errorf("%s: %v ± %v, %v", f, e.Value, e.MOE, g.MOEBasis)
						}
					}
					continue
				}
				want := total(f)
				moe, ok := g.MOE.Float64()
				if ok == math.IsNaN(want.MOE) || ok && math.Abs(moe-want.MOE) > 0.5000001 {
					t.Errorf("%s has the margin %v, want %v", f, g.MOE, want.MOE)
				}
				basis := acs.SummedMargin
				if share < 100 {
					basis = acs.UpperBound
				}
				if ok && g.MOEBasis != basis {
					t.Errorf("%s: the margin is %v, want %v", f, g.MOEBasis, basis)
				}
				margins++
				if f.Denominator == "" || f.Universe {
					continue
				}
				of, ok := acs.FieldByKey(f.Profile.String() + "." + f.Denominator)
				if !ok {
					t.Fatal(f.Denominator)
				}
				p := acs.Proportion(want, total(of))
				if moe, ok := g.PercentMOE.Float64(); ok && math.Abs(moe-100*p.MOE) > 0.0500001 {
					t.Errorf("%s has the margin %v of its percentage, want %v", f, moe, 100*p.MOE)
				} else if ok {
					shares++
				}
			}
			if margins < 300 || shares < 250 || means < 30 {
				t.Errorf("%d counts, %d percentages, %d others", margins, shares, means)
			}
		})
	}
}

// TestWeightedMargin computes the margin of a weighted median by hand.
func TestWeightedMargin(t *testing.T) {
	_, r := sampleReader(t)
	parts := []acs.Part{{10001, 100}, {90210, 50}}
	income, households := "economic.income.median_household_income", "economic.income.total_households"
	fields := fieldsOf(t, income, households)
	of := func(i int) (v, n acs.Estimate) {
		one, err := r.Figures(t.Context(), acs.ZCTA, []acs.Part{{parts[i].GEOID, 100}}, fields, []int{2024}, acs.FigureOptions{})
		check(t, err)
		v, _ = one[0].Sample(false)
		n, _ = one[1].Sample(false)
		return v, n
	}
	a, na := of(0)
	b, nb := of(1)
	nb = nb.Scale(0.5)
	total := na.Value + nb.Value
	mean := (a.Value*na.Value + b.Value*nb.Value) / total
	want := math.Hypot(math.Hypot(na.Value*a.MOE, nb.Value*b.MOE), math.Hypot((a.Value-mean)*na.MOE, (b.Value-mean)*nb.MOE)) / total
	got, err := r.Figures(t.Context(), acs.ZCTA, parts, fields, []int{2024}, acs.FigureOptions{})
	check(t, err)
	e, _ := got[0].Sample(false)
	near(t, "weighted median", e.Value, mean, 0.5)
	near(t, "its margin", e.MOE, want, 1)
	if g := got[0]; g.MOEBasis != acs.UpperBound || g.With != 2 || g.Without != 0 || g.Covered.String() != "100.0" || g.Bracket == nil || g.Dollars != 2024 {
		t.Errorf("%+v", g)
	}
}

// TestFigureBrackets verifies that medians of brackets lie near the published
// ones of invented areas, if both are known.
func TestFigureBrackets(t *testing.T) {
	_, r := sampleReader(t)
	keys := []string{
		"demographic.sex_and_age.median_age", "economic.income.median_household_income", "economic.income.median_family_income", "housing.value.median",
		"housing.rooms.median_rooms", "housing.rent.median", "housing.owner_costs.with_mortgage_median", "housing.owner_costs.without_mortgage_median",
	}
	for _, bridged := range []bool{false, true} {
		got, err := r.Figures(t.Context(), acs.ZCTA, []acs.Part{{98101, 100}, {98122, 100}}, fieldsOf(t, keys...), r.YearsOf(acs.ZCTA), acs.FigureOptions{Options: acs.Options{Bridged: bridged}})
		check(t, err)
		for i := range got {
			g := &got[i]
			if g.Bracket == nil {
				t.Errorf("%s of %d has no median of brackets", g.Field, g.Year)
			} else if v, ok := g.Bracket.Estimate.Float64(); !ok || !(v > 0) || g.Bracket.Interpolation != "linear" {
				t.Errorf("%s of %d: %+v", g.Field, g.Year, g.Bracket)
			}
		}
	}
	got, err := r.Figures(t.Context(), acs.ZCTA, []acs.Part{{98101, 100}}, fieldsOf(t, "economic.income.median_earnings_workers"), []int{2024}, acs.FigureOptions{})
	check(t, err)
	if got[0].Bracket != nil {
		t.Errorf("a median without brackets has %+v", got[0].Bracket)
	}
}

// TestFigureStatus checks why figures are missing.
func TestFigureStatus(t *testing.T) {
	_, r := sampleReader(t)
	uninsured := fieldsOf(t, "economic.health_insurance.under_19", "economic.income.median_household_income")
	one := []acs.Part{{GEOID: 10001, Percent: 100}}
	tests := []struct {
		name  string
		level acs.Level
		parts []acs.Part
		year  int
		want  []acs.Status
	}{
		{"not in the year's table", acs.ZCTA, one, 2012, []acs.Status{acs.NotServed, acs.Available}},
		{"no table of the year", acs.ZCTA, one, 2010, []acs.Status{acs.NoTable, acs.NoTable}},
		{"no table of the level", acs.Tract, one, 2015, []acs.Status{acs.NoTable, acs.NoTable}},
		{"no such area", acs.ZCTA, []acs.Part{{GEOID: 99999, Percent: 100}}, 2024, []acs.Status{acs.NotInTable, acs.NotInTable}},
		{"no such areas", acs.ZCTA, []acs.Part{{GEOID: 99999, Percent: 100}, {GEOID: 99998, Percent: 5}}, 2024, []acs.Status{acs.NotInTable, acs.NotInTable}},
		{"no areas", acs.ZCTA, nil, 2024, []acs.Status{acs.NotInTable, acs.NotInTable}},
		{"nothing of an area", acs.ZCTA, []acs.Part{{GEOID: 10001, Percent: 0.01}, {GEOID: 90210, Percent: math.NaN()}}, 2024, []acs.Status{acs.NotInTable, acs.NotInTable}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := r.Figures(t.Context(), tt.level, tt.parts, uninsured, []int{tt.year}, acs.FigureOptions{})
			check(t, err)
			for i := range got {
				if got[i].Status != tt.want[i] {
					t.Errorf("%s is %v, want %v", got[i].Field, got[i].Status, tt.want[i])
				}
				if _, ok := got[i].Sample(false); ok != (tt.want[i] == acs.Available) {
					t.Errorf("%s is %v and has %v", got[i].Field, got[i].Status, got[i].Estimate)
				}
			}
		})
	}
}

// TestMarginsOfDisjointSums verifies that the squares of margins add up however
// areas are put together, and that shares halve both.
func TestMarginsOfDisjointSums(t *testing.T) {
	d, r := sampleReader(t)
	f := fieldsOf(t, "demographic.sex_and_age.total_population", "demographic.sex_and_age.male", "housing.occupancy.total_housing_units")
	all := sampleParts(d, func(int) float64 { return 100 })
	of := func(parts []acs.Part) []acs.Figure {
		t.Helper()
		got, err := r.Figures(t.Context(), acs.ZCTA, parts, f, []int{2022}, acs.FigureOptions{})
		check(t, err)
		return got
	}
	for n := 1; n < len(all)-1; n += 17 {
		left, right, both := of(all[:n]), of(all[n:]), of(all)
		for i := range f {
			a, _ := left[i].Sample(false)
			b, _ := right[i].Sample(false)
			c, _ := both[i].Sample(false)
			near(t, f[i].Key(), c.Value, a.Value+b.Value, 0)
			near(t, f[i].Key()+", margin", c.MOE, math.Hypot(a.MOE, b.MOE), 1.5)
		}
	}
	halves := sampleParts(d, func(int) float64 { return 50 })
	got, err := r.Figures(t.Context(), acs.ZCTA, halves, f, []int{2022}, acs.FigureOptions{Whole: true})
	check(t, err)
	if diff := cmp.Diff(of(all), got, cmp.AllowUnexported(acs.Value{})); diff != "" {
		t.Errorf("parts taken whole (-want +got):\n%s", diff)
	}
	half, full := of(halves), of(all)
	for i := range f {
		a, _ := half[i].Sample(false)
		b, _ := full[i].Sample(false)
		near(t, "half of "+f[i].Key(), 2*a.MOE, b.MOE, 2)
	}
}

func TestInflate(t *testing.T) {
	_, r := sampleReader(t)
	fields := fieldsOf(t, "economic.income.median_household_income", "demographic.sex_and_age.median_age", "housing.rent.median")
	parts := []acs.Part{{10001, 100}, {10002, 100}, {98101, 100}}
	years := []int{2011, 2024}
	read := func(to int) []acs.Figure {
		t.Helper()
		got, err := r.Figures(t.Context(), acs.ZCTA, parts, fields, years, acs.FigureOptions{Dollars: to, Options: acs.Options{Bridged: true}})
		check(t, err)
		return got
	}
	plain, then := read(0), read(2024)
	factor, err := acs.PriceFactor(2011, 2024)
	check(t, err)
	for i := range plain {
		a, b := &plain[i], &then[i]
		want := 1.0
		if a.Year == 2011 && a.Kind == acs.Median && a.Field != fields[1].Key() {
			want = factor
			if b.Dollars != 2024 || a.Dollars != 2011 {
				t.Errorf("%s is in dollars of %d and %d", a.Field, a.Dollars, b.Dollars)
			}
		} else if diff := cmp.Diff(a, b, cmp.AllowUnexported(acs.Value{})); diff != "" {
			t.Errorf("%s of %d in dollars of 2024 (-want +got):\n%s", a.Field, a.Year, diff)
		}
		for _, v := range [][2]acs.Value{{a.Estimate, b.Estimate}, {a.MOE, b.MOE}, {a.Bracket.Estimate, b.Bracket.Estimate}, {a.Bracket.MOE, b.Bracket.MOE}} {
			x, ok := v[0].Float64()
			y, ok2 := v[1].Float64()
			if ok != ok2 || math.Abs(y-want*x) > 0.5 {
				t.Errorf("%s of %d: %v became %v", a.Field, a.Year, v[0], v[1])
			}
		}
	}
	_, err = r.Figures(t.Context(), acs.ZCTA, parts, fields, years, acs.FigureOptions{Dollars: 2040})
	if !errors.Is(err, acs.ErrNoPriceIndex) {
		t.Errorf("dollars of 2040: %v", err)
	}
}
