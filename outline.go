package postgeo

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// CodeOutline returns the outline of a ZIP or FSA, or of the one that contains a
// ZIP+4 or full postal code. It is nil for coordinates, for codes without an outline,
// such as PO Box ZIPs, and for codes that do not exist. Outer rings are counterclockwise, each followed
// by its holes. A ring that crosses longitude 180 continues beyond it.
//
// The source is the file of the outline: the user's outlines of ZIP Codes
// (--zip-polygons) or the census areas. It is "" without an outline.
// The error matches [ErrInvalidCode], [ErrClosed] or [ErrDamaged].
func (db *DB) CodeOutline(ctx context.Context, code string) (m orb.MultiPolygon, source string, err error) {
	c, err := lookup.ParseCode(code)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, "", err
	}
	err = use(db, func(g *generation) error {
		if err := g.data.Load(ctx, store.SectionZIPAreas|store.SectionFSAAreas); err != nil {
			return err
		}
		switch c.Type() {
		case lookup.ZIP, lookup.ZIP4:
			m, source = outlineOf(g.data.ZIPAreas(), postcode.ZIPOf(c.String()))
		case lookup.FSA, lookup.Postal:
			m, source = outlineOf(g.data.FSAAreas(), postcode.FSAOf(c.String()))
		default:
		}
		return nil
	})
	return m, source, err
}

func outlineOf[K store.AreaKey](a *store.Areas[K], key K) (m orb.MultiPolygon, source string) {
	if area, ok := a.Find(key); ok {
		m = a.Index().Polygons(area)
	}
	return m, a.SourceOf(key)
}

// StateOutlines yields the outline of each state and province that has one, or of those
// whose bounding boxes meet one of the boxes, for example as the ground of a map. An
// empty box meets none. An error ends the sequence: [ErrClosed], the context's or a
// failure of the dataset.
func (db *DB) StateOutlines(ctx context.Context, boxes ...geo.Box) iter.Seq2[lookup.StateOutline, error] {
	wanted := func(b geo.Box) bool { return len(boxes) == 0 || slices.ContainsFunc(boxes, b.Meets) }
	return sequence(ctx, db, func(g *generation) iter.Seq2[lookup.StateOutline, error] {
		return func(yield func(lookup.StateOutline, error) bool) {
			if err := g.data.Load(ctx, store.SectionStateAreas); err != nil {
				yield(lookup.StateOutline{}, err)
				return
			}
			areas := g.data.StateAreas()
			for i, id := range areas.Keys() {
				if wanted(areas.Index().Box(i)) && !yield(lookup.StateOutline{State: g.data.State(id).Abbr, Outline: areas.Index().Polygons(i)}, nil) {
					return
				}
			}
		}
	})
}
