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
	State      string // two letters
	CountyFIPS string // five digits; "" if the row is about a whole state
	ZIP3       string // first three digits of the ZIP Codes; "" for a whole county
	RatingArea uint8  // number within the state, from 1
	Line       int
}

// RatingAreas reads a CSV of rating areas with the columns state, county_fips,
// zip3 and rating_area. A row is refused when a value is malformed or when it
// has neither county nor ZIP digits.
func RatingAreas(in *format.Input) iter.Seq2[RatingAreaRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("state", "county_fips", "zip3", "rating_area")}
	return table(in, o, ratingAreaRow)
}

func ratingAreaRow(r format.Row) (RatingAreaRow, error) {
	a := RatingAreaRow{State: r.Get("state"), Line: r.Line()}
	if len(a.State) != 2 {
		return a, r.Errorf("state", "%q is not two letters", a.State)
	}
	var err error
	if r.Get("county_fips") != "" {
		if a.CountyFIPS, err = digits(r, "county_fips", 5); err != nil {
			return a, err
		}
	}
	if r.Get("zip3") != "" {
		if a.ZIP3, err = digits(r, "zip3", 3); err != nil {
			return a, err
		}
	}
	if a.CountyFIPS == "" && a.ZIP3 == "" {
		return a, r.Errorf("county_fips", "blank, and so is zip3; expected one of them")
	}
	n, err := strconv.ParseUint(r.Get("rating_area"), 10, 8)
	if err != nil || n == 0 {
		return a, r.Errorf("rating_area", "%q is not a number from 1 to 255", r.Get("rating_area"))
	}
	a.RatingArea = uint8(n)
	return a, nil
}
