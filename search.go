package postgeo

import (
	"context"
	"iter"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// Radius finds the codes around a code or coordinate, the code itself included. The
// options must have a Max or an Auto.
func (db *DB) Radius(ctx context.Context, center Where, opt radius.Options) (*radius.Result, error) {
	opt.At = db.at(opt.At)
	return read(db, func(g *generation) (*radius.Result, error) { return g.engine.Search(ctx, center, opt) })
}

// RadiusBatch is [DB.Radius] for many searches, as [DB.QuickLookupBatch] is for
// quick lookups.
func (db *DB) RadiusBatch(ctx context.Context, searches iter.Seq[radius.Query]) iter.Seq2[*radius.Result, error] {
	return each(ctx, db, searches, func(db *DB, s radius.Query) (*radius.Result, error) { return db.Radius(ctx, s.Center, s.Options) })
}

// Nearest finds the codes whose points are nearest to a code or coordinate, the code
// itself included.
// It is not part of the HTTP contract.
func (db *DB) Nearest(ctx context.Context, center Where, opt radius.NearestOptions) (*radius.NearestResult, error) {
	opt.At = db.at(opt.At)
	return read(db, func(g *generation) (*radius.NearestResult, error) { return g.engine.Nearest(ctx, center, opt) })
}

// Boundary measures from a code's point or a coordinate to the boundary of a ZIP
// or FSA, and reports whether it lies inside. The error matches [ErrUnavailable]
// if the code has no area, such as a PO Box ZIP, and [ErrInvalidCode] if it is a
// coordinate.
func (db *DB) Boundary(ctx context.Context, from Where, code string) (*radius.BoundaryResult, error) {
	return read(db, func(g *generation) (*radius.BoundaryResult, error) { return g.engine.Boundary(ctx, from, code) })
}

// InPolygon finds the codes inside an [orb.Polygon] or [orb.MultiPolygon], and
// the share of each code's area that the polygon covers. Coordinates are longitude and
// latitude in degrees. The error matches [ErrInvalidParam] for another geometry, one that
// is not valid, or more than [radius.MaxPolygonVertices] vertices.
func (db *DB) InPolygon(ctx context.Context, g orb.Geometry, opt radius.PolygonOptions) (*radius.PolygonResult, error) {
	opt.At = db.at(opt.At)
	return read(db, func(gen *generation) (*radius.PolygonResult, error) { return gen.engine.InPolygon(ctx, g, opt) })
}

// DistanceMatrix measures from each of some codes or coordinates to each of others. It
// returns an error for the first place that [DB.Distance] would not find. For more pairs
// than [radius.MaxPairs] the error matches [ErrInvalidParam].
func (db *DB) DistanceMatrix(ctx context.Context, from, to []Where, opt radius.DistanceOptions) (*radius.Matrix, error) {
	opt.At = db.at(opt.At)
	return read(db, func(g *generation) (*radius.Matrix, error) {
		return radius.DistanceMatrix(ctx, g.reader, from, to, opt)
	})
}

// PairsWithin yields the pairs of codes or coordinates that are no farther apart than
// most. It ends with the error of the first place that [DB.Distance] would not find.
func (db *DB) PairsWithin(ctx context.Context, places []Where, most geo.Meters) iter.Seq2[radius.Pair, error] {
	return sequence(ctx, db, func(g *generation) iter.Seq2[radius.Pair, error] {
		return radius.PairsWithin(ctx, g.reader, places, most)
	})
}

// Prepare reads the resident parts of the dataset and builds the indexes of
// searches and suggestions. Later calls neither wait for them nor depend on the
// file for them. It takes about half a second for a national dataset. Without it
// each call reads the missing sections that it needs. Prepare leaves out the
// outlines of layers, which take much memory. The first request for the areas
// around a coordinate reads them.
//
// The error is [ErrClosed], the context's or a failure of the dataset.
func (db *DB) Prepare(ctx context.Context) error {
	_, err := held(db, func(g *generation) (struct{}, error) { return struct{}{}, g.prepare(ctx) })
	return err
}
