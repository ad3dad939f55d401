package lookup

import (
	"iter"

	"github.com/postgeo/postgeo/dataset"
)

// Codes yields every code of a kind in ascending order: ZIPs, FSAs or full
// Canadian postal codes; of other kinds none. There are no errors today.
func (r *Reader) Codes(kind CodeType) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		switch kind {
		case ZIP:
			for z := range r.data.ZIPs() {
				if !yield(z.ZIP.String(), nil) {
					return
				}
			}
		case FSA:
			for f := range r.data.FSAs() {
				if !yield(f.FSA.String(), nil) {
					return
				}
			}
		case Postal:
			for p := range r.data.PostalCodes() {
				if !yield(p.Code.String(), nil) {
					return
				}
			}
		default: // are not listed anywhere
		}
	}
}

// AreaIDs yields the GEOIDs of a layer's areas in ascending order, or a
// [*LayerError].
func (r *Reader) AreaIDs(id dataset.LayerID) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		l, err := r.layer(id)
		if err != nil {
			yield("", err)
			return
		}
		for i := range l.Len() {
			if !yield(l.GEOID(i), nil) {
				return
			}
		}
	}
}
