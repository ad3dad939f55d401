package source

import (
	"iter"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
)

// An FSAPopulationRow holds the census counts of a forward sortation area.
type FSAPopulationRow struct {
	FSA               postcode.FSA
	Area              string `col:"GEO"`
	Population        *int64 `col:"population, 2021"`
	Dwellings         *int64 `col:"total private dwellings"`
	DwellingsOccupied *int64 `col:"private dwellings occupied"`
	Line              int
}

// FSAPopulation reads the CSV of table 98-10-0019 of Statistics Canada, whose headers have
// the count after a colon. The row of Canada as a whole is skipped. A row is refused when
// its area is not an FSA or a count is malformed.
func FSAPopulation(in *format.Input) iter.Seq2[FSAPopulationRow, error] {
	match := func(column string) func(string) bool {
		if column == "GEO" {
			return nil
		}
		return format.Words("dwelling counts", ":"+column)
	}
	return matchedRows(in, format.TableOptions{Quoted: true}, match, func(r format.Row, p *FSAPopulationRow) error {
		if p.Area == "Canada" {
			return errSkip
		}
		var ok bool
		if p.FSA, ok = postcode.ParseFSA(p.Area); !ok {
			return r.Errorf("GEO", "%q is not a forward sortation area", p.Area)
		}
		return nil
	})
}
