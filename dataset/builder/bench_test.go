package builder_test

import (
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
)

// BenchmarkBuild builds from the shared mirror.
func BenchmarkBuild(b *testing.B) {
	mirror := sharedMirror(b)
	for _, layer := range []string{"identity", "all"} {
		b.Run(layer, func(b *testing.B) {
			out := b.TempDir() + "/out.db"
			for b.Loop() {
				report, err := builder.Build(b.Context(), builder.Options{Mirror: mirror, Output: out, Layers: []string{layer}})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(report.Bytes)/1e6, "MB")
			}
		})
	}
}
