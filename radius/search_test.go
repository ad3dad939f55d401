package radius_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/pace"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A found is what brute force says of a match.
type found struct {
	Code  string
	Miles float64
}

// brute measures every code with the exact geodesic, unless its latitude alone is too far: a
// degree has 110.5 km or more.
func (w *world) brute(center geo.LatLng, least, most geo.Meters, kinds ...lookup.CodeType) []found {
	type exact struct {
		found
		d geo.Meters
	}
	var all []exact
	for _, r := range w.rows {
		if !r.point.IsValid() || !slices.Contains(kinds, r.kind) || math.Abs(r.point.Lat()-center.Lat())*110_000 > float64(most) {
			continue
		}
		if d := geo.Distance(center, r.point); d >= least && d <= most {
			all = append(all, exact{found{r.code, geo.Round(float64(d.Miles()), 2)}, d})
		}
	}
	slices.SortFunc(all, func(a, b exact) int { return nearer(a.d, b.d, a.Code, b.Code) })
	out := make([]found, len(all))
	for i := range all {
		out[i] = all[i].found
	}
	return out
}

func matchesOf(res *radius.Result) []found {
	out := make([]found, len(res.Matches))
	for i, m := range res.Matches {
		out[i] = found{m.Code, float64(m.DistanceMiles)}
	}
	return out
}

func TestCentroidEqualsBruteForce(t *testing.T) {
	w := newWorld(t, 800, 50, 1_000)
	rng := rand.New(rand.NewPCG(1, 2))
	centers := 1000
	if testing.Short() {
		centers = 60
	}
	for range centers {
		row := w.rows[rng.IntN(len(w.rows))]
		center, at := row.code, row.point
		if !at.IsValid() {
			continue
		}
		if rng.IntN(2) == 0 {
			at = geo.MustLatLng(max(-90, min(90, at.Lat()+rng.NormFloat64())), at.Lng())
			center = at.String()
		}
		opt := radius.Options{Max: geo.Miles(math.Exp(rng.Float64() * math.Log(500)))}
		if rng.IntN(2) == 0 {
			opt.Min = opt.Max * geo.Miles(rng.Float64())
		}
		if rng.IntN(3) == 0 {
			opt.Limit = 1 + rng.IntN(40)
		}
		want := w.brute(at, opt.Min.Meters(), opt.Max.Meters(), lookup.ZIP, lookup.Postal)
		if rng.IntN(2) == 0 && len(want) > 0 { // a radius exactly on a point
			for _, r := range w.rows {
				if r.code == want[len(want)/2].Code {
					opt.Max, opt.Min = geo.Distance(at, r.point).Miles(), 0
				}
			}
			if opt.Max == 0 || opt.Max > 500 {
				continue
			}
			want = w.brute(at, 0, opt.Max.Meters(), lookup.ZIP, lookup.Postal)
		}
		res, err := w.engine.Search(t.Context(), center, opt)
		if err != nil {
			t.Fatalf("%s %+v: %v", center, opt, err)
		}
		total := len(want)
		if opt.Limit > 0 && opt.Limit < total {
			want = want[:opt.Limit]
			if res.Summary.Available == nil || *res.Summary.Available != total {
				t.Fatalf("%s %+v: %+v, want %d available", center, opt, res.Summary, total)
			}
			if n := res.Notices[len(res.Notices)-1]; n != notice.Capped(opt.Limit, total) {
				t.Fatalf("%s %+v: notice %+v", center, opt, n)
			}
		} else if res.Summary.Available != nil {
			t.Fatalf("%s %+v: %d available", center, opt, *res.Summary.Available)
		}
		if diff := cmp.Diff(want, matchesOf(res)); diff != "" {
			t.Fatalf("%s %+v (-want +got):\n%s", center, opt, diff)
		}
		if got := res.Summary.USZIPCount + res.Summary.CAPostalCount; got != res.Summary.TotalCount || got != len(want) || res.Summary.CAFSACount != 0 {
			t.Fatalf("%s %+v: %+v, want %d", center, opt, res.Summary, len(want))
		}
	}
}

