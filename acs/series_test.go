package acs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
)

func TestSeries(t *testing.T) {
	_, r := sampleReader(t)
	fields := fieldsOf(t, "economic.income.median_household_income", "economic.health_insurance.under_19")
	lines, err := r.Series(t.Context(), []string{"90210", "10001"}, fields, acs.SeriesOptions{})
	check(t, err)
	if len(lines) != 4 || lines[0].Area != "90210" || lines[3].Area != "10001" || lines[3].Field != fields[1].Key() {
		t.Fatalf("%d lines: %+v", len(lines), lines)
	}
	for i := range lines {
		l := &lines[i]
		if len(l.Points) != 14 || l.Level != "zcta" {
			t.Fatalf("%s %s has %d years", l.Area, l.Field, len(l.Points))
		}
		for k := range l.Points {
			p := &l.Points[k]
			want := acs.Available
			if f := fields[i%2]; !f.Stable(p.Year) {
				want = acs.NotServed
			}
			if p.Year != 2011+k || p.Status != want || p.Field != l.Field {
				t.Errorf("%s %s: year %d is %d, %v, want %v", l.Area, l.Field, 2011+k, p.Year, p.Status, want)
			}
		}
		if !strings.Contains(strings.Join(l.Notes, " "), "2010 census") {
			t.Errorf("%s: notes %q do not tell of boundaries", l.Area, l.Notes)
		}
	}
	some, err := r.Series(t.Context(), []string{"90210"}, fields[:1], acs.SeriesOptions{Years: []int{2023, 2021, 2023}})
	check(t, err)
	if p := some[0].Points; len(p) != 2 || p[0].Year != 2021 || p[1].Year != 2023 || len(some[0].Notes) != 0 {
		t.Errorf("%+v", some[0])
	}
	for _, code := range []string{"", "9021", "K1A", "9021a", "902101", "90210-1234", "-9021", "123456789012"} {
		if _, err := r.Series(t.Context(), []string{code}, fields, acs.SeriesOptions{}); !errors.Is(err, envelope.ErrInvalidCode) {
			t.Errorf("%q: %v", code, err)
		}
	}
}

func TestSeriesOfTract(t *testing.T) {
	d, r := sampleReader(t)
	tract := d.ACSGEOIDs(acs.Tract)[0]
	fields := fieldsOf(t, "housing.rent.median")
	code := acs.GeoID(acs.Tract, "", 2024)
	if code != "1400000US" {
		t.Fatal(code)
	}
	lines, err := r.SeriesOf(t.Context(), "a tract", acs.Tract, []acs.Part{{GEOID: tract, Percent: 100}}, fields, acs.SeriesOptions{})
	check(t, err)
	if l := lines[0]; l.Area != "a tract" || l.Level != "tract" || len(l.Points) != 3 || l.Points[2].Status != acs.Available {
		t.Errorf("%+v", l)
	}
}

