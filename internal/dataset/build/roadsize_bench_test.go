package build_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
	"github.com/postgeo/postgeo/internal/dataset/synth"
)

// BenchmarkRoadSize builds invented streets: ranges, points and both. With
// POSTGEO_BENCH_STREETS=national it builds a whole country in the folder
// POSTGEO_BENCH_DIR, which remains. That takes an hour and 25 GB of disk.
func BenchmarkRoadSize(b *testing.B) {
	dir, country, size := b.TempDir(), synth.Options{Seed: 1, ZIPs: 200}, synth.StreetOptions{Segments: 40_000, Points: 160_000}
	if os.Getenv("POSTGEO_BENCH_STREETS") == "national" {
		dir, country, size = os.Getenv("POSTGEO_BENCH_DIR"), synth.National(1), synth.StreetOptions{Segments: 20_000_000, Points: 80_000_000}
	}
	points := filepath.Join(dir, "points.zip")
	if _, err := os.Stat(points); err != nil {
		c, err := synth.New(country)
		if err == nil {
			err = c.WriteMirror(b.Context(), dir)
		}
		if err == nil {
			_, _, err = c.WriteStreets(b.Context(), dir, size)
		}
		if err == nil { // outside the catalog, which expects the whole database
			err = os.Rename(filepath.Join(dir, "data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed"), points)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	base := 0.0
	for _, part := range []struct {
		name   string
		layers []string
		points []string
	}{{"none", []string{"identity"}, nil}, {"ranges", []string{"streets"}, nil}, {"points", nil, []string{points}}, {"both", []string{"streets"}, []string{points}}} {
		b.Run(part.name, func(b *testing.B) {
			path := filepath.Join(dir, part.name+".db")
			var r *build.Report
			for b.Loop() {
				var err error
				if r, err = build.Build(b.Context(), build.Options{Output: path, Mirror: dir, Offline: true, Layers: part.layers, AddressPoints: part.points, Sample: true}); err != nil {
					b.Fatal(err)
				}
			}
			rows := 0.0
			for _, t := range r.Tables {
				if t.Name == "address points" || t.Name == "ranges of segments" {
					rows += float64(t.Rows)
				}
			}
			if rows == 0 {
				base = float64(r.Bytes)
				return
			}
			b.ReportMetric((float64(r.Bytes)-base)/rows, "bytes/row")
			b.ReportMetric(rows/r.Seconds, "rows/s")
			b.ReportMetric(mostMemory(b), "RSS-MB")
			openRoads(b, path, points)
		})
	}
}

// mostMemory returns the most memory that the process has had, in MB.
func mostMemory(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0 // another system
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes float64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1e3
}

// openRoads reports the time of opening a file and of its first address.
func openRoads(b *testing.B, path, points string) {
	text := ""
	for p, err := range source.ReadAddressPoints(points) {
		if err != nil {
			b.Fatal(err)
		}
		text = fmt.Sprintf("%s %s, %s", p.Numbers[0], p.Name, p.ZIP)
		break
	}
	start := time.Now()
	db, err := postgeo.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	b.ReportMetric(time.Since(start).Seconds()*1e3, "open-ms")
	start = time.Now()
	if _, err := db.Geocode(b.Context(), text, postgeo.GeocodeOptions{}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(start).Seconds()*1e3, "first-ms")
	d, err := dataset.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	start = time.Now()
	if err := d.Load(b.Context(), dataset.SectionRoads); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(start).Seconds()*1e3, "section-ms")
}
