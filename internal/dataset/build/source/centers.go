package source

import (
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A CenterRow is the center of population of a block group.
type CenterRow struct {
	GEOID    string     `col:"STATEFP;COUNTYFP;TRACTCE;BLKGRPCE" digits:"2,3,6,1"`
	People   int64      `col:"POPULATION"`
	Location geo.LatLng `col:"LATITUDE;LONGITUDE"`
	Line     int
}

// BlockGroupCenters reads the centers of population of block groups that the
// U.S. Census Bureau publishes with a decennial census. A row is refused when
// a code, the count of people or the point is malformed.
func BlockGroupCenters(in *format.Input) iter.Seq2[CenterRow, error] {
	return rowsOf[CenterRow](in, format.TableOptions{}, nil)
}
