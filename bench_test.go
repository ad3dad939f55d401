package postgeo_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	_ "modernc.org/sqlite"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// The size of the two countries.
const (
	nationalZIPs        = 42_000
	nationalFSAs        = 1_650
	nationalPostalCodes = 890_000
)

// A nation is a dataset of national size with invented content, and codes to
// ask it for.
type nation struct {
	db                *postgeo.DB
	path              string
	zips, fsas, codes []string // 1,024 of each, in no order
}

func newNation(b *testing.B) *nation {
	b.Helper()
	n := &nation{}
	w, must := lookuptest.Create(b), lookuptest.Must(b)
	must(w.SetStates([]store.State{
		{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06", Region: "West", Division: "Pacific"},
		{Country: store.CA, Abbr: "ON", Name: "Ontario"},
	}))
	must(w.SetCounties([]store.County{{FIPS: "06037", Name: "Los Angeles County", State: 1}}))
	must(w.SetZones([]store.Zone{
		tzif.Row("America/Los_Angeles", "benchmark"), tzif.Row("America/Toronto", "benchmark"),
	}))
	rng := rand.New(rand.NewPCG(3, 4))
	point := func() geo.LatLng { return geo.MustLatLng(25+rng.Float64()*40, -125+rng.Float64()*60).Rounded() }
	city := func(i int) string { return fmt.Sprintf("Town %d", i%20_000) }
	elevation, land := 12.5, int64(12_345_678)
	areas := storewrite.AreaLayer[postcode.ZIP]{Sources: []string{"benchmark"}}
	var outlines spatial.PolygonIndexBuilder
	people := int32(7_500)
	for i := range nationalZIPs {
		z := postcode.ZIP(i * 2)
		location, class := point(), store.General
		if i%5 == 0 { // a fifth of the ZIPs are points
			class = store.POBox
		} else {
			var outline orb.Polygon
			location, outline = cell(i - i/5 - 1)
			must(outlines.Add(orb.MultiPolygon{outline}))
			areas.Keys = append(areas.Keys, z)
		}
		must(w.AddZIP(store.ZIPRow{
			ZIP: z, City: city(i), Municipality: city(i), State: 1, County: 1, Class: class, Zone: 1,
			Location: location,
		}, store.ZIPDetail{
			AreaCodes: []uint16{213, 310}, Elevation: &elevation, LandArea: &land, WaterArea: &land, Population: &people,
			Aliases: []store.CityAlias{{City: city(i + 1)}, {City: city(i + 2)}},
		}))
		n.zips = append(n.zips, z.String())
	}
	for i := range nationalFSAs {
		f := postcode.FSA(i * 4)
		center := point()
		must(w.AddFSA(store.FSARow{FSA: f, City: city(i), Province: 2, Zone: 2, Location: center}, store.FSADetail{
			AreaCodes: []uint16{416},
		}))
		n.fsas = append(n.fsas, f.String())
		for j := range nationalPostalCodes / nationalFSAs {
			p := postcode.PostalCode(uint32(f)*2600 + uint32(j)*4)
			near := geo.MustLatLng(center.Lat()+0.2*rng.Float64(), center.Lng()+0.2*rng.Float64()).Rounded()
			must(w.AddPostalCode(store.PostalRow{Code: p, City: city(i), Province: 2, Zone: 2, Location: near}))
			n.codes = append(n.codes, p.String())
		}
	}
	areas.Packed = lookuptest.Packed(b, &outlines)
	must(w.SetZIPAreas(areas))
	n.path = w.Path()
	for _, list := range []*[]string{&n.zips, &n.fsas, &n.codes} {
		rng.Shuffle(len(*list), func(i, j int) { (*list)[i], (*list)[j] = (*list)[j], (*list)[i] })
		*list = together((*list)[:1024])
	}
	n.db = sampletest.File(b, n.path)
	return n
}

// together copies texts to one place: a program has the code that it asks for
// at hand, while those of the whole list lie on as many pages of memory.
func together(texts []string) []string {
	all, out := strings.Join(texts, ""), make([]string, len(texts))
	for i, s := range texts {
		out[i], all = all[:len(s)], all[len(s):]
	}
	return out
}

// cell returns the middle and the outline of a cell of a tessellation of the
// contiguous states by 33,600 areas with 96 vertices each, as many as ZCTAs
// have in the files of 1:500,000.
func cell(i int) (geo.LatLng, orb.Polygon) {
	const (
		columns, rows = 240, 140
		width, height = 58. / columns, 24. / rows
		edges         = 24 // of a side
	)
	column, row := i%columns, i/columns
	// at returns where a corner or a vertex between two is: the same for
	// both neighbours of a side.
	at := func(x, y float64) orb.Point {
		wave := 0.1 * math.Sin(7*math.Pi*(x+y))
		return orb.Point{-125 + width*(x+wave*math.Sin(math.Pi*y)), 25 + height*(y+wave*math.Sin(math.Pi*x))}
	}
	x, y := float64(column), float64(row)
	var ring orb.Ring
	for _, side := range [...][4]float64{{x, y, 1, 0}, {x + 1, y, 0, 1}, {x + 1, y + 1, -1, 0}, {x, y + 1, 0, -1}} {
		for k := range edges {
			t := float64(k) / edges
			ring = append(ring, at(side[0]+t*side[2], side[1]+t*side[3]))
		}
	}
	middle := at(x+0.5, y+0.5)
	return geo.MustLatLng(middle[1], middle[0]).Rounded(), orb.Polygon{append(ring, ring[0])}
}

// measure measures calls, which are numbered, one after the other and on all processors.
func measure(b *testing.B, name string, call func(i int) error) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			check(b, call(i))
		}
	})
	b.Run(name+"/parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				if err := call(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}

// BenchmarkQuickLookup asks a dataset of national size, in turn for 1,024 codes.
func BenchmarkQuickLookup(b *testing.B) {
	n := newNation(b)
	ctx := context.Background()
	check(b, n.db.Prepare(ctx))
	for kind, codes := range map[string][]string{"zip": n.zips, "fsa": n.fsas, "postal": n.codes} {
		measure(b, kind, func(i int) error { return last(n.db.QuickLookup(ctx, codes[i&1023], lookup.QuickOptions{})) })
		measure(b, kind+"+timezone", func(i int) error {
			return last(n.db.QuickLookup(ctx, codes[i&1023], lookup.QuickOptions{Timezone: true}))
		})
	}
}

func BenchmarkLookup(b *testing.B) {
	n := newNation(b)
	for kind, codes := range map[string][]string{"zip": n.zips, "fsa": n.fsas, "postal": n.codes} {
		measure(b, kind, func(i int) error { return last(n.db.Lookup(b.Context(), codes[i&1023], lookup.Options{})) })
	}
}

// BenchmarkRadius searches around 64 coordinates in the contiguous states.
func BenchmarkRadius(b *testing.B) {
	n := newNation(b)
	ctx := context.Background()
	check(b, n.db.Prepare(ctx))
	rng := rand.New(rand.NewPCG(5, 6))
	centers := make([]string, 64)
	for i := range centers {
		centers[i] = fmt.Sprintf("%.4f,%.4f", 29+16*rng.Float64(), -120+48*rng.Float64())
	}
	for _, c := range []struct {
		name string
		opt  radius.Options
	}{
		{"centroid/5", radius.Options{Max: 5}},
		{"centroid/50", radius.Options{Max: 50}},
		{"centroid/100", radius.Options{Max: 100}},
		{"centroid/500", radius.Options{Max: 500}},
		{"centroid/500/limit=100", radius.Options{Max: 500, Limit: 100}},
		{"spatial/5", radius.Options{Max: 5, Mode: radius.Spatial}},
		{"spatial/50", radius.Options{Max: 50, Mode: radius.Spatial}},
		{"spatial/250", radius.Options{Max: 250, Mode: radius.Spatial}},
		{"spatial/20-50", radius.Options{Min: 20, Max: 50, Mode: radius.Spatial}},
		{"auto", radius.Options{Auto: radius.Density}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			hits, i := 0, 0
			for b.Loop() {
				res, err := n.db.Radius(ctx, centers[i&63], c.opt)
				check(b, err)
				hits += len(res.Matches)
				i++
			}
			b.ReportMetric(float64(hits)/float64(i), "hits/op")
		})
	}
	b.Run("json/10000", func(b *testing.B) {
		res, err := n.db.Radius(ctx, centers[0], radius.Options{Max: 500, Include: radius.Include{Timezone: true}})
		check(b, err)
		var dst []byte
		b.ReportAllocs()
		for b.Loop() {
			if dst, err = encode.AppendPieces(dst[:0], res, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(res.Matches)), "matches")
	})
	measure(b, "nearest", func(i int) error { return last(n.db.Nearest(ctx, centers[i&63], radius.NearestOptions{})) })
	measure(b, "coordinates", func(i int) error { return last(n.db.QuickLookup(ctx, centers[i&63], lookup.QuickOptions{})) })
}

// BenchmarkPrepare makes what the first searches of a national dataset need.
func BenchmarkPrepare(b *testing.B) {
	n := newNation(b)
	for b.Loop() {
		b.StopTimer()
		db := sampletest.File(b, n.path)
		b.StartTimer()
		check(b, db.Prepare(context.Background()))
		b.StopTimer()
		check(b, db.Close())
		b.StartTimer()
	}
}

func BenchmarkDistance(b *testing.B) {
	n := newNation(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		check(b, last(n.db.Distance(b.Context(), n.zips[i&1023], n.codes[(i+512)&1023], radius.DistanceOptions{})))
	}
}

func BenchmarkOpen(b *testing.B) {
	n := newNation(b)
	for b.Loop() {
		db := sampletest.File(b, n.path)
		check(b, db.Close())
	}
}