func TestFigureJSON(t *testing.T) {
	_, r := sampleReader(t)
	lines, err := r.Series(t.Context(), []string{"90210"}, fieldsOf(t, "economic.income.median_household_income", "economic.health_insurance.under_19"), acs.SeriesOptions{Years: []int{2012, 2024}})
	check(t, err)
	text := string(mustJSON(t, lines))
	for _, want := range []string{
		`{"area":"90210","geography_level":"zcta","field":"economic.income.median_household_income","label":"`,
		`"points":[{"field":"economic.income.median_household_income"`, `"kind":"median","year":2012,"vintage":"2008-2012","status":"available","column":"DP03_0062E","est":`,
		`"moe_basis":"published","cv_pct":`, `"reliability":"`, `"dollars":2012,"bracket_median":{"est":`, `"interpolation":"linear"},"areas_with_data":1,"areas_without_data":0`,
		`"status":"not served","est":null,"moe":null,"areas_with_data":0`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
	if !json.Valid([]byte(text)) {
		t.Error("it is no JSON")
	}
}

func TestCompare(t *testing.T) {
	_, r := sampleReader(t)
	keys := []string{"economic.income.median_household_income", "economic.poverty.people", "demographic.sex_and_age.male"}
	figures := func(zip uint64, opt acs.FigureOptions, years ...int) []acs.Figure {
		t.Helper()
		got, err := r.Figures(t.Context(), acs.ZCTA, []acs.Part{{GEOID: zip, Percent: 100}}, fieldsOf(t, keys...), years, opt)
		check(t, err)
		return got
	}
	a, b := figures(10001, acs.FigureOptions{}, 2024), figures(90210, acs.FigureOptions{}, 2024)
	for i := range keys {
		for _, percent := range []bool{false, true} {
			x, ok := a[i].Sample(percent)
			y, _ := b[i].Sample(percent)
			if !ok {
				continue
			}
			c, err := acs.Compare(a[i], b[i], false, percent)
			check(t, err)
			want := acs.Difference(y, x)
			near(t, keys[i]+": z", c.Z, 1.645*want.Value/want.MOE, 0.0051)
			if got, _ := c.Difference.Float64(); got == 0 || c.Overlap != 0 {
				t.Errorf("%s: %+v", keys[i], c)
			}
		}
	}
	to := acs.FigureOptions{Dollars: 2024}
	then, now := figures(10001, to, 2021), figures(10001, to, 2024)
	c, err := acs.Compare(then[0], now[0], true, false)
	check(t, err)
	x, _ := then[0].Sample(false)
	y, _ := now[0].Sample(false)
	moe, _ := c.MOE.Float64()
	near(t, "margin of periods that share two years of five", moe, acs.Difference(y, x).MOE*0.7745966692, 0.5)
	if c.Overlap != 0.4 || len(c.Notes) != 2 {
		t.Errorf("%v: %q", c.Overlap, c.Notes)
	}
	if same, err := acs.Compare(now[0], now[0], true, false); err != nil || same.Z != 0 || same.At90 || same.Difference.String() != "0" {
		t.Errorf("with itself: %+v, %v", same, err)
	}
	refused := map[string][2]acs.Figure{
		"fields": {a[0], a[1]}, "dollars": {figures(10001, acs.FigureOptions{}, 2021)[0], a[0]}, "year": {a[0], figures(99999, acs.FigureOptions{}, 2024)[0]},
	}
	bound := a[0]
	bound.MOE = acs.Null(store.ACSOpenInterval)
	refused["margin"] = [2]acs.Figure{a[0], bound}
	for name, pair := range refused {
		if c, err := acs.Compare(pair[0], pair[1], false, false); !errors.Is(err, acs.ErrNotComparable) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func FuzzParseArea(f *testing.F) {
	for _, s := range []string{"90210", "48029110100", "K1A", "", "9021０", "+9021"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, n, err := acs.ParseArea(s)
		if err == nil && (len(s) != 5 && len(s) != 11 || l == acs.ZCTA != (len(s) == 5) || n >= 1e11) {
			t.Errorf("%q is %v %d", s, l, n)
		}
		if _, err := acs.ParseFields(s); err == nil && strings.Count(s, ".") != 2 {
			t.Errorf("%q is a field", s)
		}
	})
}

// TestBoundaryNotes checks the notes about areas that not all vintages have.
func TestBoundaryNotes(t *testing.T) {
	r := acs.NewReader(vintages(t))
	fields := fieldsOf(t, "economic.commuting.workers_16_plus")
	part := func(geoids ...uint64) (list []acs.Part) {
		for _, g := range geoids {
			list = append(list, acs.Part{GEOID: g, Percent: 100})
		}
		return list
	}
	tests := []struct {
		name  string
		parts []acs.Part
		years []int
		want  []string
	}{
		{"in both", part(10001), nil, []string{"Figures to 2019 are of the area of the 2010 census"}},
		{"in both, but within one vintage", part(10001), []int{2021, 2023}, nil},
		{"in the old one", part(11111), []int{2023}, []string{"The area is in tables to 2019 only"}},
		{"in the new one", part(22222), nil, []string{"The area is in tables from 2020 on only"}},
		{"in none", part(33333), nil, nil},
		{"some of all", part(10001, 11111, 22222), nil, []string{"1 of 3 areas have figures to 2019", "1 of 3 areas are in tables to 2019", "1 of 3 areas are in tables from 2020"}},
		{"none at all", nil, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines, err := r.SeriesOf(t.Context(), tt.name, acs.ZCTA, tt.parts, fields, acs.SeriesOptions{Years: tt.years})
			check(t, err)
			notes := lines[0].Notes
			if len(notes) != len(tt.want) {
				t.Fatalf("%q, want %q", notes, tt.want)
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(notes[i], want) {
					t.Errorf("%q, want %q", notes[i], want)
				}
			}
		})
	}
}

// vintages has areas of one census, of the other and of both, with controlled
// estimates, ones without margins and zeros.
func vintages(t *testing.T) *store.Dataset {
	t.Helper()
	return economics(t, map[int][]uint64{2011: {10001}, 2019: {10001, 11111}, 2021: {10001, 22222}, 2023: {10001, 22222, 44444}})
}

// economics writes economic tables of some years with the areas of each.
func economics(t *testing.T, years map[int][]uint64) *store.Dataset {
	t.Helper()
	w := lookuptest.Create(t)
	marks := []store.ACSFigure{{N: 30, Mark: store.ACSNumber}, {Mark: store.ACSControlled}, {Mark: store.ACSNoMargin}}
	x, n := store.ACSFigure{Mark: store.ACSNotApplicable}, store.ACSFigure{N: 100, Mark: store.ACSNumber}
	for year, areas := range years {
		addTable(t, w, acs.ZCTA, acs.Economic, year, areas, func(area, _ int, c store.ACSColumn) store.ACSCell {
			cell := store.ACSCell{Estimate: n, MOE: marks[area%len(marks)]}
			switch c.Class {
			case store.ACSPercentOnly:
				return store.ACSCell{Estimate: x, MOE: x, Percent: n, PercentMOE: n}
			case store.ACSShare:
				cell.Percent, cell.PercentMOE = n, n
			default:
			}
			return cell
		})
	}
	return w.Open()
}

// TestBoundaryNotesOfMany counts the areas of each vintage by hand, and does so
// with and without tables in memory.
func TestBoundaryNotesOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 20))
	years := map[int][]uint64{2018: nil, 2019: nil, 2020: nil, 2022: nil}
	var parts []acs.Part
	both, old, young := 0, 0, 0
	for geoid := uint64(10_000); geoid < 10_900; geoid++ {
		var before, since bool
		for _, year := range []int{2018, 2019, 2020, 2022} {
			if rng.IntN(3) > 0 {
				years[year] = append(years[year], geoid)
				before, since = before || year < 2020, since || year >= 2020
			}
		}
		switch parts = append(parts, acs.Part{GEOID: geoid, Percent: 100}); {
		case before && since:
			both++
		case before:
			old++
		case since:
			young++
		}
	}
	d := economics(t, years)
	r := acs.NewReader(d)
	want := fmt.Sprintf("%d of 900 are in both, %d in the old one, %d in the new one", both, old, young)
	for _, memory := range []int64{0, store.DefaultACSMemory, store.DefaultACSMemory} {
		d.SetACSMemory(memory)
		lines, err := r.SeriesOf(t.Context(), "many", acs.ZCTA, parts, fieldsOf(t, "economic.commuting.workers_16_plus"), acs.SeriesOptions{})
		check(t, err)
		notes := lines[0].Notes
		if len(notes) != 3 {
			t.Fatalf("notes %q; want three", notes)
		}
		var n [3]int
		for i := range n {
			_, err := fmt.Sscanf(notes[i], "%d of 900", &n[i])
			check(t, err)
		}
		if got := fmt.Sprintf("%d of 900 are in both, %d in the old one, %d in the new one", n[0], n[1], n[2]); got != want {
			t.Errorf("with %d bytes of memory %s; want %s", memory, got, want)
		}
	}
}

