package radius_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

func TestNearestEqualsBruteForce(t *testing.T) {
	w := newWorld(t, 2_000, 300, 3_000)
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		at := geo.MustLatLng(-90+180*rng.Float64(), -180+360*rng.Float64())
		opt := radius.NearestOptions{Count: rng.IntN(30), Mode: []radius.Mode{radius.Centroid, radius.Spatial}[rng.IntN(2)]}
		most := geo.Meters(3e7)
		if rng.IntN(2) == 0 {
			opt.Max = geo.Miles(1000 * rng.Float64())
			most = opt.Max.Meters()
		}
		other := lookup.Postal
		if opt.Mode == radius.Spatial {
			other = lookup.FSA
		}
		want := w.brute(at, 0, most, lookup.ZIP, other)
		want = want[:min(len(want), max(opt.Count, 1))]
		res, err := w.engine.Nearest(t.Context(), at.String(), opt)
		check(t, err)
		got := make([]found, len(res.Matches))
		for i, m := range res.Matches {
			got[i] = found{m.Code, float64(m.DistanceMiles)}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v %+v (-want +got):\n%s", at, opt, diff)
		}
	}
}

func TestBoundary(t *testing.T) {
	e := radius.NewEngine(newReader(t))
	for _, c := range []struct {
		from, code, of string
		inside         bool
		miles          geo.Miles
	}{
		{"34.1,-118.41", "90210", "90210", true, 2.29}, // to the eastern edge
		{"34.1,-118.36", "90210-1234", "90210", false, 0.57},
		{"45.4,-75.7", "K1A 0B1", "K1A", true, 1.38},
		{"34.05,-118.4", "90210", "90210", true, 0}, // on the edge
	} {
		res, err := e.Boundary(t.Context(), c.from, c.code)
		if err != nil {
			t.Errorf("%s to %s: %v", c.from, c.code, err)
			continue
		}
		if res.Code != c.of || res.Inside != c.inside || res.Distance.Miles != c.miles {
			t.Errorf("%s to %s: %s inside %t, %v, want %+v", c.from, c.code, res.Code, res.Inside, res.Distance, c)
		}
	}
	for code, want := range map[string]error{
		"00601": envelope.ErrUnavailable, "09012": envelope.ErrUnavailable, "20500": envelope.ErrUnavailable, "H0H 0H0": envelope.ErrUnavailable,
		"00602": envelope.ErrNotFound, "1,2": envelope.ErrInvalidCode, "K1B": envelope.ErrNotFound,
	} {
		_, err := e.Boundary(t.Context(), "1,2", code)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", code, err, want)
		}
	}
}

