package source

import (
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A UDSRow is a row of the UDS Mapper's crosswalk from ZIP Codes to ZCTAs.
type UDSRow struct {
	ZIP       dataset.ZIP `col:"ZIP"`
	City      string      `col:"city"`
	State     string      `col:"state" letters:"2"`
	PostBoxes bool        // a post office or large volume customer, not an area
	ZCTA      string      `col:"ZCTA"` // the ZCTA of the ZIP, or the one that encloses it; "" none
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
