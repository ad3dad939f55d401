package source

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// An ACSPopulationRow is the population of a ZCTA.
type ACSPopulationRow struct {
	ZCTA       string `col:"zcta" digits:"5"`
	Population *int64 // nil if the field is empty
	Line       int
}

// ACSPopulation reads the population of ZCTAs from a quoted CSV with a column
// zcta and columns pop_YYYY. It takes the newest year and returns it. A table
// without these columns is refused with an error that matches
// [format.ErrColumns].
func ACSPopulation(in *format.Input) (year int, rows iter.Seq2[ACSPopulationRow, error], err error) {
	t, err := format.NewTable(in, format.TableOptions{Quoted: true, Columns: format.Columns("zcta")})
	if err != nil {
		return 0, nil, err
	}
	column := ""
	for _, h := range t.Header() {
		y, ok := strings.CutPrefix(h, "pop_")
		if n, err := strconv.Atoi(y); ok && err == nil && len(y) == 4 && n > year {
			year, column = n, h
		}
	}
	if column == "" {
		return 0, nil, &format.Error{File: in.Name(), Line: 1, Reason: fmt.Sprintf("no column pop_YYYY among %q", t.Header()), Err: format.ErrColumns}
	}
	row := newRowReader[ACSPopulationRow](nil)
	return year, parsed(t.Rows(), row.parser(func(r format.Row, p *ACSPopulationRow) (err error) {
		p.Population, err = optionalCount(r, column)
		return err
	})), nil
}
