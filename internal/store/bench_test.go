package store_test

import (
	"database/sql"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// The size of the two countries.
const (
	nationalZIPs   = 42_000
	nationalFSAs   = 1_650
	nationalPostal = 890_000
)

var national = sync.OnceValue(func() *country { return generate(7, nationalZIPs, nationalFSAs, nationalPostal, 0) })

func BenchmarkOpen(b *testing.B) {
	for _, size := range []struct {
		name    string
		country func() *country
	}{
		{"small", small},
		{"national", national},
	} {
		b.Run(size.name, func(b *testing.B) {
			path := size.country().file(b)
			for b.Loop() {
				d, err := sqlite.Open(path)
				check(b, err)
				check(b, d.Close())
			}
			b.StopTimer()
			before := liveHeap()
			d := open(b, path)
			b.ReportMetric(float64(liveHeap()-before)/1e6, "heap-MB")
			b.ReportMetric(residentAfterOpen(b, path), "resident-MB")
			runtime.KeepAlive(d)
		})
	}
}

func liveHeap() int64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkHot looks up rows in memory, next to the same rows in a Go map and
// through database/sql's primary key.
func BenchmarkHot(b *testing.B) {
	c := national()
	path := filepath.Join(b.TempDir(), "national.db")
	c.write(b, path)
	d := open(b, path)
	b.Run("ZIP", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, ok := d.ZIP(c.ZIPs[i*7919%len(c.ZIPs)].ZIP); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("FSA", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, ok := d.FSA(c.FSAs[i*7919%len(c.FSAs)].FSA); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("PostalCode", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, ok := d.PostalCode(c.Postal[i*7919%len(c.Postal)].Code); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("ZIP/parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				if _, ok := d.ZIP(c.ZIPs[i*7919%len(c.ZIPs)].ZIP); !ok {
					b.Error("not found")
					return
				}
			}
		})
	})
	b.Run("ZIP/map", func(b *testing.B) {
		rows := map[dataset.ZIP]store.ZIPRow{}
		for _, r := range c.ZIPs {
			rows[r.ZIP] = r
		}
		for i := 0; b.Loop(); i++ {
			if _, ok := rows[c.ZIPs[i*7919%len(c.ZIPs)].ZIP]; !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("PostalCode/map", func(b *testing.B) {
		rows := make(map[dataset.PostalCode]store.PostalRow, len(c.Postal))
		for _, r := range c.Postal {
			rows[r.Code] = r
		}
		for i := 0; b.Loop(); i++ {
			if _, ok := rows[c.Postal[i*7919%len(c.Postal)].Code]; !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("ZIP/sql", func(b *testing.B) {
		db, stmt := sqlPeer(b, c)
		defer db.Close()
		for i := 0; b.Loop(); i++ {
			var city, municipality string
			var state, county, class, zone, multi int64
			var lat, lng float64
			check(b, stmt.QueryRow(c.ZIPs[i*7919%len(c.ZIPs)].ZIP).
				Scan(&city, &municipality, &state, &county, &class, &zone, &lat, &lng, &multi))
		}
	})
}

// sqlPeer writes the ZIP rows to an ordinary SQLite table.
func sqlPeer(b *testing.B, c *country) (*sql.DB, *sql.Stmt) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "peer.db"))
	check(b, err)
	_, err = db.Exec("CREATE TABLE zip (id INTEGER PRIMARY KEY, city, municipality, state, county, class, zone, lat, lng, multi)")
	check(b, err)
	tx, err := db.Begin()
	check(b, err)
	for _, r := range c.ZIPs {
		_, err := tx.Exec("INSERT INTO zip VALUES (?,?,?,?,?,?,?,?,?,?)", int64(r.ZIP), r.City, r.Municipality, int64(r.State),
			int64(r.County), int64(r.Class), int64(r.Zone), r.Location.Lat(), r.Location.Lng(), int64(r.MultiCounty))
		check(b, err)
	}
	check(b, tx.Commit())
	stmt, err := db.Prepare("SELECT city, municipality, state, county, class, zone, lat, lng, multi FROM zip WHERE id = ?")
	check(b, err)
	return db, stmt
}

func BenchmarkCold(b *testing.B) {
	c := generate(3, 2000, 100, 0, 60)
	d := open(b, c.file(b))
	ctx := b.Context()
	b.Run("ZIPDetail", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			_, err := d.ZIPDetail(ctx, c.ZIPs[i*7919%len(c.ZIPs)].ZIP)
			check(b, err)
		}
	})
	b.Run("ZIPDetail/parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				if _, err := d.ZIPDetail(ctx, c.ZIPs[i*7919%len(c.ZIPs)].ZIP); err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("ZIP4", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			r := &c.ZIP4[i*7919%len(c.ZIP4)]
			list, err := d.ZIP4(ctx, r.ZIP, r.High)
			check(b, err)
			if len(list) == 0 {
				b.Fatal("not found")
			}
		}
	})
	b.Run("Ping", func(b *testing.B) {
		for b.Loop() {
			check(b, d.Ping(ctx))
		}
	})
}