func TestResultsAreCapped(t *testing.T) {
	w := newWorld(t, 2_000, 10, 40_000)
	res, err := w.engine.Search(t.Context(), "45,-95", radius.Options{Max: 500})
	check(t, err)
	want := w.brute(geo.MustLatLng(45, -95), 0, geo.Miles(500).Meters(), lookup.ZIP, lookup.Postal)
	if len(want) <= radius.MaxMatches {
		t.Fatalf("the world has only %d codes there", len(want))
	}
	if diff := cmp.Diff(want[:radius.MaxMatches], matchesOf(res)); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
	if *res.Summary.Available != len(want) || res.Summary.TotalCount != radius.MaxMatches {
		t.Errorf("%+v, want %d available", res.Summary, len(want))
	}
	if diff := cmp.Diff([]envelope.Notice{notice.Points("45", "-95"), notice.Capped(radius.MaxMatches, len(want))}, res.Notices); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
}

func TestGoldenSearches(t *testing.T) {
	e := radius.NewEngine(newReader(t))
	for _, c := range []struct {
		file, center string
		opt          radius.Options
	}{
		{"radius_zip", "90210", radius.Options{Max: 25}},
		{"radius_zip4_ring", "902101234", radius.Options{Max: 400.5, Min: 1, Include: radius.Include{Timezone: true, ACS: []acs.Tag{{Profile: acs.Social}}, Dropped: []string{"cd"}}}},
		{"radius_coordinates", "45.4, -75.7", radius.Options{Max: 10, Limit: 1, Include: radius.Include{Timezone: true}}},
		{"radius_nothing", "0,0", radius.Options{Max: 500, Include: radius.Include{Timezone: true}}},
		{"radius_postal_auto", "k1a0b1", radius.Options{Auto: radius.Density}},
		{"radius_fsa_commute", "K1A", radius.Options{Auto: radius.Commute, Min: 0.5}},
		{"radius_spatial", "90210", radius.Options{Max: 50, Mode: radius.Spatial}},
	} {
		t.Run(c.file, func(t *testing.T) {
			res, err := e.Search(t.Context(), c.center, c.opt)
			check(t, err)
			lookuptest.Golden(t, c.file, res, *update)
		})
	}
}

// TestFailures compares the failures of calls with testdata/failures.txt.
func TestFailures(t *testing.T) {
	r := newReader(t)
	e := radius.NewEngine(r)
	lookuptest.Table(t, "failures.txt", *update, func(text string) string {
		ctx, w := t.Context(), append(strings.Split(text, " | "), "")
		o := options{}
		for _, option := range strings.Fields(w[2]) {
			key, value, _ := strings.Cut(option, "=")
			o[key] = value
		}
		var err error
		switch w[0] {
		case "search":
			opt := radius.Options{Max: o.miles("max"), Min: o.miles("min"), Limit: int(o.miles("limit")), Mode: radius.Mode(o["mode"]), Auto: radius.Auto(o["auto"])}
			_, err = e.Search(ctx, w[1], opt)
		case "nearest":
			_, err = e.Nearest(ctx, w[1], radius.NearestOptions{Count: int(o.miles("count")), Max: o.miles("max"), Mode: radius.Mode(o["mode"])})
		case "distance":
			_, err = radius.Distance(ctx, r, w[1], w[2], radius.DistanceOptions{})
		case "auto":
			_, err = e.AutoRadius(ctx, w[1], radius.Auto(w[2]))
		case "max":
			miles, auto, failed := radius.ParseMax(w[1])
			if err = failed; err == nil {
				return strings.TrimSpace(fmt.Sprint(float64(miles), " ", auto))
			}
		}
		failure := envelope.FaultOf(err)
		if failure == nil {
			t.Fatalf("%s: %v; want a failure", text, err)
		}
		if notFound := errors.Is(err, envelope.ErrNotFound); notFound != (failure.Code.Status() == 200) {
			t.Errorf("%s: %v matches ErrNotFound: %t", text, err, notFound)
		}
		out := string(failure.Code) + " " + failure.Message
		if end := envelope.AsFailure(err); end.Reason == envelope.ReasonPointless {
			out += " *"
		}
		return out
	})
}

type options map[string]string

func (o options) miles(key string) geo.Miles {
	v, _ := strconv.ParseFloat(o[key], 64)
	return geo.Miles(v)
}

