package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A SchoolOfficeRow is the administrative office of a school district, with
// the locale around it.
type SchoolOfficeRow struct {
	LEA        string // seven digits
	Street     string
	City       string
	State      string // two letters
	ZIP        string
	CountyFIPS string // five digits; "" unknown
	County     string
	Locale     string // two digits, 11 to 43; "" unknown
	SchoolYear string // "2024-2025"
	Location   geo.LatLng
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
	return table(in, format.TableOptions{Delimiter: '|', Names: officeColumns}, func(r format.Row) (SchoolOfficeRow, error) {
		s := SchoolOfficeRow{Line: r.Line()}
		for _, f := range []struct {
			column string
			to     *string
		}{
			{"STREET", &s.Street},
			{"CITY", &s.City},
			{"STATE", &s.State},
			{"ZIP", &s.ZIP},
			{"NMCNTY", &s.County},
			{"SCHOOLYEAR", &s.SchoolYear},
		} {
			*f.to = strings.Clone(known(r.Get(f.column)))
		}
		for _, f := range []struct {
			column string
			digits int
			to     *string
		}{
			{"CNTY", 5, &s.CountyFIPS},
			{"LOCALE", 2, &s.Locale},
		} {
			if known(r.Get(f.column)) == "" {
				continue
			}
			v, err := digits(r, f.column, f.digits)
			if err != nil {
				return s, err
			}
			*f.to = strings.Clone(v)
		}
		lea, err := digits(r, "LEAID", 7)
		if err != nil {
			return s, err
		}
		s.LEA = strings.Clone(lea)
		s.Location, err = point(r, "LAT", "LON")
		return s, err
	})
}

// known returns a field, "" for the marks of values that are missing (M) or do
// not apply (N).
func known(s string) string {
	if s == "M" || s == "N" {
		return ""
	}
	return s
}

// A SchoolAgencyRow is a row of the directory of local education agencies.
type SchoolAgencyRow struct {
	LEA       string // seven digits
	StateID   string // the state's own code
	Kind      string // LEA_TYPE, "1" to "9"
	GradeLow  string // "PK", "KG", "01" to "13", "UG", "AE"; "" unknown
	GradeHigh string
	Line      int
}

// SchoolAgencies reads the directory of local education agencies of the Common
// Core of Data (ccd_lea_029). A row is refused when its LEAID is malformed.
func SchoolAgencies(in *format.Input) iter.Seq2[SchoolAgencyRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("LEAID", "ST_LEAID", "LEA_TYPE", "GSLO", "GSHI")}
	return table(in, o, func(r format.Row) (SchoolAgencyRow, error) {
		s := SchoolAgencyRow{
			StateID: strings.Clone(known(r.Get("ST_LEAID"))), Kind: strings.Clone(known(r.Get("LEA_TYPE"))),
			GradeLow: strings.Clone(known(r.Get("GSLO"))), GradeHigh: strings.Clone(known(r.Get("GSHI"))), Line: r.Line(),
		}
		lea, err := digits(r, "LEAID", 7)
		s.LEA = strings.Clone(lea)
		return s, err
	})
}

// A SchoolIDRow links a school district to its state's own code.
type SchoolIDRow struct {
	LEA      string // seven digits
	StateID  string
	Division string // path of its state, county and name, the words of each divided by underscores
	Line     int
}

// SchoolIDs reads the school districts' codes of Open Civic Data.
func SchoolIDs(in *format.Input) iter.Seq2[SchoolIDRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("id", "sch_dist_stateid", "census_geoid")}
	return table(in, o, func(r format.Row) (SchoolIDRow, error) {
		s := SchoolIDRow{StateID: strings.Clone(r.Get("sch_dist_stateid")), Division: strings.Clone(r.Get("id")), Line: r.Line()}
		lea, err := digits(r, "census_geoid", 7)
		s.LEA = strings.Clone(lea)
		return s, err
	})
}
