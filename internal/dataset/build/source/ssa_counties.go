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
	CountyFIPS string // five digits
	SSA        string // five digits: two of the state, three of the county
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
	return func(yield func(SSACountyRow, error) bool) {
		for row, err := range parsed(t.Rows(), func(r format.Row) (ssaCounty, error) { return ssaCountyRow(r, newest) }) {
			if err == nil && row.gone {
				continue
			}
			if !yield(row.SSACountyRow, err) {
				return
			}
		}
	}
}

type ssaCounty struct {
	SSACountyRow
	gone bool // before the newest year
}

func ssaCountyRow(r format.Row, year string) (ssaCounty, error) {
	c := ssaCounty{gone: r.Get(year) == ""}
	c.Line = r.Line()
	var err error
	if c.CountyFIPS, err = digits(r, "fipscounty", 5); err != nil {
		return c, err
	}
	c.SSA, err = digits(r, "ssacounty", 5)
	return c, err
}
