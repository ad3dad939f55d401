package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A UDSRow is a row of the UDS Mapper's crosswalk from ZIP Codes to ZCTAs.
type UDSRow struct {
	ZIP       dataset.ZIP
	City      string
	State     string // two letters
	PostBoxes bool   // a post office or large volume customer, not an area
	ZCTA      string // the ZCTA of the ZIP, or the one that encloses it; "" none
	Line      int
}

const (
	colUDSZIP   = "ZIP"
	colUDSType  = "type"
	colUDSCity  = "city"
	colUDSState = "state"
	colUDSZCTA  = "ZCTA"
)

// udsColumns know the headers of the text edition (2015) and of the Excel
// edition.
func udsColumns() []format.Column {
	oneOf := func(names ...string) func(string) bool {
		return func(header string) bool {
			for _, n := range names {
				if strings.EqualFold(strings.TrimSpace(header), n) {
					return true
				}
			}
			return false
		}
	}
	return []format.Column{
		{Name: colUDSZIP, Match: oneOf("ZIP", "ZIP_CODE")},
		{Name: colUDSType, Match: oneOf("ZIPType", "ZIP_TYPE")},
		{Name: colUDSCity, Match: oneOf("CityName", "PO_NAME")},
		{Name: colUDSState, Match: oneOf("StateAbbr", "STATE")},
		{Name: colUDSZCTA, Match: oneOf("ZCTA_USE", "ZCTA")},
	}
}

// UDS reads the crosswalk as quoted text. A row is refused when its ZIP or
// state is malformed.
func UDS(in *format.Input) iter.Seq2[UDSRow, error] {
	return table(in, format.TableOptions{Quoted: true, Columns: udsColumns()}, udsRow)
}

// UDSSheet reads the crosswalk from the Excel file at the path.
func UDSSheet(path string) iter.Seq2[UDSRow, error] {
	return func(yield func(UDSRow, error) bool) {
		sheet, err := format.OpenSheet(path, format.SheetOptions{Columns: udsColumns(), Key: []string{colUDSZIP}})
		if err != nil {
			yield(UDSRow{}, err)
			return
		}
		defer sheet.Close()
		for row, err := range parsed(sheet.Rows(), udsRow) {
			if !yield(row, err) {
				return
			}
		}
	}
}

func udsRow(r format.Row) (UDSRow, error) {
	u := UDSRow{City: r.Get(colUDSCity), State: r.Get(colUDSState), Line: r.Line()}
	var ok bool
	if u.ZIP, ok = dataset.ParseZIP(r.Get(colUDSZIP)); !ok {
		return u, r.Errorf(colUDSZIP, "%q is not five digits", r.Get(colUDSZIP))
	}
	if len(u.State) != 2 {
		return u, r.Errorf(colUDSState, "%q is not two letters", u.State)
	}
	u.PostBoxes = strings.HasPrefix(r.Get(colUDSType), "Post Office")
	if z := r.Get(colUDSZCTA); isDigits(z, 5) {
		u.ZCTA = z
	}
	return u, nil
}
