package postgeo

import (
	"context"
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// Codes yields every code of a kind that the dataset has, in ascending order:
// ZIP Codes ([lookup.ZIP]), FSAs ([lookup.FSA]) or full Canadian postal codes
// ([lookup.Postal]). For other kinds the error matches [ErrInvalidParam].
func (db *DB) Codes(ctx context.Context, kind lookup.CodeType) iter.Seq2[string, error] {
	return sequence(ctx, db, func(g *generation) iter.Seq2[string, error] { return g.reader.Codes(ctx, kind) })
}

// AreaIDs yields the GEOIDs of all areas of a layer in ascending order, or of those
// whose bounding boxes meet one of the boxes. An empty box meets none. An error ends the
// sequence; it matches [ErrUnavailable] if the dataset lacks the layer.
func (db *DB) AreaIDs(ctx context.Context, layer lookup.Layer, boxes ...geo.Box) iter.Seq2[string, error] {
	return sequence(ctx, db, func(g *generation) iter.Seq2[string, error] { return g.reader.AreaIDs(ctx, layer, boxes...) })
}

// OwnLayers lists the layers that users added to the dataset.
func (db *DB) OwnLayers(ctx context.Context) ([]lookup.Layer, error) {
	return held(db, func(g *generation) ([]lookup.Layer, error) { return g.reader.OwnLayers(), ctx.Err() })
}
