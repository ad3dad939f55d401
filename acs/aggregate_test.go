package acs_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

func sampleReader(tb testing.TB) (*store.Dataset, *acs.Reader) {
	tb.Helper()
	d := lookuptest.Sample(tb)
	return d, acs.NewReader(d)
}

// sampleParts are all ZCTAs of the sample, with all sorts of shares.
func sampleParts(d *store.Dataset, percent func(i int) float64) []acs.Part {
	var parts []acs.Part
	for i, g := range d.ACSGEOIDs(acs.ZCTA) {
		parts = append(parts, acs.Part{GEOID: g, Percent: percent(i)})
	}
	return parts
}

// TestAggregateByHand checks every count, and means weighted in every way,
// against the blocks of the parts.
func TestAggregateByHand(t *testing.T) {
	d, r := sampleReader(t)
	for name, percent := range map[string]func(int) float64{
		"in full":   func(int) float64 { return 100 },
		"by shares": func(i int) float64 { return float64(i*37%1001) / 10 },
	} {
		t.Run(name, func(t *testing.T) {
			parts := sampleParts(d, percent)
			opt := acs.Options{Bridged: true} // some denominators are
			var list []acs.Tag
			for _, p := range acs.AllProfiles() {
				list = append(list, acs.Tag{Profile: p, Year: 2021})
			}
			got, err := r.AggregateOf(t.Context(), acs.ZCTA, parts, list, true, opt)
			check(t, err)
			a := got.Years.Year(2021)
			if a == nil || a.WithData != len(parts) || a.WithoutData != 0 || a.CoveragePercent() != 100 {
				t.Fatalf("%+v", got)
			}
			var blocks []*acs.Block
			for _, p := range parts {
				res, err := r.Area(t.Context(), acs.ZCTA, postcode.ZIP(p.GEOID).String(), list, opt)
				check(t, err)
				blocks = append(blocks, &res.Years[0])
			}
			sum := func(key string) (total float64, known bool) {
				f, ok := acs.FieldByKey(key)
				if !ok {
					t.Fatal(key)
				}
				for i, b := range blocks {
					if v, ok := b.Metric(f).Estimate.Float64(); ok {
						total += v * math.Round(10*parts[i].Percent) / 1000
						known = true
					}
				}
				return total, known
			}
			n := 0
			for _, f := range acs.Fields(acs.Query{Kind: acs.Count, Year: 2021, Served: true}) {
				m := a.Metric(f)
				want, known := sum(f.Key())
				v, ok := m.Estimate.Float64()
				if ok != known || math.Abs(v-want) > 0.5000001 {
					t.Errorf("%s is %v, want %v", f, m.Estimate, want)
				}
				if f.Denominator != "" {
					of, _ := sum(f.Profile.String() + "." + f.Section + "." + f.Denominator[strings.IndexByte(f.Denominator, '.')+1:])
					if pct, ok := m.Percent.Float64(); ok && math.Abs(pct-100*want/of) > 0.0500001 {
						t.Errorf("%s is %v %%, want %v", f, pct, 100*want/of)
					}
				}
				if m.MOE != (acs.Value{}) || m.Column() != "" {
					t.Errorf("%s has a margin of error or a column", f)
				}
				n++
			}
			if n < 400 {
				t.Errorf("only %d counts were looked at", n)
			}
			mean := func(key string, weigh ...string) float64 {
				f, _ := acs.FieldByKey(key)
				var total, weight float64
				for i, b := range blocks {
					v, ok := b.Metric(f).Estimate.Float64()
					if f.Kind == acs.PercentOnly {
						v, ok = b.Metric(f).Percent.Float64()
					}
					w, sign := 0.0, 1.0
					for _, name := range weigh {
						of, _ := acs.FieldByKey(name)
						x, _ := b.Metric(of).Estimate.Float64()
						w += sign * x
						sign = -1
					}
					if w *= parts[i].Percent; ok && w > 0 {
						total += v * w
						weight += w
					}
				}
				return total / weight
			}
			population, _ := sum("demographic.sex_and_age.total_population")
			if population == 0 {
				t.Error("nobody lives there")
			}
			quotient := func(over, under string) float64 {
				x, _ := sum(over)
				y, _ := sum(under)
				return x / y
			}
			for key, want := range map[string]float64{
				"demographic.sex_and_age.median_age":          mean("demographic.sex_and_age.median_age", "demographic.sex_and_age.total_population"),
				"economic.income.median_household_income":     mean("economic.income.median_household_income", "economic.income.total_households"),
				"economic.income.per_capita_income":           mean("economic.income.per_capita_income", "demographic.sex_and_age.total_population"),
				"social.households.average_family_size":       mean("social.households.average_family_size", "economic.income.families"),
				"economic.commuting.mean_travel_time_minutes": mean("economic.commuting.mean_travel_time_minutes", "economic.commuting.workers_16_plus", "economic.commuting.worked_from_home"),
				"economic.poverty.under_18":                   mean("economic.poverty.under_18", "demographic.sex_and_age.total_population", "demographic.sex_and_age.age_18_plus"),
				"economic.employment.unemployment_rate":       100 * quotient("economic.employment.unemployed", "economic.employment.civilian_labor_force"),
				"social.households.average_household_size":    quotient("social.relationship.population_in_households", "social.households.total_households"),
				"demographic.sex_and_age.sex_ratio":           100 * quotient("demographic.sex_and_age.male", "demographic.sex_and_age.female"),
				"housing.occupancy.homeowner_vacancy_rate":    mean("housing.occupancy.homeowner_vacancy_rate", "housing.tenure.owner_occupied"),
			} {
				f, ok := acs.FieldByKey(key)
				if !ok {
					t.Fatal(key)
				}
				m := a.Metric(f)
				v := m.Estimate
				if f.Kind == acs.PercentOnly {
					if v.IsNumber() {
						t.Errorf("%s has an estimate", key)
					}
					v = m.Percent
				}
				got, ok := v.Float64()
				if tolerance := 0.5000001 * math.Pow10(-v.Decimals()); !ok || math.Abs(got-want) > tolerance {
					t.Errorf("%s is %v, want %v", key, v, want)
				}
			}
		})
	}
}

