package source

import (
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A CenterRow is the center of population of a block group.
type CenterRow struct {
	GEOID    string // twelve digits: state, county, tract, block group
	People   int64
	Location geo.LatLng
	Line     int
}

// BlockGroupCenters reads the centers of population of block groups that the
// U.S. Census Bureau publishes with a decennial census. A row is refused when
// a code, the count of people or the point is malformed.
func BlockGroupCenters(in *format.Input) iter.Seq2[CenterRow, error] {
	o := format.TableOptions{Columns: format.Columns("STATEFP", "COUNTYFP", "TRACTCE", "BLKGRPCE", "POPULATION", "LATITUDE", "LONGITUDE")}
	return table(in, o, func(r format.Row) (CenterRow, error) {
		c := CenterRow{Line: r.Line()}
		for _, part := range [...]struct {
			name   string
			digits int
		}{{"STATEFP", 2}, {"COUNTYFP", 3}, {"TRACTCE", 6}, {"BLKGRPCE", 1}} {
			code, err := digits(r, part.name, part.digits)
			if err != nil {
				return c, err
			}
			c.GEOID += code
		}
		var err error
		if c.People, err = count(r, "POPULATION"); err != nil {
			return c, err
		}
		c.Location, err = point(r, "LATITUDE", "LONGITUDE")
		return c, err
	})
}
