package radius_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// town is a ZIP or FSA with residents and land.
type town struct {
	code   string
	at     geo.LatLng
	people int32
	land   geo.SquareMiles
}

// towns opens a dataset of ZIPs before FSAs, in ascending order.
func towns(t *testing.T, list ...town) *radius.Engine {
	t.Helper()
	must := lookuptest.Must(t)
	w := lookuptest.Create(t)
	must(w.SetStates([]store.State{{Country: store.US, Abbr: "KS", Name: "Kansas", FIPS: "20"}, {Country: store.CA, Abbr: "NU", Name: "Nunavut"}}))
	for _, c := range list {
		land := int64(math.Round(float64(c.land) * 2589988.110336)) // square meters
		if z, ok := postcode.ParseZIP(c.code); ok {
			must(w.AddZIP(store.ZIPRow{ZIP: z, City: "Town", State: 1, Class: store.General, Location: c.at}, store.ZIPDetail{Population: &c.people, LandArea: &land}))
			continue
		}
		f, _ := postcode.ParseFSA(c.code)
		must(w.AddFSA(store.FSARow{FSA: f, City: "Ville", Province: 2, Location: c.at}, store.FSADetail{Population: &c.people, LandArea: &land}))
	}
	d := w.Open()
	r := lookuptest.Reader(t, d)
	return radius.NewEngine(r)
}

// TestDensityRadius checks radii by density. 250,000 people live within the radius
// at the density of the codes within 10 miles. It is 3 to 150 miles.
func TestDensityRadius(t *testing.T) {
	center := geo.MustLatLng(40, -100)
	near, far := geo.MustLatLng(40.1, -100), geo.MustLatLng(40.2, -100) // 6.9 and 13.8 miles
	for _, tt := range []struct {
		name string
		list []town
		want float64
	}{
		{"1,000 a square mile", []town{{"50000", center, 10_000, 10}}, math.Sqrt(250_000 / (math.Pi * 1000))},
		{"two codes", []town{{"50000", center, 10_000, 10}, {"50001", near, 2_000, 10}}, math.Sqrt(250_000 / (math.Pi * 600))},
		{"ZIP and FSA", []town{{"50000", center, 10_000, 10}, {"A0A", near, 2_000, 10}}, math.Sqrt(250_000 / (math.Pi * 600))},
		{"first FSA", []town{{"A0A", center, 300, 3}}, math.Sqrt(250_000 / (math.Pi * 100))},
		{"a far code", []town{{"50000", center, 10_000, 10}, {"50001", far, 2_000, 10}}, math.Sqrt(250_000 / (math.Pi * 1000))},
		{"a city", []town{{"50000", center, 1_000_000, 10}}, 3},
		{"hardly anyone", []town{{"50000", center, 1, 10}}, 150},
	} {
		e := towns(t, tt.list...)
		got, err := e.AutoRadius(t.Context(), "40,-100", radius.Density)
		if err != nil || math.Abs(float64(got)-math.Round(10*tt.want)/10) > 1e-9 {
			t.Errorf("%s: %v miles, %v; want %.1f", tt.name, float64(got), err, tt.want)
		}
	}
}

// TestMinOfAutomaticRadius checks Min just below, at and above an automatic
// radius.
func TestMinOfAutomaticRadius(t *testing.T) {
	e := towns(t, town{"50000", geo.MustLatLng(40, -100), 10_000, 10})
	auto, err := e.AutoRadius(t.Context(), "50000", radius.Density)
	check(t, err)
	for least, ok := range map[geo.Miles]bool{0: true, auto - 0.1: true, auto: false, auto + 0.1: false} {
		_, err := e.Search(t.Context(), "50000", radius.Options{Auto: radius.Density, Min: least})
		if ok != (err == nil) || !ok && !errors.Is(err, envelope.ErrInvalidParam) {
			t.Errorf("at least %v of %v miles: %v", float64(least), float64(auto), err)
		}
	}
}

// TestBearingOfNorth rounds directions just west of north, which are 0 and not
// 360.
func TestBearingOfNorth(t *testing.T) {
	for to, want := range map[string]float64{"1,0": 0, "1,-0.0005": 0, "1,-0.0008": 0, "1,-0.0012": 359.9, "1,0.0012": 0.1} {
		res, err := radius.Distance(t.Context(), newReader(t), "0,0", to, radius.DistanceOptions{})
		if err != nil || res.Bearing != want {
			t.Errorf("to %s: %v, %v; want %v", to, res.Bearing, err, want)
		}
	}
}

// TestLimitsOfPairs checks the most distances of a matrix, and pairs at no
// distance.
func TestLimitsOfPairs(t *testing.T) {
	r := newReader(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // no distance is measured
	places := make([]string, 1001)
	for i := range places {
		places[i] = fmt.Sprintf("40,%d", i%180)
	}
	if _, err := radius.DistanceMatrix(ctx, r, places[:1000], places[:1000], radius.DistanceOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a million: %v", err)
	}
	if _, err := radius.DistanceMatrix(ctx, r, places[:1000], places, radius.DistanceOptions{}); !errors.Is(err, envelope.ErrInvalidParam) {
		t.Errorf("more than a million: %v", err)
	}
	for most, want := range map[geo.Meters]int{0: 1, 1: 1, -1: -1, geo.Meters(math.NaN()): -1} {
		n := 0
		for p, err := range radius.PairsWithin(t.Context(), r, []string{"40,-100", "41,-100", "40,-100"}, most) {
			if n++; err != nil {
				n = -1
				if !errors.Is(err, envelope.ErrInvalidParam) {
					t.Error(err)
				}
			} else if (p != radius.Pair{A: 0, B: 2}) {
				t.Errorf("%+v", p)
			}
		}
		if n != want {
			t.Errorf("within %v: %d pairs, want %d", float64(most), n, want)
		}
	}
}

// TestMatchesOfManyZones writes matches of more time zones than are remembered,
// again and again. Each has its own zone.
func TestMatchesOfManyZones(t *testing.T) {
	var zones []*lookup.TimeZone
	for i := range 7 {
		zones = append(zones, &lookup.TimeZone{Source: fmt.Sprint("zone ", i)})
	}
	res := &radius.Result{Item: envelope.Item{Success: true}}
	for i := range 100 {
		m := radius.Match{Country: "US", Code: fmt.Sprint(10_000 + i), Timezone: zones[i*i%7]}
		if i%5 == 0 {
			m.Timezone = zones[i/5%7]
		}
		res.Matches = append(res.Matches, m)
	}
	all, err := encode.AppendPieces(nil, res, nil)
	check(t, err)
	var want []byte
	for i := range res.Matches {
		if want, err = encode.Append(want, &res.Matches[i]); err != nil {
			t.Fatal(err)
		}
		want = append(want, ',')
	}
	if !bytes.Contains(all, want[:len(want)-1]) {
		t.Errorf("%s\ndoes not contain\n%s", all, want)
	}
}