// TestCanceled makes calls with a context that has ended.
func TestCanceled(t *testing.T) {
	r := newReader(t)
	e := radius.NewEngine(r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, search := e.Search(ctx, "90210", radius.Options{Max: 1})
	_, auto := e.AutoRadius(ctx, "40,-100", radius.Density)
	_, distance := radius.Distance(ctx, r, "90210-1234", "10001", radius.DistanceOptions{})
	_, polygon := e.InPolygon(ctx, orb.Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}}, radius.PolygonOptions{})
	for name, err := range map[string]error{"search": search, "auto": auto, "distance": distance, "polygon": polygon, "prepare": e.Prepare(ctx)} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, e.Prepare(t.Context()))
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"25", "auto", "auto-commute", "AUTO ", "1e309", "-0", "0x1p4", "NaN", "1.5", "", " 7 "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		miles, auto, err := radius.ParseMax(s)
		if ok := err == nil; ok != (auto != "" || miles > 0 && !math.IsInf(float64(miles), 0)) || auto != "" && miles != 0 {
			t.Errorf("max %q: %v %v, %v", s, miles, auto, err)
		}
	})
}

// TestAutoRadiusIsWhatIsSearched holds that the radius is known before the
// search that uses it.
func TestAutoRadiusIsWhatIsSearched(t *testing.T) {
	e := newWorld(t, 200, 20, 100).fresh(t)
	for _, center := range []string{"40,-100", "45.4,-75.7", "61,-150"} {
		for _, rule := range []radius.Auto{radius.Density, radius.Commute} {
			miles, err := e.AutoRadius(t.Context(), center, rule)
			check(t, err)
			res, err := e.Search(t.Context(), center, radius.Options{Auto: rule})
			check(t, err)
			if miles != res.Search.Max {
				t.Errorf("%s %v: %v miles, the search has %v", center, rule, miles, res.Search.Max)
			}
		}
	}
}

// TestPolygonSteps checks that a search in a polygon with many long edges steps aside
// often, in every part of its work, and that an error of a step ends it.
func TestPolygonSteps(t *testing.T) {
	w := newWorld(t, 2000, 200, 2000)
	const teeth = 2000
	ring := orb.Ring{}
	for i := range teeth {
		x, width := -170+340*float64(i)/teeth, 340.0/teeth
		ring = append(ring, orb.Point{x, -60}, orb.Point{x + width/2, 60})
	}
	ring = append(ring, orb.Point{170, -60}, orb.Point{170, -61}, orb.Point{-170, -61}, ring[0])
	away := errors.New("away")
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		steps, last := 0, -1
		ctx := pace.With(t.Context(), func(context.Context) error {
			if steps++; steps == last {
				return away
			}
			return nil
		})
		search := func() error {
			steps = 0
			_, err := w.engine.InPolygon(ctx, orb.Polygon{ring}, radius.PolygonOptions{Mode: mode})
			return err
		}
		if err := search(); err != nil || steps < 20 {
			t.Errorf("%s: %d steps, %v; want more", mode, steps, err)
		}
		all := steps
		for last = 1; last <= all; last += 1 + all/10 {
			if err := search(); !errors.Is(err, away) || steps > last {
				t.Errorf("%s: step %d of %d fails: %v after %d", mode, last, all, err, steps)
			}
		}
	}
}

// sampleEngine searches the embedded dataset.
func sampleEngine(tb testing.TB) *radius.Engine {
	tb.Helper()
	d := lookuptest.Sample(tb)
	r := lookuptest.Reader(tb, d)
	return radius.NewEngine(r)
}

func surveyTags(tb testing.TB, flags ...string) []acs.Tag {
	tb.Helper()
	inc, unknown := radius.ParseInclude(flags)
	if len(unknown) > 0 {
		tb.Fatal(unknown)
	}
	return inc.ACS
}

