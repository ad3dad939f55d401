package postgeo_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
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
	n := &nation{path: filepath.Join(b.TempDir(), "nation.db")}
	w, err := dataset.Create(n.path)
	if err != nil {
		b.Fatal(err)
	}
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	must(w.SetStates([]dataset.State{
		{Country: dataset.US, Abbr: "CA", Name: "California", FIPS: "06", Region: "West", Division: "Pacific"},
		{Country: dataset.CA, Abbr: "ON", Name: "Ontario"},
	}))
	must(w.SetCounties([]dataset.County{{FIPS: "06037", Name: "Los Angeles County", State: 1}}))
	must(w.SetZones([]dataset.Zone{
		{Name: "America/Los_Angeles", Source: "benchmark"}, {Name: "America/Toronto", Source: "benchmark"},
	}))
	rng := rand.New(rand.NewPCG(3, 4))
	point := func() geo.LatLng { return geo.MustLatLng(25+rng.Float64()*40, -125+rng.Float64()*60).Rounded() }
	city := func(i int) string { return fmt.Sprintf("Town %d", i%20_000) }
	elevation, land := 12.5, int64(12_345_678)
	for i := range nationalZIPs {
		z := dataset.ZIP(i * 2)
		must(w.AddZIP(dataset.ZIPRow{
			ZIP: z, City: city(i), Municipality: city(i), State: 1, County: 1, Class: dataset.General, Zone: 1,
			Location: point(),
		}, dataset.ZIPDetail{
			AreaCodes: []uint16{213, 310}, Elevation: &elevation, LandArea: &land, WaterArea: &land,
			Aliases: []dataset.CityAlias{{City: city(i + 1)}, {City: city(i + 2)}},
		}))
		n.zips = append(n.zips, z.String())
	}
	for i := range nationalFSAs {
		f := dataset.FSA(i * 4)
		must(w.AddFSA(dataset.FSARow{FSA: f, City: city(i), Province: 2, Zone: 2, Location: point()}, dataset.FSADetail{
			AreaCodes: []uint16{416},
		}))
		n.fsas = append(n.fsas, f.String())
		for j := range nationalPostalCodes / nationalFSAs {
			p := dataset.PostalCode(uint32(f)*2600 + uint32(j)*4)
			must(w.AddPostalCode(dataset.PostalRow{Code: p, City: city(i), Province: 2, Zone: 2, Location: point()}))
			n.codes = append(n.codes, p.String())
		}
	}
	must(w.Finish(dataset.Manifest{
		Version: "benchmark", Built: time.Date(2026, time.June, 30, 0, 0, 0, 0, time.UTC), Builder: "benchmark",
		Layers: []string{"identity"},
	}))
	for _, list := range []*[]string{&n.zips, &n.fsas, &n.codes} {
		rng.Shuffle(len(*list), func(i, j int) { (*list)[i], (*list)[j] = (*list)[j], (*list)[i] })
		*list = append([]string(nil), (*list)[:1024]...)
	}
	n.db, err = postgeo.Open(n.path)
	must(err)
	b.Cleanup(func() { must(n.db.Close()) })
	return n
}