// TestAggregateOfOne verifies that an aggregate of a single area is that area.
func TestAggregateOfOne(t *testing.T) {
	_, r := sampleReader(t)
	list := everything(t, r)
	one, err := r.AggregateOf(t.Context(), acs.ZCTA, []acs.Part{{GEOID: 10001, Percent: 100}}, list, false, acs.Options{})
	check(t, err)
	res, err := r.Area(t.Context(), acs.ZCTA, "10001", list, acs.Options{})
	check(t, err)
	if diff := cmp.Diff(res.Delivered, one.Delivered); diff != "" {
		t.Errorf("delivered (-want +got):\n%s", diff)
	}
	for i := range res.Years {
		a := one.Years.Year(res.Years[i].Year)
		for _, f := range acs.Fields(acs.Query{Kind: acs.Count}) {
			want, got := res.Years[i].Metric(f), a.Metric(f)
			if !sameNumber(want.Estimate, got.Estimate) || !sameNumber(want.Percent, got.Percent) {
				t.Errorf("%d: %s is %v (%v), want %v (%v)", a.Year, f, got.Estimate, got.Percent, want.Estimate, want.Percent)
			}
		}
		for _, f := range acs.Fields(acs.Query{Kind: acs.Median}) {
			if want, got := res.Years[i].Metric(f).Estimate, a.Metric(f).Estimate; got.IsNumber() && !sameNumber(want, got) {
				t.Errorf("%d: %s is %v, want %v", a.Year, f, got, want)
			}
		}
	}
}

func sameNumber(a, b acs.Value) bool {
	x, known := a.Float64()
	y, ok := b.Float64()
	return known == ok && x == y
}