// TestMarksOfMargins verifies that a controlled estimate has no error, and that a
// margin that cannot be computed leaves the sum without one.
func TestMarksOfMargins(t *testing.T) {
	r := acs.NewReader(vintages(t))
	fields := fieldsOf(t, "economic.commuting.workers_16_plus")
	for _, tt := range []struct {
		geoids   []uint64
		est, moe string
		basis    acs.MarginBasis
	}{
		{[]uint64{10001}, "100", "30", acs.PublishedMargin},
		{[]uint64{22222}, "100", "0", acs.PublishedMargin},
		{[]uint64{44444}, "100", "**", acs.NoMarginBasis},
		{[]uint64{10001, 22222}, "200", "30", acs.SummedMargin},
		{[]uint64{10001, 10001, 22222}, "300", "42", acs.SummedMargin},
		{[]uint64{10001, 44444}, "200", "**", acs.NoMarginBasis},
	} {
		var parts []acs.Part
		for _, g := range tt.geoids {
			parts = append(parts, acs.Part{GEOID: g, Percent: 100})
		}
		got, err := r.Figures(t.Context(), acs.ZCTA, parts, fields, []int{2023}, acs.FigureOptions{})
		check(t, err)
		if g := got[0]; g.Estimate.String() != tt.est || g.MOE.String() != tt.moe || g.MOEBasis != tt.basis || g.Covered != (acs.Value{}) {
			t.Errorf("%v: %v ± %v (%v), want %s ± %s (%v)", tt.geoids, g.Estimate, g.MOE, g.MOEBasis, tt.est, tt.moe, tt.basis)
		}
	}
}
