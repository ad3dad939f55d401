package source

import (
	"iter"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A DelineationRow is a county and its metropolitan or micropolitan statistical
// area (OMB bulletin, list 1).
type DelineationRow struct {
	CountyFIPS    string // five digits
	CBSA          string // five digits
	CBSATitle     string
	Metropolitan  bool
	Division      string // five digits; "" outside every metropolitan division
	DivisionTitle string
	CSA           string // three digits; "" outside every combined area
	CSATitle      string
	Line          int
}

const (
	colCBSA          = "CBSA Code"
	colDivision      = "Metropolitan Division Code"
	colCSA           = "CSA Code"
	colCBSATitle     = "CBSA Title"
	colCBSAKind      = "Metropolitan/Micropolitan Statistical Area"
	colDivisionTitle = "Metropolitan Division Title"
	colCSATitle      = "CSA Title"
	colStateFIPS     = "FIPS State Code"
	colCountyFIPS    = "FIPS County Code"
)

// Delineation reads the delineation file (list 1) at the path, an Excel sheet
// with title rows above its header and footnotes below its data. A row is
// refused when a code is malformed or the kind of area is neither of the two.
func Delineation(path string) iter.Seq2[DelineationRow, error] {
	return func(yield func(DelineationRow, error) bool) {
		sheet, err := format.OpenSheet(path, format.SheetOptions{
			Columns: format.Columns(colCBSA, colDivision, colCSA, colCBSATitle, colCBSAKind,
				colDivisionTitle, colCSATitle, colStateFIPS, colCountyFIPS),
			Key: []string{colCBSA, colCountyFIPS},
		})
		if err != nil {
			yield(DelineationRow{}, err)
			return
		}
		defer sheet.Close()
		for row, err := range parsed(sheet.Rows(), delineationRow) {
			if !yield(row, err) {
				return
			}
		}
	}
}

func delineationRow(r format.Row) (DelineationRow, error) {
	d := DelineationRow{
		CBSATitle:     r.Get(colCBSATitle),
		DivisionTitle: r.Get(colDivisionTitle),
		CSATitle:      r.Get(colCSATitle),
		Line:          r.Line(),
	}
	var err error
	if d.CBSA, err = digits(r, colCBSA, 5); err != nil {
		return d, err
	}
	state, err := digits(r, colStateFIPS, 2)
	if err != nil {
		return d, err
	}
	county, err := digits(r, colCountyFIPS, 3)
	if err != nil {
		return d, err
	}
	d.CountyFIPS = state + county
	if r.Get(colDivision) != "" {
		if d.Division, err = digits(r, colDivision, 5); err != nil {
			return d, err
		}
	}
	if r.Get(colCSA) != "" {
		if d.CSA, err = digits(r, colCSA, 3); err != nil {
			return d, err
		}
	}
	switch kind := r.Get(colCBSAKind); kind {
	case "Metropolitan Statistical Area":
		d.Metropolitan = true
	case "Micropolitan Statistical Area":
	default:
		return d, r.Errorf(colCBSAKind, "%q, expected Metropolitan or Micropolitan Statistical Area", kind)
	}
	return d, nil
}
