package radius_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A shared is what brute force says of a match in spatial mode; Pct is -1 for
// a point.
type shared struct {
	Code       string
	Miles, Pct float64
}

// bruteSpatial measures every area against the circles.
func (w *world) bruteSpatial(t *testing.T, center geo.LatLng, least, most geo.Meters) []shared {
	t.Helper()
	type exact struct {
		shared
		d geo.Meters
	}
	circle := func(r geo.Meters) *spatial.Circle {
		c, err := spatial.NewCircle(center, r)
		check(t, err)
		return c
	}
	outer := circle(most)
	inner := outer
	if least > 0 {
		inner = circle(least)
	}
	var all []exact
	for _, r := range w.rows {
		if !r.point.IsValid() || r.kind == lookup.Postal {
			continue
		}
		d := geo.Distance(center, r.point)
		pct := -1.0
		if r.area != nil {
			pct = r.area.Share(r.at, outer)
			if least > 0 {
				pct -= r.area.Share(r.at, inner)
			}
			if pct < 1e-9 {
				continue
			}
		} else if d < least || d > most {
			continue
		}
		all = append(all, exact{shared{r.code, geo.Round(float64(d.Miles()), 2), pct}, d})
	}
	slices.SortFunc(all, func(a, b exact) int { return nearer(a.d, b.d, a.Code, b.Code) })
	out := make([]shared, len(all))
	for i := range all {
		out[i] = all[i].shared
	}
	return out
}

func TestSpatialEqualsBruteForce(t *testing.T) {
	w := newWorld(t, 2_000, 500, 10)
	rng := rand.New(rand.NewPCG(5, 6))
	searches, matches, outside := 0, 0, 0
	for searches < 80 {
		row := w.rows[rng.IntN(len(w.rows))]
		if !row.point.IsValid() {
			continue
		}
		searches++
		at := geo.MustLatLng(max(-90, min(90, row.point.Lat()+rng.NormFloat64()/3)), row.point.Lng())
		opt := radius.Options{Mode: radius.Spatial, Max: geo.Miles(math.Exp(rng.Float64() * math.Log(250)))}
		if rng.IntN(2) == 0 {
			opt.Min = opt.Max * geo.Miles(rng.Float64())
		}
		want := w.bruteSpatial(t, at, opt.Min.Meters(), opt.Max.Meters())
		res, err := w.engine.Search(t.Context(), at.String(), opt)
		check(t, err)
		if len(want) != len(res.Matches) {
			t.Fatalf("%v %+v: %d matches, want %d", at, opt, len(res.Matches), len(want))
		}
		for i, m := range res.Matches {
			got := shared{m.Code, float64(m.DistanceMiles), -1}
			exact := want[i].Pct
			if m.PctInside != nil {
				got.Pct = *m.PctInside
				if math.Abs(got.Pct-exact) <= 0.05+1e-6 {
					got.Pct = exact
				}
				if m.AreaSqMi == nil || m.CodeType == lookup.ZIP && m.Classification != lookup.General {
					t.Fatalf("%v %+v: %s has %v%% of %v", at, opt, m.Code, got.Pct, m.AreaSqMi)
				}
			}
			if got != want[i] {
				t.Fatalf("%v %+v: match %d is %+v, want %+v", at, opt, i, got, want[i])
			}
			if m.DistanceMiles > opt.Max {
				outside++
			}
		}
		matches += len(want)
		if n := res.Summary.USZIPCount + res.Summary.CAFSACount; n != len(want) || res.Summary.CAPostalCount != 0 {
			t.Fatalf("%+v, want %d", res.Summary, len(want))
		}
	}
	if matches < 500 || outside == 0 {
		t.Errorf("%d searches found %d matches, %d of them with points outside: too few to tell", searches, matches, outside)
	}
}

