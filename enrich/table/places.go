package table

import (
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/postgeo/postgeo/enrich"
)

// Places reads the rows as user-supplied places for [enrich.NewPlaces], with all
// columns as cells. It consumes the source. An error of a row is a [*RowError].
func (s *Source) Places(k Keys) iter.Seq2[enrich.Place, error] {
	return func(yield func(enrich.Place, error) bool) {
		d, columns := s.decoder(), len(s.Header())
		var b block
		for {
			err := s.read(&b)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(enrich.Place{}, err)
				return
			}
			for i := range b.len() {
				if err := d.row(&b, i); err != nil {
					yield(enrich.Place{}, err)
					return
				}
				p := enrich.Place{Key: k.text(d), Cells: make([]string, columns)}
				for c := range p.Cells {
					p.Cells[c] = strings.ToValidUTF8(string(d.appendText(nil, c)), "\ufffd")
				}
				if !yield(p, nil) {
					return
				}
			}
		}
	}
}
