package radius_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A world is an invented dataset whose codes lie anywhere, at the poles and on
// both sides of the antimeridian too.
type world struct {
	engine *radius.Engine
	data   *store.Dataset
	rows   []place
}

type place struct {
	code  string
	kind  lookup.CodeType
	point geo.LatLng
	area  *spatial.PolygonIndex // nil for a point
	at    int                   // in area
}

// newWorld writes and opens a dataset of some numbers of codes. Several codes
// share a point, and some have none.
func newWorld(tb testing.TB, zips, fsas, postalCodes int) *world {
	tb.Helper()
	must := lookuptest.Must(tb)
	w := lookuptest.Create(tb)
	must(w.SetStates([]store.State{
		{Country: store.US, Abbr: "AK", Name: "Alaska", FIPS: "02"}, {Country: store.CA, Abbr: "NU", Name: "Nunavut"},
	}))
	must(w.SetCounties([]store.County{{FIPS: "02016", Name: "Aleutians West Census Area", State: 1}}))
	must(w.SetZones([]store.Zone{
		tzif.Row("America/Adak", "test"), tzif.Row("America/Iqaluit", "test"),
	}))
	rng := rand.New(rand.NewPCG(11, 12))
	last := geo.MustLatLng(0, 0)
	point := func() geo.LatLng {
		switch rng.IntN(20) {
		case 0: // the same again
			return last
		case 1:
			return geo.LatLng{}
		case 2: // about the antimeridian
			lng := 179 + 2*rng.Float64()
			if lng > 180 {
				lng -= 360
			}
			last = geo.MustLatLng(-5+70*rng.Float64(), lng)
		case 3: // about the poles
			last = geo.MustLatLng(float64(1-2*rng.IntN(2))*(87+3*rng.Float64()), -180+360*rng.Float64())
		case 4: // around the world
			last = geo.MustLatLng(-90+180*rng.Float64(), -180+360*rng.Float64())
		default:
			last = geo.MustLatLng(35+20*rng.Float64(), -110+30*rng.Float64())
		}
		last = last.Rounded()
		return last
	}
	out := &world{}
	var zipAreas, fsaAreas spatial.PolygonIndexBuilder
	zipLayer := storewrite.AreaLayer[postcode.ZIP]{Sources: []string{"test"}}
	fsaLayer := storewrite.AreaLayer[postcode.FSA]{Sources: []string{"test"}}
	classes := []store.Class{store.General, store.General, store.POBox, store.Military, store.Unique}
	for i := range zips {
		r := store.ZIPRow{
			ZIP: postcode.ZIP(i * (100_000 / zips)), City: fmt.Sprintf("Town %d", i%97), State: 1, Class: classes[i%len(classes)],
			Location: point(),
		}
		if r.Class != store.Military {
			r.County = 1
		}
		if r.Location.IsValid() {
			r.Zone = 1
		}
		detail := store.ZIPDetail{}
		if r.Class == store.General {
			people, land := int32(rng.IntN(20_000)), int64(rng.IntN(900_000_000))
			detail.Population, detail.LandArea = &people, &land
		}
		must(w.AddZIP(r, detail))
		if a, ok := square(r.Location, rng.Float64()*0.4); ok && i%7 > 0 { // of points too
			must(zipAreas.Add(a))
			zipLayer.Keys = append(zipLayer.Keys, r.ZIP)
		}
		out.rows = append(out.rows, place{r.ZIP.String(), lookup.ZIP, r.Location, nil, 0})
	}
	for i := range fsas {
		r := store.FSARow{FSA: postcode.FSA(i * (6760 / fsas)), City: "Ville-Émard", Province: 2, Location: point()}
		must(w.AddFSA(r, store.FSADetail{}))
		if a, ok := square(r.Location, rng.Float64()*2); ok {
			must(fsaAreas.Add(a))
			fsaLayer.Keys = append(fsaLayer.Keys, r.FSA)
		}
		out.rows = append(out.rows, place{r.FSA.String(), lookup.FSA, r.Location, nil, 0})
	}
	for i := range postalCodes {
		r := store.PostalRow{
			Code: postcode.PostalCode(i * (17_000_000 / postalCodes)), City: `The "Bay"`, Province: 2, Location: point(),
		}
		if r.Location.IsValid() {
			r.Zone = 2
		}
		must(w.AddPostalCode(r))
		out.rows = append(out.rows, place{r.Code.String(), lookup.Postal, r.Location, nil, 0})
	}
	zipLayer.Packed = lookuptest.Packed(tb, &zipAreas)
	must(w.SetZIPAreas(zipLayer))
	fsaLayer.Packed = lookuptest.Packed(tb, &fsaAreas)
	must(w.SetFSAAreas(fsaLayer))
	d := w.Open()
	r := lookuptest.Reader(tb, d)
	out.engine, out.data = radius.NewEngine(r), d
	for i := range out.rows {
		p := &out.rows[i]
		switch p.kind {
		case lookup.ZIP:
			z, _ := postcode.ParseZIP(p.code)
			if at, ok := d.ZIPAreas().Find(z); ok && classes[i%len(classes)] == store.General {
				p.area, p.at = d.ZIPAreas().Index(), at
			}
		case lookup.FSA:
			f, _ := postcode.ParseFSA(p.code)
			if at, ok := d.FSAAreas().Find(f); ok {
				p.area, p.at = d.FSAAreas().Index(), at
			}
		default:
		}
	}
	return out
}

// square returns a lozenge about a point, somewhat off it, false near a pole.
func square(p geo.LatLng, half float64) (orb.MultiPolygon, bool) {
	if !p.IsValid() || math.Abs(p.Lat())+half > 89 || half < 1e-3 {
		return nil, false
	}
	x, y := p.Lng()+half/3, p.Lat()
	ring := orb.Ring{{x, y - half}, {x + half, y}, {x, y + half}, {x - half, y}, {x, y - half}}
	for i := range ring {
		switch {
		case ring[i][0] > 180:
			ring[i][0] -= 360
		case ring[i][0] < -180:
			ring[i][0] += 360
		}
	}
	return orb.MultiPolygon{{ring}}, true
}

// fresh returns an engine without indexes.
func (w *world) fresh(tb testing.TB) *radius.Engine {
	tb.Helper()
	r := lookuptest.Reader(tb, w.data)
	return radius.NewEngine(r)
}

// nearer puts what brute force finds in order: by distance, then by code.
func nearer(d, e geo.Meters, a, b string) int { return cmp.Or(cmp.Compare(d, e), cmp.Compare(a, b)) }