// A dataset without FSAs cannot deny one (decision D33).
func TestBoundaryOfUnknownKind(t *testing.T) {
	e := newWorld(t, 5, 0, 0).fresh(t)
	if _, err := e.Boundary(t.Context(), "1,2", "K1A"); !errors.Is(err, envelope.ErrUnavailable) {
		t.Errorf("got %v, want unavailable", err)
	}
	if _, err := e.Boundary(t.Context(), "1,2", "99950"); !errors.Is(err, envelope.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
}

func TestInPolygon(t *testing.T) {
	w := newWorld(t, 800, 200, 500)
	outlines := make([]*spatial.Outline, len(w.rows))
	for i, r := range w.rows {
		if r.area != nil {
			outlines[i] = outline(t, r.area.Polygons(r.at))
		}
	}
	rng := rand.New(rand.NewPCG(9, 10))
	var meter spatial.OverlapMeter
	shares, polygons := 0, 25
	if testing.Short() {
		polygons = 8
	}
	for range polygons {
		x, y := -115+30*rng.Float64(), 30+25*rng.Float64()
		if rng.IntN(4) == 0 {
			x, y = 178+3*rng.Float64(), 60*rng.Float64()
		}
		var ring orb.Ring
		for k := range 7 {
			r := 0.3 + 2*rng.Float64()
			lng := x + r*math.Cos(float64(k)*2*math.Pi/7)
			if lng > 180 {
				lng -= 360
			}
			ring = append(ring, orb.Point{lng, y + r*math.Sin(float64(k)*2*math.Pi/7)})
		}
		polygon := orb.MultiPolygon{{append(ring, ring[0])}}
		searched := outline(t, polygon)
		for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
			want := map[string]float64{}
			var b spatial.PolygonIndexBuilder
			check(t, b.Add(polygon))
			packed, err := b.AppendBinary(nil)
			check(t, err)
			one, err := spatial.DecodePolygonIndex(packed)
			check(t, err)
			for i, r := range w.rows {
				switch {
				case !r.point.IsValid() || r.kind == lookup.FSA && mode == radius.Centroid || r.kind == lookup.Postal && mode == radius.Spatial:
				case mode == radius.Spatial && r.area != nil:
					if a := meter.Area(searched, outlines[i]); a >= 1 {
						want[r.code] = geo.Round(float64(100*a/r.area.Area(r.at)), 1)
						shares++
					}
				case one.Covers(0, r.point):
					want[r.code] = -1
				}
			}
			res, err := w.engine.InPolygon(t.Context(), polygon, radius.PolygonOptions{Mode: mode})
			check(t, err)
			if diff := cmp.Diff(want, sharesOf(res)); diff != "" {
				t.Fatalf("%v in %v mode (-want +got):\n%s", polygon, mode, diff)
			}
		}
	}
	if shares < 2*polygons {
		t.Errorf("only %d shares were measured", shares)
	}
}

// sharesOf returns the share of each match inside, -1 if it is a point.
func sharesOf(res *radius.PolygonResult) map[string]float64 {
	shares := map[string]float64{}
	for _, m := range res.Matches {
		shares[m.Code] = -1
		if m.PctInside != nil {
			shares[m.Code] = *m.PctInside
		}
	}
	return shares
}

// TestCrossingPolygon compares rings that cross themselves with the same polygons drawn
// without crossings, in both modes.
func TestCrossingPolygon(t *testing.T) {
	w := newWorld(t, 800, 200, 500)
	found := 0
	for _, tt := range []struct {
		name  string
		ring  orb.Ring
		valid orb.MultiPolygon
	}{
		{
			"figure of eight",
			orb.Ring{{-112, 32}, {-92, 52}, {-92, 32}, {-112, 52}, {-112, 32}},
			orb.MultiPolygon{{{{-112, 32}, {-102, 42}, {-112, 52}, {-112, 32}}}, {{{-92, 32}, {-92, 52}, {-102, 42}, {-92, 32}}}},
		},
		{
			"twice around",
			orb.Ring{{-112, 32}, {-92, 32}, {-92, 52}, {-112, 52}, {-112, 32}, {-92, 32}, {-92, 52}, {-112, 52}, {-112, 32}},
			orb.MultiPolygon{{{{-112, 32}, {-92, 32}, {-92, 52}, {-112, 52}, {-112, 32}}}},
		},
	} {
		for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
			got, err := w.engine.InPolygon(t.Context(), orb.Polygon{tt.ring}, radius.PolygonOptions{Mode: mode})
			check(t, err)
			want, err := w.engine.InPolygon(t.Context(), tt.valid, radius.PolygonOptions{Mode: mode})
			check(t, err)
			if diff := cmp.Diff(sharesOf(want), sharesOf(got)); diff != "" {
				t.Errorf("%s in %v mode (-want +got):\n%s", tt.name, mode, diff)
			}
			found += len(want.Matches)
		}
	}
	if found < 100 {
		t.Errorf("only %d codes are found", found)
	}
}

func outline(t *testing.T, m orb.MultiPolygon) *spatial.Outline {
	t.Helper()
	o, err := spatial.NewOutline(m)
	check(t, err)
	return o
}

