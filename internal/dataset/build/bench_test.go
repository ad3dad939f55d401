package build_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/dataset/build"
)

// BenchmarkBuild builds from the shared mirror.
func BenchmarkBuild(b *testing.B) {
	mirror := sharedMirror(b)
	for _, layer := range []string{"identity", "all"} {
		b.Run(layer, func(b *testing.B) {
			out := b.TempDir() + "/out.db"
			for b.Loop() {
				report, err := build.Build(b.Context(), build.Options{Mirror: mirror, Output: out, Layers: []string{layer}})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(report.Bytes)/1e6, "MB")
			}
		})
	}
}
