package source

import (
	"iter"
	"strconv"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A RatingAreaRow is an area with its geographic rating area of the health
// insurance marketplaces. The area is a county, or the ZIP Codes with the same
// first three digits in a state or county.
type RatingAreaRow struct {
	State      string `col:"state" letters:"2"`
	CountyFIPS string `col:"county_fips" digits:"5" miss:"value"` // "" if the row is about a whole state
	ZIP3       string `col:"zip3" digits:"3" miss:"value"`        // first three digits of the ZIP Codes; "" for a whole county
	RatingArea uint8  // number within the state, from 1
	Line       int
}

// RatingAreas reads a CSV of rating areas with the columns state, county_fips,
// zip3 and rating_area. A row is refused when a value is malformed or when it
// has neither county nor ZIP digits.
func RatingAreas(in *format.Input) iter.Seq2[RatingAreaRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("rating_area")}
	return rowsOf(in, o, func(r format.Row, a *RatingAreaRow) error {
		if a.CountyFIPS == "" && a.ZIP3 == "" {
			return r.Errorf("county_fips", "blank, and so is zip3; expected one of them")
		}
		n, err := strconv.ParseUint(r.Get("rating_area"), 10, 8)
		if err != nil || n == 0 {
			return r.Errorf("rating_area", "%q is not a number from 1 to 255", r.Get("rating_area"))
		}
		a.RatingArea = uint8(n)
		return nil
	})
}
