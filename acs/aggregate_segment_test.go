package acs_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
)

// patchy writes all profiles of two years of so many areas, in which tables
// lack rows and rows figures.
func patchy(tb testing.TB, areas int) *store.Dataset {
	tb.Helper()
	w := lookuptest.Create(tb)
	rng := rand.New(rand.NewPCG(12, 12))
	figure := func() store.ACSFigure {
		switch rng.IntN(12) {
		case 0:
			return store.ACSFigure{Mark: store.ACSTooFewSamples}
		case 1:
			return store.ACSFigure{N: rng.Int32N(300_000), Mark: store.ACSAtLeast}
		case 2:
			return store.ACSFigure{Mark: store.ACSNumber}
		default:
			return store.ACSFigure{N: rng.Int32N(1 << rng.IntN(18)), Mark: store.ACSNumber}
		}
	}
	plain := store.ACSFigure{N: 3, Mark: store.ACSNumber}
	margin := func(column int) store.ACSFigure {
		switch n := rng.IntN(40); {
		case n == 0 && column%7 == 3: // others have margins in every area
			return store.ACSFigure{Mark: store.ACSNoMargin}
		case n == 1 && column%7 == 3:
			return store.ACSFigure{Mark: store.ACSOpenInterval}
		case n < 5:
			return store.ACSFigure{Mark: store.ACSControlled}
		default:
			return store.ACSFigure{N: rng.Int32N(1 << rng.IntN(18)), Mark: store.ACSNumber}
		}
	}
	x := store.ACSFigure{Mark: store.ACSNotApplicable}
	for year := acs.LastYear - 1; year <= acs.LastYear; year++ {
		for _, p := range acs.AllProfiles() {
			var some []uint64
			for area := range areas {
				if rng.IntN(9) > 0 {
					some = append(some, uint64(10_000+area))
				}
			}
			addTable(tb, w, acs.ZCTA, p, year, some, func(_, i int, c store.ACSColumn) store.ACSCell {
				switch c.Class {
				case store.ACSPercentOnly:
					return store.ACSCell{Estimate: x, MOE: x, Percent: figure(), PercentMOE: margin(i)}
				case store.ACSShare:
					return store.ACSCell{Estimate: figure(), MOE: margin(i), Percent: plain, PercentMOE: plain}
				default:
					return store.ACSCell{Estimate: figure(), MOE: margin(i)}
				}
			})
		}
	}
	return w.Open()
}

// TestAggregateSegments checks sums made column by column against the
// same row by row: nothing differs, whatever is in memory.
func TestAggregateSegments(t *testing.T) {
	d := patchy(t, 900)
	rng := rand.New(rand.NewPCG(13, 13))
	all := sampleParts(d, func(int) float64 { return 100 })
	shares := sampleParts(d, func(int) float64 { return float64(rng.IntN(1001)) / 10 })
	var scattered []acs.Part
	for i, p := range shares {
		if i < 300 || i%9 == 0 { // segments in full, in part, and hardly
			scattered = append(scattered, p)
		}
		if i%31 == 0 {
			scattered = append(scattered, acs.Part{GEOID: p.GEOID, Percent: 33.3}, acs.Part{GEOID: 99_999, Percent: 50})
		}
	}
	everything := everything(t, acs.NewReader(d))
	for name, parts := range map[string][]acs.Part{"all": all, "shares": shares, "scattered": scattered, "few": shares[100:110], "nothing": nil, "of none": sampleParts(d, func(int) float64 { return 0 })} {
		for what, tags := range map[string][]acs.Tag{"all": everything, "economic": tags(t, "acs_economic"), "older": tags(t, "acs_social_2023", "acs_demographic_2023")} {
			t.Run(name+"/"+what, func(t *testing.T) {
				// A new reader has no cached weights.
				ask := func() *acs.AggregateResult {
					t.Helper()
					res, err := acs.NewReader(d).AggregateOf(t.Context(), acs.ZCTA, parts, tags, true, acs.Options{Bridged: true, Extras: true})
					check(t, err)
					return res
				}
				d.SetACSMemory(0)
				want := ask()
				if _, used := d.ACSMemory(); used != 0 {
					t.Errorf("%d bytes are in use, want none", used)
				}
				same := func(when string) {
					t.Helper()
					if diff := cmp.Diff(want, ask(), cmp.Comparer(func(a, b acs.Value) bool { return a == b }), cmp.AllowUnexported(acs.Profiles{}), cmp.Comparer(func(a, b acs.Metric) bool { return a == b })); diff != "" {
						t.Errorf("%s, column by column (-row by row +got):\n%s", when, diff)
					}
				}
				d.SetACSMemory(store.DefaultACSMemory)
				same("at first")
				_, used := d.ACSMemory()
				// Of few parts nothing is kept but the columns that weigh others.
				if least, most := int64(50_000), int64(20_000); len(parts) >= 256 && used < least || len(parts) < 256 && used > most {
					t.Errorf("%d bytes are in use for %d parts", used, len(parts))
				}
				same("again")
				d.SetACSMemory(used / 3)
				same("with some in memory")
			})
		}
	}
}

