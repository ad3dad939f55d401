package synth_test

import (
	"context"
	"io"
	"testing"

	"github.com/postgeo/postgeo/internal/synth"
)

func BenchmarkNew(b *testing.B) {
	for _, size := range []struct {
		name string
		o    synth.Options
	}{{"small", synth.Options{Seed: 1}}, {"national", synth.National(1)}} {
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := synth.New(size.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriteZIP4(b *testing.B) {
	c, err := synth.New(synth.Options{Seed: 1, ZIPs: 2000})
	if err != nil {
		b.Fatal(err)
	}
	const records = 1_000_000
	o := synth.ZIP4Options{Records: records}
	for _, product := range []struct {
		name  string
		write func() (int64, error)
	}{
		{"records", func() (int64, error) { return c.WriteZIP4(context.Background(), io.Discard, o) }},
		{"points", func() (int64, error) { return c.WriteZIP4Points(context.Background(), io.Discard, o) }},
	} {
		b.Run(product.name, func(b *testing.B) {
			var rows int64
			for b.Loop() {
				n, err := product.write()
				if err != nil {
					b.Fatal(err)
				}
				rows += n
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkWriteMirror(b *testing.B) {
	c, err := synth.New(synth.Options{Seed: 1, ZIPs: 4000, Detail: 3})
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	for b.Loop() {
		if err := c.WriteMirror(context.Background(), dir); err != nil {
			b.Fatal(err)
		}
	}
}