// BenchmarkQuickLookup asks a dataset of national size, in turn for 1,024
// codes, beside what the same question costs a Go map that holds the finished
// records and a table behind database/sql.
func BenchmarkQuickLookup(b *testing.B) {
	n := newNation(b)
	ctx := context.Background()
	for _, kind := range []struct {
		name  string
		codes []string
	}{{"zip", n.zips}, {"fsa", n.fsas}, {"postal", n.codes}} {
		for _, opt := range []postgeo.QuickLookupOptions{{}, {Timezone: true}} {
			name := kind.name
			if opt.Timezone {
				name += "+timezone"
			}
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					if _, err := n.db.QuickLookup(ctx, kind.codes[i&1023], opt); err != nil {
						b.Fatal(err)
					}
					i++
				}
			})
		}
		b.Run(kind.name+"/parallel", func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					if _, err := n.db.QuickLookup(ctx, kind.codes[i&1023], postgeo.QuickLookupOptions{}); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
	b.Run("zip/peer=map", func(b *testing.B) {
		records := map[string]*postgeo.QuickRecord{}
		for z := range nationalZIPs {
			code := dataset.ZIP(z * 2).String()
			rec, err := n.db.QuickLookup(ctx, code, postgeo.QuickLookupOptions{})
			if err != nil {
				b.Fatal(err)
			}
			records[code] = rec
		}
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			if records[n.zips[i&1023]] == nil {
				b.Fatal("no record")
			}
			i++
		}
	})
	b.Run("zip/peer=database-sql", func(b *testing.B) {
		stmt := sqlZIPs(b, n)
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			var rec postgeo.QuickRecord
			var lat, lng float64
			err := stmt.QueryRowContext(ctx, n.zips[i&1023]).Scan(&rec.Code, &rec.City, &rec.State, &rec.StateName, &rec.County, &lat, &lng)
			if err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
}

// sqlZIPs returns a prepared point query on a SQLite table with the rows of
// the nation's ZIPs.
func sqlZIPs(b *testing.B, n *nation) *sql.Stmt {
	b.Helper()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "zips.db"))
	must(err)
	b.Cleanup(func() { must(db.Close()) })
	_, err = db.Exec("CREATE TABLE zips (code TEXT PRIMARY KEY, city TEXT, state TEXT, state_name TEXT, county TEXT, lat REAL, lng REAL) WITHOUT ROWID")
	must(err)
	tx, err := db.Begin()
	must(err)
	for z := range nationalZIPs {
		rec, err := n.db.QuickLookup(context.Background(), dataset.ZIP(z*2).String(), postgeo.QuickLookupOptions{})
		must(err)
		_, err = tx.Exec("INSERT INTO zips VALUES (?,?,?,?,?,?,?)", rec.Code, rec.City, rec.State, rec.StateName, rec.County, rec.Location.Lat(), rec.Location.Lng())
		must(err)
	}
	must(tx.Commit())
	stmt, err := db.Prepare("SELECT code, city, state, state_name, county, lat, lng FROM zips WHERE code = ?")
	must(err)
	b.Cleanup(func() { must(stmt.Close()) })
	return stmt
}

func BenchmarkLookup(b *testing.B) {
	n := newNation(b)
	ctx := context.Background()
	for _, kind := range []struct {
		name  string
		codes []string
	}{{"zip", n.zips}, {"fsa", n.fsas}, {"postal", n.codes}} {
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, err := n.db.Lookup(ctx, kind.codes[i&1023], postgeo.LookupOptions{}); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
		b.Run(kind.name+"/parallel", func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					if _, err := n.db.Lookup(ctx, kind.codes[i&1023], postgeo.LookupOptions{}); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// BenchmarkLookupCold asks a file that was just opened for 1,024 ZIPs, each for
// the first time.
func BenchmarkLookupCold(b *testing.B) {
	n := newNation(b)
	ctx := context.Background()
	var times []time.Duration
	for b.Loop() {
		db, err := postgeo.Open(n.path)
		if err != nil {
			b.Fatal(err)
		}
		for _, code := range n.zips {
			start := time.Now()
			if _, err := db.Lookup(ctx, code, postgeo.LookupOptions{}); err != nil {
				b.Fatal(err)
			}
			times = append(times, time.Since(start))
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2]), "p50-ns")
	b.ReportMetric(float64(times[len(times)*99/100]), "p99-ns")
	b.ReportMetric(0, "ns/op") // opening included, which BenchmarkOpen measures
}

func BenchmarkDistance(b *testing.B) {
	n := newNation(b)
	ctx := context.Background()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := n.db.Distance(ctx, n.zips[i&1023], n.codes[(i+512)&1023]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkOpen(b *testing.B) {
	n := newNation(b)
	for b.Loop() {
		db, err := postgeo.Open(n.path)
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
