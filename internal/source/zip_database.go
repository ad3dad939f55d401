package source

import (
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A ZIPDatabaseRow is a row of zip_code_database.csv, a file that a user may
// have from its private publisher.
type ZIPDatabaseRow struct {
	ZIP            postcode.ZIP `col:"zip"`
	Class          store.Class
	Decommissioned bool
	City           string     `col:"primary_city"`
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
func ZIPDatabase(in *format.Input) iter.Seq2[ZIPDatabaseRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("type", "decommissioned")}
	return rowsOf(in, o, func(r format.Row, z *ZIPDatabaseRow) (err error) {
		z.Decommissioned = r.Get("decommissioned") == "1"
		var ok bool
		if z.Class, ok = zipClasses[r.Get("type")]; !ok {
			return r.Errorf("type", "%q, expected STANDARD, PO BOX, UNIQUE or MILITARY", r.Get("type"))
		}
		if z.City == "" {
			return r.Errorf("primary_city", "blank, expected a city")
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
	ZIP       postcode.ZIP `col:"ZIP"`
	City      string       `col:"city"`
	State     string       `col:"state" letters:"2"`
	PostBoxes bool         // a post office or large volume customer, not an area
	ZCTA      string       `col:"ZCTA"` // the ZCTA of the ZIP, or the one that encloses it; "" none
	Line      int
}

const colUDSType = "type"

// udsHeaders are the headers of the text edition (2015) and of the Excel
// edition, by column.
var udsHeaders = map[string][]string{
	"ZIP": {"ZIP", "ZIP_CODE"}, "city": {"CITYNAME", "PO_NAME"}, "state": {"STATEABBR", "STATE"},
	"ZCTA": {"ZCTA_USE", "ZCTA"}, colUDSType: {"ZIPTYPE", "ZIP_TYPE"},
}

func udsHeader(column string) func(string) bool {
	return func(header string) bool {
		return slices.Contains(udsHeaders[column], strings.ToUpper(strings.TrimSpace(header)))
	}
}

// UDS reads the crosswalk as quoted text. A row is refused when its ZIP or
// state is malformed.
func UDS(in *format.Input) iter.Seq2[UDSRow, error] {
	kind := format.Column{Name: colUDSType, Match: udsHeader(colUDSType)}
	return matchedRows(in, format.TableOptions{Quoted: true, Columns: []format.Column{kind}}, udsHeader, finishUDS)
}

// UDSSheet reads the crosswalk from the Excel file at the path.
func UDSSheet(path string) iter.Seq2[UDSRow, error] {
	row := newRowReader[UDSRow](udsHeader)
	kind := format.Column{Name: colUDSType, Match: udsHeader(colUDSType)}
	return sheet(path, append(row.columns, kind), []string{"ZIP"}, row.parser(finishUDS))
}

func finishUDS(r format.Row, u *UDSRow) error {
	u.PostBoxes = strings.HasPrefix(r.Get(colUDSType), "Post Office")
	if !isDigits(u.ZCTA, 5) {
		u.ZCTA = ""
	}
	return nil
}
