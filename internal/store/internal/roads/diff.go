package roads

import (
	"context"
	"iter"
	"slices"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// KindRoads is the kind of the roads of an area.
const KindRoads file.Kind = "roads"

// Diff compares the roads of two files area by area. The result is false when the
// comparison is over.
func Diff(ctx context.Context, c *file.Comparison, a, b *Reader) bool {
	list := func(d *Reader) iter.Seq[roadArea] { return slices.Values(d.areas) }
	return file.Merge(ctx, c, KindRoads, list(a), list(b), func(r roadArea) Area { return r.area }, func(r roadArea) string { return r.area.String() },
		func(x, y roadArea) ([]string, error) {
			var fields []string
			for _, f := range [...]struct {
				name string
				same bool
			}{{"Roads", x.roads == y.roads}, {"Ranges", x.ranges == y.ranges}, {"Points", x.points == y.points}} {
				if !f.same {
					fields = append(fields, f.name)
				}
			}
			same := x.pages == y.pages
			var err error
			for i := 0; i < x.pages && same && len(fields) == 0; i++ {
				if same, err = file.SameRow(ctx, a.file, b.file, pageRows, int64(x.area)*maxPages+int64(i)); err != nil {
					return nil, err
				}
			}
			if !same && len(fields) == 0 {
				fields = []string{"Records"}
			}
			return fields, nil
		})
}
