package source

import (
	"iter"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A DelineationRow is a county and its metropolitan or micropolitan statistical
// area (OMB bulletin, list 1).
type DelineationRow struct {
	CountyFIPS    string `col:"FIPS State Code;FIPS County Code" digits:"2,3"`
	CBSA          string `col:"CBSA Code" digits:"5"`
	CBSATitle     string `col:"CBSA Title"`
	Metropolitan  bool
	Division      string `col:"Metropolitan Division Code" digits:"5" miss:"value"`
	DivisionTitle string `col:"Metropolitan Division Title"`
	CSA           string `col:"CSA Code" digits:"3" miss:"value"` // combined statistical area
	CSATitle      string `col:"CSA Title"`
	Line          int
}

// Delineation reads the delineation file (list 1) at the path, an Excel sheet
// with title rows above its header and footnotes below its data. A row is
// refused when a code is malformed or the kind of area is neither of the two.
func Delineation(path string) iter.Seq2[DelineationRow, error] {
	const colKind = "Metropolitan/Micropolitan Statistical Area"
	row := newRowReader[DelineationRow](nil)
	return sheet(path, append(row.columns, format.Column{Name: colKind}), []string{"CBSA Code", "FIPS County Code"}, row.parser(func(r format.Row, d *DelineationRow) error {
		switch kind := r.Get(colKind); kind {
		case "Metropolitan Statistical Area":
			d.Metropolitan = true
		case "Micropolitan Statistical Area":
		default:
			return r.Errorf(colKind, "%q, expected Metropolitan or Micropolitan Statistical Area", kind)
		}
		return nil
	}))
}

// sheet reads the rows of an Excel file whose key columns are not blank.
func sheet[R any](path string, columns []format.Column, key []string, parse func(format.Row) (R, error)) iter.Seq2[R, error] {
	return opened(func() (*format.Sheet, error) {
		return format.OpenSheet(path, format.SheetOptions{Columns: columns, Key: key})
	}, (*format.Sheet).Rows, parse)
}