func TestInPolygonFailures(t *testing.T) {
	e := radius.NewEngine(newReader(t))
	for _, g := range []orb.Geometry{
		nil,
		orb.Point{1, 2},
		orb.Polygon{},
		orb.MultiPolygon{},
		orb.Polygon{{}},
		orb.Polygon{{{0, 0}, {1, 1}, {0, 0}}},
		orb.Polygon{{{0, 0}, {math.NaN(), 1}, {1, 1}, {0, 0}}},
		orb.Polygon{{{0, 0}, {0, 91}, {1, 1}, {0, 0}}},
		orb.Polygon{make(orb.Ring, radius.MaxPolygonVertices+1)},
	} {
		if res, err := e.InPolygon(t.Context(), g, radius.PolygonOptions{}); !errors.Is(err, envelope.ErrInvalidParam) {
			t.Errorf("%T: %+v, %v", g, res, err)
		}
	}
	square := orb.Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}}
	if _, err := e.InPolygon(t.Context(), square, radius.PolygonOptions{Mode: "square"}); !errors.Is(err, envelope.ErrInvalidParam) {
		t.Errorf("with an unknown mode: %v", err)
	}
}

// TestInPolygonSorts holds the order of many matches, and that a search ends
// with its context wherever it is.
func TestInPolygonSorts(t *testing.T) {
	w := newWorld(t, 10, 10, 13_000)
	check(t, w.engine.Prepare(t.Context()))
	box := orb.Polygon{{{-125, 20}, {-70, 20}, {-70, 60}, {-125, 60}}}
	whole := &checked{Context: t.Context(), left: math.MaxInt}
	res, err := w.engine.InPolygon(whole, box, radius.PolygonOptions{})
	check(t, err)
	before := func(a, b radius.Match) int {
		return nearer(geo.Distance(res.Center, a.Location), geo.Distance(res.Center, b.Location), a.Code, b.Code)
	}
	if len(res.Matches) < 8_500 || !slices.IsSortedFunc(res.Matches, before) {
		t.Errorf("%d matches, sorted: %t", len(res.Matches), slices.IsSortedFunc(res.Matches, before))
	}
	for left := range whole.asked {
		ctx := &checked{Context: t.Context(), left: left}
		if _, err := w.engine.InPolygon(ctx, box, radius.PolygonOptions{}); !errors.Is(err, context.Canceled) || ctx.asked > left+2 {
			t.Errorf("canceled at check %d of %d: %v after %d", left, whole.asked, err, ctx.asked)
		}
	}
}

// A checked context is canceled at a check.
type checked struct {
	context.Context
	left, asked int
}

