package source

import (
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A Block is a block of the census of 2020, or a part of a block group.
type Block struct {
	GEOID   string     `col:"GEOID20" usual:"geoid geoid20 blockid block2020 blockgroupgeoid"` // fifteen digits of a block, twelve of a block group
	People  int32      `col:"POP20" usual:"pop20 pop2020 population pop"`                      // residents
	Housing *int32     `col:"housing" usual:"housing20 housing2020 housing" miss:"file"`       // housing units
	Land    *int64     `col:"land" usual:"aland20 aland" miss:"file"`                          // square meters
	At      geo.LatLng `col:"lat;lng" usual:"intptlat20 intptlat latitude lat;intptlon20 intptlon longitude lon lng" miss:"file"`
	Line    int
}

// Blocks reads blocks of TIGER/Line outlines (tabblock20) or of delimited text with columns
// of the same names, such as GEOID20 and POP20.
func Blocks(f format.File) iter.Seq2[Block, error] {
	return rowsOf(f, format.Options{Quoted: true}, func(r format.Row, b *Block) error {
		switch {
		case !isDigits(b.GEOID, 15) && !isDigits(b.GEOID, 12):
			return r.Errorf("GEOID20", "%q is not the 15 digits of a block or the 12 of a block group", b.GEOID)
		case b.Housing == nil && r.Get("housing") != "": // a mark of other agencies
			return r.Errorf("housing", "%q is not a whole number of 0 or more", r.Get("housing"))
		case b.Land == nil && r.Get("land") != "":
			return r.Errorf("land", "%q is not a whole number of 0 or more", r.Get("land"))
		case b.Land != nil && *b.Land > store.MaxBlockLand:
			return r.Errorf("land", "%d, expected at most %d", *b.Land, int64(store.MaxBlockLand))
		}
		return nil
	})
}