// TestAggregateIdentities verifies that what adds up in every area adds up in an
// aggregate.
func TestAggregateIdentities(t *testing.T) {
	d, r := sampleReader(t)
	got, err := r.AggregateOf(t.Context(), acs.ZCTA, sampleParts(d, func(int) float64 { return 100 }), everything(t, r), false, acs.Options{Bridged: true, Extras: true})
	check(t, err)
	n := 0
	for i := range got.Years {
		a := &got.Years[i]
		for _, p := range acs.AllProfiles() {
			_, fields, sums := acs.Layout(acs.ZCTA, p, a.Year)
			for _, sum := range sums {
				figure := func(i int) float64 {
					v, _ := a.Metric(fields[i]).Estimate.Float64()
					return v
				}
				parts := 0.0
				for _, i := range sum[1:] {
					parts += figure(i)
				}
				if total := figure(sum[0]); total != parts {
					t.Errorf("%d: the parts of %s come to %v, want %v", a.Year, fields[sum[0]], parts, total)
				}
				n++
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d identities were looked at", n)
	}
}

// TestAggregateMissing checks the result for parts and tables that are missing.
func TestAggregateMissing(t *testing.T) {
	r := acs.NewReader(tables(t))
	parts := []acs.Part{{GEOID: 10001, Percent: 100}, {GEOID: 90210, Percent: 50}, {GEOID: 99999, Percent: 100}, {GEOID: 10001000, Percent: 100}}
	res, err := r.AggregateOf(t.Context(), acs.ZCTA, parts, tags(t, "acs_economic", "acs_economic_2024", "acs_demographic", "acs_social_2011", "acs_social_2018", "acs_housing_2023"), true, acs.Options{})
	check(t, err)
	names := func(list []acs.Tag) string {
		var s []string
		for _, tag := range list {
			s = append(s, tag.Flag(acs.ZCTA))
		}
		return strings.Join(s, " ")
	}
	if got := names(res.Delivered); got != "acs_economic acs_housing_2023 acs_social_2011" {
		t.Errorf("delivered %s", got)
	}
	if got := names(res.Unavailable); got != "acs_demographic acs_social_2018" {
		t.Errorf("unavailable %s", got)
	}
	now, then := res.Years[0], res.Years[1]
	if now.Key() != "current" || now.WithData != 1 || now.WithoutData != 3 || now.CoveragePercent() != 25 || now.Has(acs.Demographic) {
		t.Errorf("2024: %+v", now)
	}
	if then.Key() != "2023" || then.WithData != 2 || then.CoveragePercent() != 50 {
		t.Errorf("2023: %+v", then)
	}
	// The weight of income per head is in a table that the dataset lacks.
	if v := now.Metric(acs.MustField("economic.income.per_capita_income")).Estimate; v.IsNumber() || v == (acs.Value{}) {
		t.Errorf("income per head is %v", v)
	}
	if v, _ := then.Metric(acs.MustField("housing.occupancy.total_housing_units")).Estimate.Float64(); v != 1500 { // 1000 and half of 1000
		t.Errorf("%v homes, want 1500", v)
	}
	none, err := r.AggregateOf(t.Context(), acs.ZCTA, parts[2:], tags(t, "acs_economic"), false, acs.Options{})
	check(t, err)
	if len(none.Years) != 0 || names(none.Unavailable) != "acs_economic" {
		t.Errorf("of areas without figures: %+v", none)
	}
}

func TestAggregateJSON(t *testing.T) {
	d, r := sampleReader(t)
	res, err := r.AggregateOf(t.Context(), acs.ZCTA, sampleParts(d, func(i int) float64 { return float64(i % 101) }), tags(t, "acs_housing", "acs_social_2013"), true, acs.Options{})
	check(t, err)
	text := mustJSON(t, res.Years)
	var back acs.Years[acs.Aggregate]
	check(t, json.Unmarshal(text, &back))
	if diff := cmp.Diff(string(text), string(mustJSON(t, back))); diff != "" {
		t.Errorf("read and written again (-want +got):\n%s", diff)
	}
	for _, want := range []string{
		`{"current":{"source":"sample: `, `"year":2024,"vintage":"2020-2024","zips_with_acs_data":`, `,"aggregation_note":"ZIP Codes count by the share`,
		`"demographic":null,"social":null,"economic":null,"housing":{"occupancy":{"total_housing_units":{"est":`, `"2013":{`, `"economic":null,"housing":null}}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing in %.500s", want, text)
		}
	}
	for _, never := range []string{`"moe"`, `"column"`, `"pct_moe"`} {
		if strings.Contains(string(text), never) {
			t.Errorf("%s is in an aggregate", never)
		}
	}
	if n := strings.Count(res.Years[0].Note(), "."); n != 5 {
		t.Errorf("the note has %d parts, want 5", n)
	}
}

// everything is every profile of every year of the sample.
func everything(tb testing.TB, r *acs.Reader) []acs.Tag {
	tb.Helper()
	var list []acs.Tag
	for _, year := range r.YearsOf(acs.ZCTA) {
		for _, p := range acs.AllProfiles() {
			list = append(list, acs.Tag{Profile: p, Year: year})
		}
	}
	return list
}
