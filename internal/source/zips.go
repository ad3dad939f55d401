package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A GeoNamesRow is a row of GeoNames' postal code files
// (https://download.geonames.org/export/zip/readme.txt).
type GeoNamesRow struct {
	Country    string     `col:"country" must:"two letters"` // "US", "CA", "PR", …
	Code       string     `col:"code"`                       // ZIP, FSA, or full postal code with its space
	Place      string     `col:"place" must:"the name of a place"`
	StateName  string     `col:"state name"`
	State      string     `col:"state"`       // two letters; "" for military ZIPs
	County     string     `col:"county"`      // in Canada a region or city
	CountyCode string     `col:"county code"` // three digits within the state; "" in Canada
	Location   geo.LatLng `col:"latitude;longitude"`
	Line       int
}

var geoNamesColumns = []string{
	"country", "code", "place", "state name", "state", "county", "county code",
	"admin3 name", "admin3 code", "latitude", "longitude", "accuracy",
}

// GeoNames reads a postal code file of GeoNames. A row is refused without
// country or place, with a malformed point, and with a code that is not a ZIP,
// FSA or postal code.
func GeoNames(f format.File) iter.Seq2[GeoNamesRow, error] {
	return rowsOf(f, format.Options{Delimiter: '\t', Names: geoNamesColumns}, func(r format.Row, g *GeoNamesRow) error {
		_, isZIP := postcode.ParseZIP(g.Code)
		_, isFSA := postcode.ParseFSA(g.Code)
		_, isPostal := postcode.ParsePostalCode(g.Code)
		if g.Country == "CA" && !isFSA && !isPostal || g.Country != "CA" && !isZIP {
			return r.Errorf("code", "%q is not a postal code of %s", g.Code, g.Country)
		}
		return nil
	})
}

// A ZIPDatabaseRow is a row of zip_code_database.csv, a file that a user may
// have from its private publisher.
type ZIPDatabaseRow struct {
	ZIP            postcode.ZIP `col:"zip"`
	Class          store.Class
	Decommissioned bool       `col:"decommissioned" true:"1"`
	City           string     `col:"primary_city" must:"a city"`
	Acceptable     []string   `col:"acceptable_cities"` // other names for the last line
	State          string     `col:"state" letters:"2"`
	County         string     `col:"county"`     // name with its legal description; "" unknown
	AreaCodes      []string   `col:"area_codes"` // three digits each
	Location       geo.LatLng `col:"latitude;longitude"`
	Line           int
}

// zipClasses are the words for the classes of ZIP Codes.
var zipClasses = map[string]store.Class{
	"STANDARD": store.General, "PO BOX": store.POBox, "UNIQUE": store.Unique, "MILITARY": store.Military,
}

// ZIPDatabase reads zip_code_database.csv. A row is refused when its ZIP, type
// or state is malformed or its city is blank.
func ZIPDatabase(f format.File) iter.Seq2[ZIPDatabaseRow, error] {
	return rowsOf(f, format.Options{Quoted: true, Columns: []string{"type"}}, func(r format.Row, z *ZIPDatabaseRow) error {
		var ok bool
		if z.Class, ok = zipClasses[r.Get("type")]; !ok {
			return r.Errorf("type", "%q, expected STANDARD, PO BOX, UNIQUE or MILITARY", r.Get("type"))
		}
		return nil
	})
}

// list splits a list with commas, without spaces and empty entries.
func list(s string) []string {
	var l []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			l = append(l, part)
		}
	}
	return l
}

// A UDSRow is a row of the UDS Mapper's crosswalk from ZIP Codes to ZCTAs.
type UDSRow struct {
	ZIP       postcode.ZIP `col:"ZIP" usual:"zip zipcode"`
	City      string       `col:"city" usual:"cityname poname"`
	State     string       `col:"state" usual:"stateabbr state" letters:"2"`
	PostBoxes bool         `col:"type" usual:"ziptype" true:"Post Office*"` // a post office or large volume customer, not an area
	ZCTA      string       `col:"ZCTA" usual:"zctause zcta"`                // the ZCTA of the ZIP, or the one that encloses it; "" none
	Line      int
}

