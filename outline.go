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
// ZIP+4 or full postal code. It is nil for coordinates and for codes without an
// outline, such as PO Box ZIPs. Outer rings are counterclockwise, each followed
// by its holes. A ring that crosses longitude 180 continues beyond it.
// The error matches [ErrInvalidCode], [ErrClosed] or [ErrDamaged].
func (db *DB) CodeOutline(ctx context.Context, code string) (orb.MultiPolygon, error) {
	c, err := lookup.ParseCode(code)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	return held(db, func(g *generation) (orb.MultiPolygon, error) {
		if err := g.data.Load(ctx, store.SectionZIPAreas|store.SectionFSAAreas); err != nil {
			return nil, err
		}
		switch c.Type() {
		case lookup.ZIP, lookup.ZIP4:
			return outlineOf(g.data.ZIPAreas(), postcode.ZIPOf(c.String())), nil
		case lookup.FSA, lookup.Postal:
			return outlineOf(g.data.FSAAreas(), postcode.FSAOf(c.String())), nil
		default:
			return nil, nil
		}
	})
}

// CodeOutlineSource names the source file of [DB.CodeOutline]: the user's outlines
// of ZIP Codes (--zip-polygons) or the census areas. It is "" without an outline.
// It returns the same errors as CodeOutline.
func (db *DB) CodeOutlineSource(ctx context.Context, code string) (string, error) {
	c, err := lookup.ParseCode(code)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return "", err
	}
	return read(db, func(g *generation) (string, error) { return g.reader.AreaSource(ctx, c) })
}

func outlineOf[K store.AreaKey](a *store.Areas[K], key K) orb.MultiPolygon {
	area, ok := a.Find(key)
	if !ok {
		return nil
	}
	return a.Index().Polygons(area)
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
