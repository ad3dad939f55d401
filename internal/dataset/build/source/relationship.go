package source

import (
	"iter"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A RelationshipRow is the part that an area of 2010 shares with an area of 2020.
type RelationshipRow struct {
	From string `col:"GEOID_10" miss:"value"` // of 2010; "" for a part outside all areas of 2010
	To   string `col:"GEOID_20" miss:"value"` // of 2020; "" for a part outside all areas of 2020
	Land int64  `col:"AREALAND_PART"`         // in square meters
	// Water is the area of water, in square meters.
	Water int64 `col:"AREAWATER_PART"`
	Line  int
}

// Relationship reads a relationship file of the Census Bureau between areas of 2010
// and of 2020. The names of 2010 and 2020 are those in its header, such as
// ZCTA5_10 and ZCTA5_20.
func Relationship(in *format.Input, name string) iter.Seq2[RelationshipRow, error] {
	reader := newRowReader[RelationshipRow](func(column string) func(header string) bool {
		want := map[string]string{"GEOID_10": "GEOID_" + name + "_10", "GEOID_20": "GEOID_" + name + "_20"}[column]
		if want == "" {
			want = column
		}
		return func(header string) bool { return header == want }
	})
	o := format.TableOptions{Delimiter: '|', Columns: reader.columns}
	return table(in, o, func(r format.Row) (RelationshipRow, error) { return reader.read(r, r.Line()) })
}
