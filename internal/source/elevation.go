package source

import (
	"iter"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/internal/source/format"
)

// An ElevationRow is the mean elevation of a ZCTA or county.
type ElevationRow struct {
	Code   string  // five digits, of the ZCTA or the county
	Meters float64 // above sea level
	Line   int
}

// ZCTAElevations reads mean elevations by ZCTA.
func ZCTAElevations(in *format.Input) iter.Seq2[ElevationRow, error] {
	return elevations(in, "ZIP Code", "Average Elevation")
}

// CountyElevations reads mean elevations by county.
func CountyElevations(in *format.Input) iter.Seq2[ElevationRow, error] {
	return elevations(in, "County_FIPS", "Weighted_Avg_Elevation")
}

// elevations refuses rows whose code is not five digits, and elevations that
// are malformed or impossible. Possible are those between Death Valley, the
// lowest land of either country, and the highest summits.
func elevations(in *format.Input, code, meters string) iter.Seq2[ElevationRow, error] {
	const lowest, highest = -90, 6200 // meters
	o := format.TableOptions{Quoted: true, Columns: format.Columns(code, meters)}
	return table(in, o, func(r format.Row) (ElevationRow, error) {
		id, err := digits(r, code, 5)
		e := ElevationRow{Code: id, Line: r.Line()}
		if err != nil {
			return e, err
		}
		e.Meters, err = strconv.ParseFloat(r.Get(meters), 64)
		if err != nil || math.IsNaN(e.Meters) || e.Meters < lowest || e.Meters > highest {
			return e, r.Errorf(meters, "%q is not an elevation in meters, %d to %d", r.Get(meters), lowest, highest)
		}
		return e, nil
	})
}