// TestFiguresSegments checks margins of error computed from columns
// against the same row by row, with any segments in memory.
func TestFiguresSegments(t *testing.T) {
	d := patchy(t, 700)
	rng := rand.New(rand.NewPCG(14, 14))
	fields := served(t)
	years := []int{acs.LastYear - 1, acs.LastYear}
	all := sampleParts(d, func(int) float64 { return 100 })
	shares := sampleParts(d, func(int) float64 { return float64(rng.IntN(1001)) / 10 })
	for name, parts := range map[string][]acs.Part{"all": all, "shares": append(shares[:300:300], shares[200:250]...), "few": shares[90:130], "one": all[:1], "nothing": nil} {
		t.Run(name, func(t *testing.T) {
			ask := func() []acs.Figure {
				t.Helper()
				list, err := acs.NewReader(d).Figures(t.Context(), acs.ZCTA, parts, fields, years, acs.FigureOptions{Options: acs.Options{Bridged: true}})
				check(t, err)
				return list
			}
			d.SetACSMemory(0)
			want := ask()
			margins := 0
			for i := range want {
				if want[i].MOE.IsNumber() {
					margins++
				}
			}
			if len(parts) > 0 && margins == 0 {
				t.Error("no figure has a margin; the test shows nothing")
			}
			same := func(when string) {
				t.Helper()
				if diff := cmp.Diff(want, ask(), cmp.Comparer(func(a, b acs.Value) bool { return a == b })); diff != "" {
					t.Errorf("%s, column by column (-row by row +got):\n%s", when, diff)
				}
			}
			d.SetACSMemory(store.DefaultACSMemory)
			same("at first")
			_, used := d.ACSMemory()
			same("again")
			d.SetACSMemory(used / 3)
			same("with some in memory")
		})
	}
}

// TestAggregateConcurrent reads the same and different years at once.
func TestAggregateConcurrent(t *testing.T) {
	d := patchy(t, 600)
	d.SetACSMemory(1 << 20)
	r := acs.NewReader(d)
	parts := sampleParts(d, func(i int) float64 { return float64(i % 101) })
	list := everything(t, r)
	want := make([]*acs.AggregateResult, 3)
	for i := range want {
		var err error
		want[i], err = acs.NewReader(d).AggregateOf(t.Context(), acs.ZCTA, parts[100*i:], list[i:i+4], true, acs.Options{})
		check(t, err)
	}
	d.SetACSMemory(0)
	d.SetACSMemory(1 << 20)
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			i := g % len(want)
			got, err := r.AggregateOf(t.Context(), acs.ZCTA, parts[100*i:], list[i:i+4], true, acs.Options{})
			if err != nil || !cmp.Equal(want[i], got, cmp.AllowUnexported(acs.Profiles{}), cmp.Comparer(func(a, b acs.Metric) bool { return a == b })) {
				t.Errorf("question %d has another answer, %v", i, err)
			}
		})
	}
	wg.Wait()
	if limit, used := d.ACSMemory(); used == 0 || used > limit {
		t.Errorf("%d of %d bytes are in use", used, limit)
	}
}
