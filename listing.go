package postgeo

import (
	"iter"

	"github.com/postgeo/postgeo/lookup"
)

// Codes yields every code of a kind that the dataset has, in ascending order:
// ZIP Codes ([lookup.ZIP]), FSAs ([lookup.FSA]) or full Canadian postal codes
// ([lookup.Postal]); of other kinds none. An error ends the sequence.
func (db *DB) Codes(kind lookup.CodeType) iter.Seq2[string, error] {
	return listed(db, func(g *generation) iter.Seq2[string, error] { return g.reader.Codes(kind) })
}

// AreaIDs yields the GEOIDs of all areas of a layer in ascending order. An
// error ends the sequence; it is a [*lookup.LayerError] where the dataset does
// not have the layer.
func (db *DB) AreaIDs(layer LayerID) iter.Seq2[string, error] {
	return listed(db, func(g *generation) iter.Seq2[string, error] { return g.reader.AreaIDs(layer) })
}

// listed keeps the dataset open as long as a list of it is read.
func listed(db *DB, list func(*generation) iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		g, err := db.acquire()
		if err != nil {
			yield("", err)
			return
		}
		defer g.done()
		for id, err := range list(g) {
			if !yield(id, err) {
				return
			}
		}
	}
}