// Polygons at the border of two countries, at 70° N and across the
// antimeridian are found alike.
func TestSpatialAnywhere(t *testing.T) {
	e := radius.NewEngine(newReader(t))
	for _, c := range []struct {
		name, center string
		miles        geo.Miles
		codes        string
	}{
		{"across the antimeridian", "51.9,179.5", 40, "99546"},
		{"from the other side", "51.9,-177", 100, "99546"},
		{"Ottawa", "45.4,-75.7", 60, "K1A"},
		{"a point inside the hole of the ring", "45.42,-75.7", 0.01, "K1A"},
		{"a unique ZIP is a point", "38.9,-77.04", 1, "20500"},
	} {
		res, err := e.Search(t.Context(), c.center, radius.Options{Max: c.miles, Mode: radius.Spatial})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var codes []string
		for _, m := range res.Matches {
			codes = append(codes, m.Code)
			if (m.PctInside == nil) != (m.Classification == lookup.Unique) {
				t.Errorf("%s: %s has the share %v", c.name, m.Code, m.PctInside)
			}
		}
		if diff := cmp.Diff(c.codes, strings.Join(codes, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// bordersEngine opens a dataset of four states. Only Kansas has ZIP Codes. Quebec
// has an FSA without postal codes, and no outline.
func bordersEngine(t *testing.T) *radius.Engine {
	t.Helper()
	must := lookuptest.Must(t)
	w := lookuptest.Create(t)
	must(w.SetStates([]store.State{
		{Country: store.US, Abbr: "KS", Name: "Kansas", FIPS: "20"},
		{Country: store.US, Abbr: "NE", Name: "Nebraska", FIPS: "31"},
		{Country: store.CA, Abbr: "MB", Name: "Manitoba"},
		{Country: store.CA, Abbr: "QC", Name: "Quebec"},
	}))
	must(w.AddZIP(store.ZIPRow{ZIP: 50000, City: "Town", State: 1, Class: store.General, Location: geo.MustLatLng(39.9, -99)}, store.ZIPDetail{}))
	fsa, _ := postcode.ParseFSA("G0A")
	must(w.AddFSA(store.FSARow{FSA: fsa, City: "Ville", Province: 4, Location: geo.MustLatLng(39.85, -99.1)}, store.FSADetail{}))
	var outlines spatial.PolygonIndexBuilder
	for _, corner := range [][2]float64{{-100, 38}, {-100, 40}, {-98, 39}} { // Kansas, Nebraska, Manitoba
		x, y := corner[0], corner[1]
		must(outlines.Add(orb.MultiPolygon{{{{x, y}, {x + 2, y}, {x + 2, y + 2}, {x, y + 2}, {x, y}}}}))
	}
	packed := lookuptest.Packed(t, &outlines)
	must(w.SetStateAreas(storewrite.AreaLayer[store.StateID]{Sources: []string{"test"}, Keys: []store.StateID{1, 2, 3}, Packed: packed}))
	d := w.Open()
	r := lookuptest.Reader(t, d)
	return radius.NewEngine(r)
}

// TestCoverage checks the notice on states without codes that a circle touches.
// Nebraska begins 6.9 miles from the center, Manitoba 53 miles. The FSA in Quebec
// is 6.3 miles away. In spatial searches the ZIP Code lacks its outline.
func TestCoverage(t *testing.T) {
	const undrawn = "outlines of 1 ZIP Codes of this search"
	e := bordersEngine(t)
	for _, tt := range []struct {
		miles             geo.Miles
		centroid, spatial string
	}{
		{5, "", undrawn},
		{6.6, "postal codes of Quebec", undrawn},
		{10, "ZIP Codes of Nebraska; postal codes of Quebec", undrawn + "ZIP Codes of Nebraska"},
		{60, "ZIP Codes of Nebraska; postal codes of Manitoba, Quebec", undrawn + "ZIP Codes of Nebraska; FSAs of Manitoba"},
	} {
		for mode, want := range map[radius.Mode]string{radius.Centroid: tt.centroid, radius.Spatial: tt.spatial} {
			res, err := e.Search(t.Context(), "50000", radius.Options{Max: tt.miles, Mode: mode})
			check(t, err)
			got := ""
			for _, n := range res.Notices {
				if n.Code == envelope.DataNotLoaded {
					got += strings.TrimSuffix(strings.TrimPrefix(n.Message, "Not in this dataset: "), ".")
				}
			}
			if got != want {
				t.Errorf("%v miles, %v: %q, want %q", float64(tt.miles), mode, got, want)
			}
		}
	}
}
