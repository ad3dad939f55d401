package acs_test

import (
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/sample"
)

// everything is every profile of every year of the sample.
func everything(tb testing.TB, r *acs.Reader) []acs.Tag {
	tb.Helper()
	var list []acs.Tag
	for _, year := range r.YearsOf(dataset.ACSZCTA) {
		for _, p := range acs.AllProfiles() {
			list = append(list, acs.Tag{Profile: p, Year: uint16(year)})
		}
	}
	return list
}

// BenchmarkReader reads blocks of the embedded sample; "figures" is how many
// metrics one operation gives.
func BenchmarkReader(b *testing.B) {
	d, err := dataset.OpenFS(sample.FS(), sample.Name)
	check(b, err)
	defer d.Close()
	r := acs.NewReader(d)
	for _, bench := range []struct {
		name string
		tags []acs.Tag
	}{
		{"1x1", []acs.Tag{{Profile: acs.Economic, Year: 2019}}},
		{"4x1", everything(b, r)[:4]},
		{"4x14", everything(b, r)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.ZCTA(b.Context(), "10001", bench.tags, acs.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("json/4x14", func(b *testing.B) {
		res, err := r.ZCTA(b.Context(), "10001", everything(b, r), acs.Options{})
		check(b, err)
		var buf []byte
		b.ReportAllocs()
		for b.Loop() {
			if buf, err = res.Years.AppendJSON(buf[:0]); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(buf)))
	})
}
