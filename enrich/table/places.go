package table

import (
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/postgeo/postgeo/enrich"
)

// rows yields a decoder at each row. It ends with an error at the first row that the
// format does not allow.
func (s *Source) rows() iter.Seq2[decoder, error] {
	return func(yield func(decoder, error) bool) {
		var b block
		for d := s.decoder(); ; {
			err := s.read(&b)
			if errors.Is(err, io.EOF) {
				return
			}
			for i := 0; err == nil && i < b.len(); i++ {
				if err = d.row(&b, i); err == nil && !yield(d, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// Keys yields the first key of each row, for callers that look up rows in their own
// way. It ends with an error at the first row that the format does not allow. A
// Source is read once, by this or by [Run].
func (s *Source) Keys(k Keys) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for d, err := range s.rows() {
			key := ""
			if err == nil {
				key = k.text(d)
			}
			if !yield(key, err) {
				return
			}
		}
	}
}

// Places reads the rows as user-supplied places for [enrich.NewPlaces], with all
// columns as cells. It consumes the source. An error of a row is a [*RowError].
func (s *Source) Places(k Keys) iter.Seq2[enrich.Place, error] {
	return func(yield func(enrich.Place, error) bool) {
		for d, err := range s.rows() {
			var p enrich.Place
			if err == nil {
				p = enrich.Place{Key: k.text(d), Cells: make([]string, len(s.Header()))}
				for c := range p.Cells {
					p.Cells[c] = strings.ToValidUTF8(string(d.appendText(nil, c)), "\ufffd")
				}
			}
			if !yield(p, err) {
				return
			}
		}
	}
}
