package data

import (
	"iter"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

// openGeo reads a GeoParquet file, or a table in another format of enrich: the metadata of
// its geometry, its columns and rows.
func openGeo(path string) (string, []string, iter.Seq2[[]string, error], error) {
	src, err := table.Open(path, table.Input{})
	if err != nil {
		return "", nil, nil, err
	}
	return src.Metadata("geo"), src.Header(), func(yield func([]string, error) bool) {
		defer src.Close()
		for p, err := range src.Places(table.Keys{Kind: enrich.Code, Columns: []int{0}}) {
			if !yield(p.Cells, err) || err != nil {
				return
			}
		}
	}, nil
}