func (c *checked) Err() error {
	c.asked++
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestDistances(t *testing.T) {
	r := newReader(t)
	from, to := []string{"90210", "K1A 9Z9"}, []string{"10001", "0,0", "90210"}
	m, err := radius.DistanceMatrix(t.Context(), r, from, to, radius.DistanceOptions{})
	check(t, err)
	for i := range from {
		for j := range to {
			one, err := radius.Distance(t.Context(), r, from[i], to[j], radius.DistanceOptions{})
			if err != nil || one.Distance.Miles != m.Miles[i][j] {
				t.Errorf("%s to %s: %v, want %v, %v", from[i], to[j], m.Miles[i][j], one.Distance.Miles, err)
			}
			same := cmp.Comparer(func(a, b geo.LatLng) bool { return a == b })
			if diff := cmp.Diff([]radius.End{one.From, one.To}, []radius.End{m.From[i], m.To[j]}, same); diff != "" {
				t.Errorf("%s to %s: the ends (-want +got):\n%s", from[i], to[j], diff)
			}
		}
	}
	var end *envelope.Failure
	if _, err := radius.DistanceMatrix(t.Context(), r, from, []string{"99999"}, radius.DistanceOptions{}); !errors.As(err, &end) || end.Param != "to" {
		t.Errorf("an unknown end: %v", err)
	}
	for _, tt := range []struct{ from, to, want string }{
		{"xx", "90210", `postgeo: distance: invalid from FSA "xx"; `},
		{"90210", "xx", `postgeo: distance: invalid to FSA "xx"; `},
		{"99999", "90210", `postgeo: distance: from ZIP code "99999" not found`},
		{"90210", "09012", `postgeo: distance: to ZIP code "09012" has no location`},
	} {
		_, err := radius.DistanceMatrix(t.Context(), r, []string{"10001", tt.from}, []string{"10001", tt.to}, radius.DistanceOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Count(err.Error(), "radius: ") > 1 {
			t.Errorf("%s to %s: %v, want %s", tt.from, tt.to, err, tt.want)
		}
		_, err = radius.Distance(t.Context(), r, tt.from, tt.to, radius.DistanceOptions{})
		if want := strings.Replace(tt.want, "[1]", "", 1); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Count(err.Error(), "radius: ") > 1 {
			t.Errorf("%s to %s alone: %v, want %s", tt.from, tt.to, err, want)
		}
	}
}

func TestPairsWithin(t *testing.T) {
	w := newWorld(t, 200, 10, 200)
	r := lookuptest.Reader(t, w.data)
	var codes []string
	var points []geo.LatLng
	for _, row := range w.rows {
		if row.point.IsValid() {
			codes, points = append(codes, row.code), append(points, row.point)
		}
	}
	const most = geo.Meters(150_000)
	want := map[[2]int]bool{}
	for i := range points {
		for j := i + 1; j < len(points); j++ {
			if geo.Distance(points[i], points[j]) <= most {
				want[[2]int{i, j}] = true
			}
		}
	}
	got := map[[2]int]bool{}
	for p, err := range radius.PairsWithin(t.Context(), r, codes, most) {
		check(t, err)
		if d := geo.Distance(points[p.A], points[p.B]); math.Abs(float64(d-p.Distance)) > 0.01 {
			t.Errorf("%d and %d are %v apart, want %v", p.A, p.B, p.Distance, d)
		}
		got[[2]int{p.A, p.B}] = true
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("%d pairs (-want +got):\n%s", len(want), diff)
	}
	for range radius.PairsWithin(t.Context(), r, codes, most) {
		break // a caller may stop
	}
	for _, err := range radius.PairsWithin(t.Context(), r, []string{"90210", "x"}, most) {
		if err == nil {
			t.Error("a code that is none gives no error")
		}
	}
}

func FuzzInPolygon(f *testing.F) {
	for _, s := range []string{
		`{"type":"Polygon","coordinates":[[[-119,33],[-118,33],[-118,35],[-119,33]]]}`,
		`{"type":"MultiPolygon","coordinates":[[[[179,50],[-179,50],[-179,53],[179,50]]],[[[0,0],[1,0],[1,1],[0,0]],[[0.5,0.2],[0.6,0.2],[0.6,0.3],[0.5,0.2]]]]}`,
		`{"type":"Polygon","coordinates":[[[-180,80],[-60,80],[60,80],[-180,80]]]}`,
		`{"type":"Polygon","coordinates":[[]]}`,
		`{"type":"Point","coordinates":[1,2]}`,
	} {
		f.Add([]byte(s))
	}
	e := radius.NewEngine(newReader(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := geojson.ParsePolygons(data)
		if err != nil {
			return
		}
		for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
			res, err := e.InPolygon(t.Context(), g, radius.PolygonOptions{Mode: mode})
			if err != nil {
				if !errors.Is(err, envelope.ErrInvalidParam) {
					t.Fatalf("%s: %v", data, err)
				}
				continue
			}
			for _, m := range res.Matches {
				if m.PctInside != nil && !(*m.PctInside >= 0 && *m.PctInside <= 100) {
					t.Fatalf("%s: %v%% of %s", data, *m.PctInside, m.Code)
				}
			}
		}
	})
}

var check = checktest.Check