// UDS reads the crosswalk, whose editions are a text (2015) and Excel files. A row is
// refused when its ZIP or state is malformed.
func UDS(f format.File) iter.Seq2[UDSRow, error] {
	return rowsOf(f, format.Options{Quoted: true, Key: []string{"ZIP"}}, func(_ format.Row, u *UDSRow) error {
		if !isDigits(u.ZCTA, 5) {
			u.ZCTA = ""
		}
		return nil
	})
}

// A ZIPBusinessRow is a row of the totals of ZIP Code Business Patterns.
type ZIPBusinessRow struct {
	ZIP            postcode.ZIP `col:"zip"`
	County         string       `col:"cty_name"` // name in capitals without its legal description, as it was when the table was made; "" unknown
	State          string       `col:"stabbr"`   // two letters; "" unknown
	Establishments int32        `col:"est"`
	Employees      *int32       // in the pay period of 12 March; nil withheld
	PayrollQ1      *int64       // US dollars; nil withheld
	PayrollAnnual  *int64       // US dollars; nil withheld
	EmploymentFlag string       `col:"empflag" miss:"file"` // A to M, the size class of withheld employment, until 2016; "" none
	Line           int
}

// ZIPBusiness reads the totals of ZIP Code Business Patterns of the U.S. Census
// Bureau, a quoted CSV in ISO 8859-1 whose payrolls are in thousands of
// dollars. The noise flags D and S mean that a figure is withheld; the file has
// 0 instead. A row is refused when its ZIP or a figure is malformed.
func ZIPBusiness(f format.File) iter.Seq2[ZIPBusinessRow, error] {
	o := format.Options{Quoted: true, Encoding: format.Latin1, Columns: []string{"emp_nf", "emp", "qp1_nf", "qp1", "ap_nf", "ap"}}
	return rowsOf(f, o, func(r format.Row, b *ZIPBusinessRow) (err error) {
		if f := b.EmploymentFlag; f != "" {
			if _, ok := sizeClasses[f]; !ok {
				return r.Errorf("empflag", "%q, expected a letter from A to M, not D", f)
			}
		}
		if !withheld(r, "emp_nf") {
			n, err := count32(r, "emp")
			if err != nil {
				return err
			}
			b.Employees = &n
		}
		if b.PayrollQ1, err = thousands(r, "qp1_nf", "qp1"); err != nil {
			return err
		}
		b.PayrollAnnual, err = thousands(r, "ap_nf", "ap")
		return err
	})
}

// sizeClasses are the least employees of each size class of withheld
// employment. There is no class D.
var sizeClasses = map[string]int32{
	"A": 0, "B": 20, "C": 100, "E": 250, "F": 500, "G": 1_000, "H": 2_500, "I": 5_000, "J": 10_000, "K": 25_000, "L": 50_000, "M": 100_000,
}

// LeastEmployees returns the employees, or the least of the size class if the
// figure is withheld; 0 without either.
func (r ZIPBusinessRow) LeastEmployees() int32 {
	if r.Employees != nil {
		return *r.Employees
	}
	return sizeClasses[r.EmploymentFlag]
}

// withheld reports whether the noise flag marks a confidential figure (D) or
// one below the standards of publication (S).
func withheld(r format.Row, flag string) bool {
	f := r.Get(flag)
	return f == "D" || f == "S"
}

// thousands reads an amount in thousands of dollars and returns dollars.
func thousands(r format.Row, flag, name string) (*int64, error) {
	if withheld(r, flag) {
		return nil, nil
	}
	n, err := count32(r, name)
	if err != nil {
		return nil, err
	}
	dollars := int64(n) * 1000
	return &dollars, nil
}
