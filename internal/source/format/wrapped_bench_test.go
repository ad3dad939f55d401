package format_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/source/format"
)

// BenchmarkRealTable reads official files as they come, decompression
// included; the rate is of uncompressed bytes.
func BenchmarkRealTable(b *testing.B) {
	benchmarks := []struct {
		name, path, member string
		o                  format.TableOptions
		size               int64
	}{
		{"zip of tabs", "download.geonames.org/export/zip/US.zip", "US.txt", format.TableOptions{Delimiter: '\t', Names: make([]string, 12)}, 2_627_903},
		{"zip of pipes", "www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/2025_Gaz_zcta_national.zip", "", format.TableOptions{Delimiter: '|'}, 2_369_685},
		{"zip of quoted CSV in Latin-1", "www2.census.gov/programs-surveys/cbp/datasets/2020/zbp20totals.zip", "", format.TableOptions{Quoted: true, Encoding: format.Latin1}, 2_845_053},
		{"CSV", "www.unitedstateszipcodes.org/zip_code_database.csv", "", format.TableOptions{Quoted: true}, 4_507_624},
	}
	for _, bb := range benchmarks {
		b.Run(bb.name, func(b *testing.B) {
			path := shared(b, "mirror", bb.path)
			b.SetBytes(bb.size)
			b.ReportAllocs()
			for b.Loop() {
				in, err := format.Open(path, format.OpenOptions{Member: bb.member})
				if err != nil {
					b.Fatal(err)
				}
				table, err := format.NewTable(in, bb.o)
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for row, err := range table.Rows() {
					if err != nil {
						b.Fatal(err)
					}
					n += len(row.Field(0))
				}
				in.Close()
				if n == 0 {
					b.Fatal("nothing read")
				}
			}
		})
	}
}
