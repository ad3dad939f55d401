package source

import (
	"cmp"
	"iter"
	"slices"
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
// keeps for the Centers for Medicare and Medicaid Services. It is a quoted CSV;
// columns y2005, y2011 and so on mark the counties of a year. Only the counties
// of the newest year are read. A row is refused when a code is malformed. A
// file without a year is refused with an error that matches
// [format.ErrColumns].
func SSACounties(in *format.Input) iter.Seq2[SSACountyRow, error] {
	t, err := format.NewTable(in, format.TableOptions{Quoted: true, Encoding: format.Latin1, Columns: format.Columns("ssacounty", "fipscounty")})
	if err != nil {
		return failed[SSACountyRow](err)
	}
	years := slices.DeleteFunc(slices.Clone(t.Header()), func(h string) bool {
		y, ok := strings.CutPrefix(h, "y")
		return !ok || !isDigits(y, 4)
	})
	if len(years) == 0 {
		return failed[SSACountyRow](&format.Error{File: in.Name(), Line: 1, Reason: "no column yYYYY that marks the counties of a year", Err: format.ErrColumns})
	}
	newest := slices.MaxFunc(years, cmp.Compare[string])
	row := newRowReader[SSACountyRow](nil)
	return parsed(t.Rows(), row.parser(func(r format.Row, _ *SSACountyRow) error {
		if r.Get(newest) == "" { // the county was dissolved before
			return errSkip
		}
		return nil
	}))
}
