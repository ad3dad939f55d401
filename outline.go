package postgeo

import (
	"iter"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/lookup"
)

// Outline returns the outline of the area of a ZIP or FSA, or of the one that
// a ZIP+4 or full postal code lies in; nil where the dataset has none, as for
// point-only ZIPs, and for coordinates. Outer rings run counterclockwise, each
// followed by its holes; a ring that crosses longitude 180 runs on beyond it.
// The error is a [*lookup.ParseError] or [ErrClosed].
func (db *DB) Outline(code string) (orb.MultiPolygon, error) {
	c, err := lookup.ParseCode(code)
	if err != nil {
		return nil, err
	}
	g, err := db.acquire()
	if err != nil {
		return nil, err
	}
	defer g.done()
	switch c.Type() {
	case lookup.ZIP, lookup.ZIP4:
		return outlineOf(g.data.ZIPAreas(), c.ZIP()), nil
	case lookup.FSA, lookup.Postal:
		return outlineOf(g.data.FSAAreas(), c.FSA()), nil
	default:
		return nil, nil
	}
}

// OutlineSource names the file that the outline of [DB.Outline] comes from: the
// one that the builder was given for ZIP Codes (--zip-polygons), or that of the
// census areas. It is "" where there is no outline. The error is that of
// Outline.
func (db *DB) OutlineSource(code string) (string, error) {
	c, err := lookup.ParseCode(code)
	if err != nil {
		return "", err
	}
	return read(db, func(g *generation) (string, error) { return g.reader.AreaSource(c), nil })
}

func outlineOf[K dataset.AreaKey](a *dataset.Areas[K], key K) orb.MultiPolygon {
	area, ok := a.Find(key)
	if !ok {
		return nil
	}
	return a.Index().Polygons(area)
}

// StateOutlines yields the abbreviation and the outline of each state and
// province that the dataset has an outline of, e.g. as the ground of a map.
// The sequence is empty after [DB.Close].
func (db *DB) StateOutlines() iter.Seq2[string, orb.MultiPolygon] {
	return func(yield func(string, orb.MultiPolygon) bool) {
		g, err := db.acquire()
		if err != nil {
			return
		}
		defer g.done()
		areas := g.data.StateAreas()
		for i, id := range areas.Keys() {
			if !yield(g.data.State(id).Abbr, areas.Index().Polygons(i)) {
				return
			}
		}
	}
}
