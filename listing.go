package postgeo

import (
	"context"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// Codes yields every code of a kind that the dataset has, in ascending order:
// ZIP Codes ([lookup.ZIP]), FSAs ([lookup.FSA]) or full Canadian postal codes
// ([lookup.Postal]). For other kinds the error matches [ErrInvalidParam].
func (db *DB) Codes(ctx context.Context, kind lookup.CodeType) iter.Seq2[string, error] {
	return sequence(ctx, db, func(g *generation) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			switch kind {
			case lookup.ZIP:
				for z := range g.data.ZIPs() {
					if !yield(z.ZIP.String(), nil) {
						return
					}
				}
			case lookup.FSA:
				for f := range g.data.FSAs() {
					if !yield(f.FSA.String(), nil) {
						return
					}
				}
			case lookup.Postal:
				if err := g.data.Load(ctx, store.SectionPostalCodes); err != nil {
					yield("", fmt.Errorf("postgeo: postal codes: %w", err))
					return
				}
				for p := range g.data.PostalCodes() {
					if !yield(p.Code.String(), nil) {
						return
					}
				}
			default:
				yield("", &Error{Op: "codes", Kind: envelope.KindInvalidParam, Param: "kind", Input: string(kind), Range: "ZIP, FSA or Postal"})
			}
		}
	})
}

// AreaIDs yields the GEOIDs of all areas of a layer in ascending order, or of those
// whose bounding boxes meet one of the boxes. An empty box meets none. An error ends the
// sequence; it matches [ErrInvalidParam] if no dataset has such a layer, and
// [ErrUnavailable] if this one lacks it.
func (db *DB) AreaIDs(ctx context.Context, layer lookup.Layer, boxes ...geo.Box) iter.Seq2[string, error] {
	return sequence(ctx, db, func(g *generation) iter.Seq2[string, error] { return g.reader.AreaIDs(ctx, layer, boxes...) })
}

// OwnLayers lists the layers that users added to the dataset, such as "layers.sales".
// The Layers of [lookup.Include] have these names without "layers.".
func (db *DB) OwnLayers(ctx context.Context) ([]lookup.Layer, error) {
	return held(db, func(g *generation) (list []lookup.Layer, err error) {
		for _, l := range g.data.Layers() {
			if store.IsOwnLayer(l.ID()) {
				list = append(list, lookup.Layer(l.ID().String()))
			}
		}
		return list, ctx.Err()
	})
}
