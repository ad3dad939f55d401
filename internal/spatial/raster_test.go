package spatial_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// layersOf returns the outlines of ZIP Codes and of all layers of the dataset in
// $POSTGEO_NATIONAL, else of the sample.
func layersOf(tb testing.TB) map[string]*spatial.PolygonIndex {
	tb.Helper()
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if path := os.Getenv("POSTGEO_NATIONAL"); path != "" {
		d, err = sqlite.Open(path)
	}
	if err == nil {
		err = d.Load(tb.Context(), store.SectionZIPAreas)
	}
	check(tb, err)
	tb.Cleanup(func() { d.Close() })
	list := map[string]*spatial.PolygonIndex{"zip": d.ZIPAreas().Index()}
	for _, l := range d.Layers() {
		if !l.HasOutlines() {
			continue
		}
		if list[l.ID().String()], err = l.Outlines(tb.Context()); err != nil {
			tb.Fatal(err)
		}
	}
	return list
}

// TestRasters compares searches through rasters with those without: random points, and
// points on and beside vertices and edges, in places that are searched often.
func TestRasters(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 42))
	points := 40_000
	if os.Getenv("POSTGEO_LONG") != "" {
		points = 10_000_000
	}
	with, without := layersOf(t), layersOf(t)
	hole := rectangle(-0.3, -0.3, 0.3, 0.3)
	slices.Reverse(hole)
	odd := []orb.MultiPolygon{
		{{rectangle(-1, -1, 1, 1), hole}},
		{{rectangle(-0.2, -0.2, 0.1, 0.1)}},
		{{rectangle(-0.2, -0.2, 0.1, 0.1)}}, // a hole with two equal areas
		{{rectangle(179.93, 51, 180.12, 51.2)}},
		{{rectangle(-179.99, 51.1, -179.5, 51.3)}},
		{{rectangle(-180, 89.9, 180, 90)}},
		{{rectangle(-180, -90, 180, -89.9)}},
		{{rectangle(-60, -50, 50, 50)}},
	}
	odd = append(odd, tessellate(rng, 9.9, 9.9, 0.01, 12, 12, 3)...)
	with["odd"], without["odd"] = pack(t, odd), pack(t, odd)
	for name, x := range with {
		exact := without[name]
		exact.WithoutRasters()
		for range points / len(with) / 600 {
			var list []geo.LatLng
			for len(list) == 0 {
				if m := x.Polygons(rng.IntN(x.Len())); m != nil {
					list = near(rng, m, 200)
				}
			}
			middle := list[rng.IntN(len(list))]
			for range 400 {
				list = append(list, nudge(rng, middle, 0.02))
			}
			for _, p := range list {
				check := func(what string, got, want []int) {
					if !slices.Equal(got, want) {
						t.Fatalf("%s: %s of %v gives the areas %v, exactly %v", name, what, p, got, want)
					}
				}
				got, ok := x.Containing(p)
				want, found := exact.Containing(p)
				if got != want || ok != found {
					t.Fatalf("%s: Containing of %v gives %d, %v; exactly %d, %v", name, p, got, ok, want, found)
				}
				check("AppendAround", x.AppendAround(nil, p), exact.AppendAround(nil, p))
				check("AppendContaining", x.AppendContaining(nil, p), exact.AppendContaining(nil, p))
			}
		}
		if x.RasterBytes() == 0 && x.Len() > 0 {
			t.Errorf("%s: no rasters", name)
		}
		if most := int64(30 << 20); x.RasterBytes() > most {
			t.Errorf("%s: rasters of %d bytes", name, x.RasterBytes())
		}
	}
}

// TestRastersOfAll looks up points in each degree of the world, and then from several
// goroutines at once in a city.
func TestRastersOfAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 44))
	areas := append(tessellate(rng, -75.2, 45.2, 0.01, 6, 6, 3), orb.MultiPolygon{{rectangle(-170, -80, 170, 80)}})
	x, exact := pack(t, areas), pack(t, areas)
	exact.WithoutRasters()
	var city []geo.LatLng
	for range 2000 {
		city = append(city, nudge(rng, geo.MustLatLng(45.23, -75.17), 0.02))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, p := range city {
				got, ok := x.Containing(p)
				if want, found := exact.Containing(p); got != want || ok != found {
					t.Errorf("Containing of %v gives %d, %v; exactly %d, %v", p, got, ok, want, found)
				}
			}
		})
	}
	all.Wait()
	for lat := -90.0; lat <= 90; lat++ {
		for lng := -180.0; lng <= 180; lng++ {
			p := geo.MustLatLng(lat, lng)
			got, ok := x.Containing(p)
			if want, found := exact.Containing(p); got != want || ok != found {
				t.Errorf("Containing of %v gives %d, %v; exactly %d, %v", p, got, ok, want, found)
			}
		}
	}
	if most := int64(30 << 20); x.RasterBytes() < most/2 || x.RasterBytes() > most {
		t.Errorf("rasters of %d bytes", x.RasterBytes())
	}
}