// TestStats holds what a search sums up: everything inside, whatever is cut.
func TestStats(t *testing.T) {
	e := sampleEngine(t)
	search := func(center string, opt radius.Options, flags ...string) *radius.Result {
		t.Helper()
		opt.Include.ACS = surveyTags(t, flags...)
		res, err := e.Search(t.Context(), center, opt)
		check(t, err)
		lookuptest.JSON(t, res)
		return res
	}
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		all := search("98101", radius.Options{Max: 25, Mode: mode}, "acs_housing", "acs_social_2012")
		cut := search("98101", radius.Options{Max: 25, Mode: mode, Limit: 1}, "acs_housing", "acs_social_2012")
		if len(cut.Matches) != 1 || len(all.Matches) < 10 {
			t.Fatalf("%v: %d and %d matches", mode, len(cut.Matches), len(all.Matches))
		}
		if diff := cmp.Diff(string(lookuptest.JSON(t, all.Stats)), string(lookuptest.JSON(t, cut.Stats))); diff != "" {
			t.Errorf("%v: a limit changes the aggregates (-want +got):\n%s", mode, diff)
		}
		if diff := cmp.Diff([]string{"acs_housing", "acs_social_2012"}, all.Delivered); diff != "" {
			t.Errorf("%v: delivered (-want +got):\n%s", mode, diff)
		}
		now := all.Stats.ACS[0]
		if !now.Current || now.WithData+now.WithoutData != all.Summary.USZIPCount || now.WithData == 0 {
			t.Errorf("%v: %d with data and %d without among %d", mode, now.WithData, now.WithoutData, all.Summary.USZIPCount)
		}
		// What lies nearer is left out.
		ring := search("98101", radius.Options{Max: 25, Min: 1, Mode: mode}, "acs_housing").Stats.ACS[0]
		if ring.WithData >= now.WithData {
			t.Errorf("%v: %d in the ring, %d in the circle", mode, ring.WithData, now.WithData)
		}
	}
	for _, center := range []string{"K1A", "0,0"} {
		res := search(center, radius.Options{Max: 1}, "acs_housing", "acs_housing_2024", "acs_social_2012")
		if res.Stats != nil || len(res.Delivered) != 0 {
			t.Errorf("%s: %+v, delivered %v", center, res.Stats, res.Delivered)
		}
		if n := res.Notices[len(res.Notices)-1]; !strings.HasSuffix(n.Message, ": acs_housing, acs_social_2012.") {
			t.Errorf("%s: %+v", center, res.Notices)
		}
	}
}

// TestCommute holds radii against the travel times of the embedded dataset.
func TestCommute(t *testing.T) {
	e := sampleEngine(t)
	minutes := func(zip string) float64 {
		res, err := e.Search(t.Context(), zip, radius.Options{Max: 0.001, Include: radius.Include{ACS: surveyTags(t, "acs_economic")}})
		check(t, err)
		v, ok := res.Stats.ACS[0].Metric(acs.MustField("economic.commuting.mean_travel_time_minutes")).Estimate.Float64()
		if !ok {
			t.Fatalf("nobody travels to work from %s", zip)
		}
		return v
	}
	for _, zip := range []string{"10001", "90210"} {
		want := geo.Miles(math.Round(10*min(max(0.6*minutes(zip), 3), 100)) / 10)
		res, err := e.Search(t.Context(), zip, radius.Options{Auto: radius.Commute})
		check(t, err)
		if res.Search.Max != want || res.Search.AutoMode != radius.Commute || len(res.Notices) != 0 {
			t.Errorf("%s: %v miles by %v with %v, want %v by commute", zip, res.Search.Max, res.Search.AutoMode, res.Notices, want)
		}
		// A coordinate is served by the ZIP Code around it.
		at := res.Search.Center.Location
		lat, lng := strconv.FormatFloat(at.Lat(), 'f', -1, 64), strconv.FormatFloat(at.Lng(), 'f', -1, 64)
		if got, err := e.AutoRadius(t.Context(), lat+","+lng, radius.Commute); err != nil || got != want {
			t.Errorf("%s,%s: %v miles, %v; want %v", lat, lng, got, err, want)
		}
	}
	for _, center := range []string{"M5V", "0,0"} {
		res, err := e.Search(t.Context(), center, radius.Options{Auto: radius.Commute})
		check(t, err)
		var codes []string
		for _, n := range res.Notices {
			codes = append(codes, string(n.Code))
		}
		want := "AUTO_COMMUTE_FALLBACK"
		if center == "0,0" { // nobody lives there
			want = "COORDINATES_USED AUTO_COMMUTE_FALLBACK AUTO_DENSITY_DEFAULT"
		}
		if res.Search.AutoMode != radius.Density || strings.Join(codes, " ") != want {
			t.Errorf("%s: %v with %v", center, res.Search.AutoMode, res.Notices)
		}
	}
}
