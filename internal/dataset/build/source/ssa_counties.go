package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// An SSACountyRow is a county under the code that the Social Security
// Administration, and with it Medicare, has for it.
type SSACountyRow struct {
	CountyFIPS string `col:"fipscounty" digits:"5"`
	SSA        string `col:"ssacounty" digits:"5"` // two of the state, three of the county
	Line       int
}

// SSACounties reads the crosswalk of SSA and FIPS county codes that the NBER
// publishes for the Centers for Medicare and Medicaid Services, a CSV. The file of
// one year has the column ssa_code. The one of 2005 to 2017 has ssacounty. Its
// columns y2005, y2011 and so on mark the counties of a year. Only those of the
// newest year are read. A row is refused when a code is malformed.
func SSACounties(in *format.Input) iter.Seq2[SSACountyRow, error] {
	code := format.Column{Name: "ssacounty", Match: func(h string) bool { return h == "ssacounty" || h == "ssa_code" }}
	t, err := format.NewTable(in, format.TableOptions{Quoted: true, Encoding: format.Latin1, Columns: append(format.Columns("fipscounty"), code)})
	if err != nil {
		return failed[SSACountyRow](err)
	}
	newest := ""
	for _, h := range t.Header() {
		if y, ok := strings.CutPrefix(h, "y"); ok && isDigits(y, 4) {
			newest = max(newest, h)
		}
	}
	row := newRowReader[SSACountyRow](nil)
	return parsed(t.Rows(), row.parser(func(r format.Row, _ *SSACountyRow) error {
		if newest != "" && r.Get(newest) == "" { // the county was dissolved before
			return errSkip
		}
		return nil
	}))
}
