package radius_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A world is an invented dataset whose codes lie anywhere, at the poles and on
// both sides of the antimeridian too.
type world struct {
	engine *radius.Engine
	rows   []place
}

type place struct {
	code    string
	kind    lookup.CodeType
	point   geo.LatLng
	general bool
}

// newWorld writes and opens a dataset of some numbers of codes. Several codes
// share a point, and some have none.
func newWorld(tb testing.TB, zips, fsas, postalCodes int) *world {
	tb.Helper()
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	path := filepath.Join(tb.TempDir(), "world.db")
	w, err := dataset.Create(path)
	must(err)
	must(w.SetStates([]dataset.State{
		{Country: dataset.US, Abbr: "AK", Name: "Alaska", FIPS: "02"}, {Country: dataset.CA, Abbr: "NU", Name: "Nunavut"},
	}))
	must(w.SetCounties([]dataset.County{{FIPS: "02016", Name: "Aleutians West Census Area", State: 1}}))
	must(w.SetZones([]dataset.Zone{
		{Name: "America/Adak", Source: "test"}, {Name: "America/Iqaluit", Source: "test"},
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
	classes := []dataset.Class{dataset.General, dataset.General, dataset.POBox, dataset.Military, dataset.Unique}
	for i := range zips {
		r := dataset.ZIPRow{
			ZIP: dataset.ZIP(i * (100_000 / zips)), City: fmt.Sprintf("Town %d", i%97), State: 1, Class: classes[i%len(classes)],
			Location: point(),
		}
		if r.Class != dataset.Military {
			r.County = 1
		}
		if r.Location.IsValid() {
			r.Zone = 1
		}
		must(w.AddZIP(r, dataset.ZIPDetail{}))
		out.rows = append(out.rows, place{r.ZIP.String(), lookup.ZIP, r.Location, r.Class == dataset.General})
	}
	for i := range fsas {
		r := dataset.FSARow{FSA: dataset.FSA(i * (6760 / fsas)), City: "Ville-Émard", Province: 2, Location: point()}
		must(w.AddFSA(r, dataset.FSADetail{}))
		out.rows = append(out.rows, place{r.FSA.String(), lookup.FSA, r.Location, true})
	}
	for i := range postalCodes {
		r := dataset.PostalRow{
			Code: dataset.PostalCode(i * (17_000_000 / postalCodes)), City: `The "Bay"`, Province: 2, Location: point(),
		}
		if r.Location.IsValid() {
			r.Zone = 2
		}
		must(w.AddPostalCode(r))
		out.rows = append(out.rows, place{r.Code.String(), lookup.Postal, r.Location, false})
	}
	must(w.Finish(dataset.Manifest{
		Version: "test", Built: time.Date(2026, time.June, 30, 0, 0, 0, 0, time.UTC), Builder: "test", Layers: []string{"identity"},
	}))
	d, err := dataset.Open(path)
	must(err)
	tb.Cleanup(func() { must(d.Close()) })
	r, err := lookup.NewReader(d)
	must(err)
	out.engine = radius.NewEngine(r)
	return out
}
