package source

import (
	"iter"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
)

// A SchoolOfficeRow is the administrative office of a school district, with
// the locale around it.
type SchoolOfficeRow struct {
	LEA        string     `col:"LEAID" digits:"7"`
	Street     string     `col:"STREET"`
	City       string     `col:"CITY"`
	State      string     `col:"STATE"` // two letters
	ZIP        string     `col:"ZIP"`
	CountyFIPS string     `col:"CNTY" digits:"5" miss:"value"`
	County     string     `col:"NMCNTY"`
	Locale     string     `col:"LOCALE" digits:"2" miss:"value"` // 11 to 43
	Location   geo.LatLng `col:"LAT;LON"`
	Line       int
}

// officeColumns are the columns of EDGE_GEOCODE_PUBLICLEA, which has no header
// (EDGE geocode file documentation of the National Center for Education
// Statistics).
var officeColumns = []string{
	"LEAID", "NAME", "OPSTFIPS", "STREET", "CITY", "STATE", "ZIP", "STFIP", "CNTY", "NMCNTY", "LOCALE", "LAT", "LON",
	"CBSA", "NMCBSA", "CBSATYPE", "CSA", "NMCSA", "CD", "SLDL", "SLDU", "SCHOOLYEAR",
}

// SchoolOffices reads the geocoded offices of local education agencies
// (EDGE_GEOCODE_PUBLICLEA), a text with "|" between its columns. A row is
// refused when its LEAID, county, locale or point is malformed.
func SchoolOffices(f format.File) iter.Seq2[SchoolOfficeRow, error] {
	return rowsOf[SchoolOfficeRow](f, format.Options{Delimiter: '|', Names: officeColumns, Blank: unknownMarks}, nil)
}

// unknownMarks are the marks of values that are missing (M) or do not apply (N).
var unknownMarks = []string{"M", "N"}

// A SchoolAgencyRow is a row of the directory of local education agencies.
type SchoolAgencyRow struct {
	LEA       string `col:"LEAID" digits:"7"`
	StateID   string `col:"ST_LEAID"` // the state's own code
	Kind      string `col:"LEA_TYPE"` // "1" to "9"
	GradeLow  string `col:"GSLO"`     // "PK", "KG", "01" to "13", "UG", "AE"; "" unknown
	GradeHigh string `col:"GSHI"`
	Line      int
}

// SchoolAgencies reads the directory of local education agencies of the Common
// Core of Data (ccd_lea_029). A row is refused when its LEAID is malformed.
func SchoolAgencies(f format.File) iter.Seq2[SchoolAgencyRow, error] {
	return rowsOf[SchoolAgencyRow](f, format.Options{Quoted: true, Blank: unknownMarks}, nil)
}

// A SchoolIDRow links a school district to its state's own code.
type SchoolIDRow struct {
	LEA      string `col:"census_geoid" digits:"7"`
	StateID  string `col:"sch_dist_stateid"`
	Division string `col:"id"` // path of its state, county and name, the words of each divided by underscores
	Line     int
}

// SchoolIDs reads the school districts' codes of Open Civic Data.
func SchoolIDs(f format.File) iter.Seq2[SchoolIDRow, error] {
	return rowsOf[SchoolIDRow](f, format.Options{Quoted: true}, nil)
}

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
func RatingAreas(f format.File) iter.Seq2[RatingAreaRow, error] {
	return rowsOf(f, format.Options{Quoted: true, Columns: []string{"rating_area"}}, func(r format.Row, a *RatingAreaRow) error {
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

// An SSACountyRow is a county under the code that the Social Security
// Administration, and with it Medicare, has for it.
type SSACountyRow struct {
	CountyFIPS string `col:"fipscounty" digits:"5"`
	SSA        string `col:"ssacounty" usual:"ssacounty ssacode" digits:"5"` // two of the state, three of the county
	Line       int
}

// SSACounties reads the crosswalk of SSA and FIPS county codes that the NBER
// publishes for the Centers for Medicare and Medicaid Services, a CSV. The file of
// one year has the column ssa_code. The one of 2005 to 2017 has ssacounty. Its
// columns y2005, y2011 and so on mark the counties of a year. Only those of the
// newest year are read. A row is refused when a code is malformed.
func SSACounties(f format.File) iter.Seq2[SSACountyRow, error] {
	newest := ""
	return rowsOf(f, format.Options{Quoted: true, Encoding: format.Latin1}, func(r format.Row, _ *SSACountyRow) error {
		if newest == "" {
			for _, h := range r.Header() {
				if y, ok := strings.CutPrefix(h, "y"); ok && isDigits(y, 4) {
					newest = max(newest, h)
				}
			}
		}
		if newest != "" && r.Get(newest) == "" { // the county was dissolved before
			return errSkip
		}
		return nil
	})
}
