package radius_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/radius"
)

// A point is a match as points show it.
type point struct {
	Code     string
	Lon, Lat int // steps
	Inside   string
}

func pointsOf(p *radius.Points) (list []point) {
	at, n := [2]int{}, 0
	for _, group := range p.Codes {
		for _, ending := range group[1:] {
			at[0] += int(p.Locations[2*n])
			at[1] += int(p.Locations[2*n+1])
			share := ""
			if p.PctInside != nil {
				share = percent(p.PctInside[n])
			}
			list = append(list, point{group[0] + ending, at[0], at[1], share})
			n++
		}
	}
	return list
}

func percent(share *float64) string {
	if share == nil {
		return "none"
	}
	return fmt.Sprint(*share)
}

// TestPoints compares points with the matches of the same search without a limit.
func TestPoints(t *testing.T) {
	w := newWorld(t, 2_000, 300, 3_000)
	rng := rand.New(rand.NewPCG(5, 6))
	searches, most := 0, 0
	for range 60 {
		center := fmt.Sprintf("%v,%v", 36+rng.IntN(18), -109+rng.IntN(28))
		opt := radius.Options{Max: geo.Miles(20 + rng.IntN(230)), Mode: radius.Mode(rng.IntN(2))}
		if rng.IntN(3) == 0 {
			opt.Min = opt.Max / 2
		}
		full, err := w.engine.Search(t.Context(), center, opt)
		if err != nil {
			t.Fatal(err)
		}
		opt.Limit, opt.Points = 1+rng.IntN(20), []float64{radius.MinStep, 0.01, 0.3, radius.MaxStep}[rng.IntN(4)]
		var want []point
		for _, m := range full.Matches {
			p := point{Code: m.Code, Lon: int(math.Round(m.Location.Lng() / opt.Points)), Lat: int(math.Round(m.Location.Lat() / opt.Points))}
			if opt.Mode == radius.Spatial {
				p.Inside = percent(m.PctInside)
			}
			want = append(want, p)
		}
		slices.SortFunc(want, func(a, b point) int { return strings.Compare(a.Code, b.Code) })
		got, err := w.engine.Search(t.Context(), center, opt)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, pointsOf(got.Points)); diff != "" {
			t.Fatalf("%s %+v (-want +got):\n%s", center, opt, diff)
		}
		if diff := cmp.Diff(matchesOf(full)[:min(opt.Limit, len(full.Matches))], matchesOf(got)); diff != "" {
			t.Fatalf("%s %+v: matches (-want +got):\n%s", center, opt, diff)
		}
		if n := got.Summary.Available; len(full.Matches) > opt.Limit && (n == nil || *n != len(full.Matches)) {
			t.Errorf("%s %+v: summary %+v of %d", center, opt, got.Summary, len(full.Matches))
		}
		searches++
		most = max(most, len(want))
	}
	if most < 300 {
		t.Errorf("the largest of %d searches has %d points", searches, most)
	}
}

// TestPointsCapped compares the points of a search with too many matches with its
// matches without a limit.
func TestPointsCapped(t *testing.T) {
	w := newWorld(t, 36_000, 50, 100)
	full, err := w.engine.Search(t.Context(), "45,-95", radius.Options{Max: 500})
	if err != nil || len(full.Matches) != radius.MaxMatches {
		t.Fatal(len(full.Matches), err)
	}
	res, err := w.engine.Search(t.Context(), "45,-95", radius.Options{Max: 500, Limit: 3, Points: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, m := range full.Matches {
		want = append(want, m.Code)
	}
	slices.Sort(want)
	for _, p := range pointsOf(res.Points) {
		got = append(got, p.Code)
	}
	if diff := cmp.Diff(want, got); diff != "" || *res.Summary.Available != *full.Summary.Available {
		t.Errorf("%d points of %d (-want +got):\n%.2000s", len(got), *res.Summary.Available, diff)
	}
}

// TestPointsRange refuses steps that are too small or too large.
func TestPointsRange(t *testing.T) {
	for _, step := range []float64{-0.01, 9.9e-5, 1.01, math.NaN(), math.Inf(1), 5e-324} {
		o := radius.Options{Max: 5, Points: step}
		if err := o.Check(); !errors.Is(err, fault.ErrInvalidParam) {
			t.Errorf("%v: %v", step, err)
		}
	}
	for _, step := range []float64{0, radius.MinStep, radius.MaxStep} {
		o := radius.Options{Max: 5, Points: step}
		if err := o.Check(); err != nil {
			t.Errorf("%v: %v", step, err)
		}
	}
}
