package builder_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/synth"
)

// BenchmarkRoadSize builds invented streets: ranges, points and both.
func BenchmarkRoadSize(b *testing.B) {
	dir := b.TempDir()
	points := filepath.Join(dir, "points.zip")
	c, err := synth.New(synth.Options{Seed: 1, ZIPs: 200})
	if err == nil {
		err = c.WriteMirror(b.Context(), dir)
	}
	if err == nil {
		_, _, err = c.WriteStreets(b.Context(), dir, synth.StreetOptions{Segments: 40_000, Points: 160_000})
	}
	if err == nil { // outside the catalog, which expects the whole database
		err = os.Rename(filepath.Join(dir, "data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed"), points)
	}
	if err != nil {
		b.Fatal(err)
	}
	base := 0.0
	for _, part := range []struct {
		name   string
		layers []string
		points []string
	}{{"none", []string{"identity"}, nil}, {"ranges", []string{"streets"}, nil}, {"points", nil, []string{points}}, {"both", []string{"streets"}, []string{points}}} {
		b.Run(part.name, func(b *testing.B) {
			path := filepath.Join(dir, part.name+".db")
			var r *builder.Report
			for b.Loop() {
				var err error
				if r, err = builder.Build(b.Context(), builder.Options{Output: path, Mirror: dir, Offline: true, Layers: part.layers, AddressPoints: part.points, Sample: true}); err != nil {
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
		})
	}
}
