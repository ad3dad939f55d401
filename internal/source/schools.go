package source

import (
	"iter"

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
func SchoolOffices(in *format.Input) iter.Seq2[SchoolOfficeRow, error] {
	row := newRowReader[SchoolOfficeRow](nil)
	return table(in, format.TableOptions{Delimiter: '|', Names: officeColumns}, func(r format.Row) (SchoolOfficeRow, error) { return row.read(known{r}, r.Line()) })
}

// known are fields without the marks of values that are missing (M) or do not
// apply (N).
type known struct{ fields }

// Get returns a field, or "" for a mark.
func (k known) Get(name string) string {
	if s := k.fields.Get(name); s != "M" && s != "N" {
		return s
	}
	return ""
}

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
func SchoolAgencies(in *format.Input) iter.Seq2[SchoolAgencyRow, error] {
	row := newRowReader[SchoolAgencyRow](nil)
	return table(in, format.TableOptions{Quoted: true, Columns: row.columns}, func(r format.Row) (SchoolAgencyRow, error) { return row.read(known{r}, r.Line()) })
}

// A SchoolIDRow links a school district to its state's own code.
type SchoolIDRow struct {
	LEA      string `col:"census_geoid" digits:"7"`
	StateID  string `col:"sch_dist_stateid"`
	Division string `col:"id"` // path of its state, county and name, the words of each divided by underscores
	Line     int
}

// SchoolIDs reads the school districts' codes of Open Civic Data.
func SchoolIDs(in *format.Input) iter.Seq2[SchoolIDRow, error] {
	return rowsOf[SchoolIDRow](in, format.TableOptions{Quoted: true}, nil)
}
