package postgeo

import (
	"context"
	"iter"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

type (
	// RadiusOptions say what a radius search shall find.
	RadiusOptions = radius.Options
	// RadiusInclude says what a radius search shall add.
	RadiusInclude = radius.Include
	// RadiusMode is how a radius search tells what lies inside.
	RadiusMode = radius.Mode
	// AutoRadius is a rule that finds the radius.
	AutoRadius = radius.Auto
	// RadiusResult is the contract's radius item.
	RadiusResult = radius.Result
	// NearestOptions say how many nearest codes to find.
	NearestOptions = radius.NearestOptions
	// NearestResult holds the codes nearest to a center.
	NearestResult = radius.NearestResult
	// BoundaryResult tells how a point lies to the area of a code.
	BoundaryResult = radius.BoundaryResult
	// PolygonOptions say what a search inside a polygon shall find.
	PolygonOptions = radius.PolygonOptions
	// PolygonResult holds the codes inside a polygon.
	PolygonResult = radius.PolygonResult
	// Matrix holds the distances between two lists of places.
	Matrix = radius.Matrix
	// Pair is two places of a list and how far apart they are.
	Pair = radius.Pair
)

// The modes and automatic radiuses of a search.
const (
	Centroid = radius.Centroid
	Spatial  = radius.Spatial
	Density  = radius.Density
	Commute  = radius.Commute
)

// Radius finds the codes around a code or coordinate.
func (db *DB) Radius(ctx context.Context, center string, opt RadiusOptions) (*RadiusResult, error) {
	opt.At = db.at(opt.At)
	return read(db, func(g *generation) (*RadiusResult, error) { return g.engine.Search(ctx, center, opt) })
}

// A RadiusSearch is one search of many.
type RadiusSearch struct {
	Center  string
	Options RadiusOptions
}

// Searches is [DB.Radius] for many searches, as [DB.QuickLookups] is for
// quick lookups.
func (db *DB) Searches(ctx context.Context, searches iter.Seq[RadiusSearch]) iter.Seq2[*RadiusResult, error] {
	return each(ctx, db, searches, func(db *DB, s RadiusSearch) (*RadiusResult, error) { return db.Radius(ctx, s.Center, s.Options) })
}

// Nearest finds the codes whose points are nearest to a code or coordinate.
// Like the methods below it is not part of the HTTP contract.
func (db *DB) Nearest(ctx context.Context, center string, opt NearestOptions) (*NearestResult, error) {
	opt.At = db.at(opt.At)
	return read(db, func(g *generation) (*NearestResult, error) { return g.engine.Nearest(ctx, center, opt) })
}

// Boundary measures from a code's point or a coordinate to the boundary of the
// area of a ZIP or FSA, and reports whether it lies inside. A code that exists
// and has no area, as a PO Box ZIP, is an [ErrUnavailable].
func (db *DB) Boundary(ctx context.Context, from, code string) (*BoundaryResult, error) {
	return read(db, func(g *generation) (*BoundaryResult, error) { return g.engine.Boundary(ctx, from, code) })
}

// InPolygon finds the codes inside an [orb.Polygon] or [orb.MultiPolygon], e.g.
// the Geometry of a feature that package geojson of orb has read, and how much
// of each code's area the polygon covers.
func (db *DB) InPolygon(ctx context.Context, g orb.Geometry, opt PolygonOptions) (*PolygonResult, error) {
	opt.At = db.at(opt.At)
	return read(db, func(gen *generation) (*PolygonResult, error) { return gen.engine.InPolygon(ctx, g, opt) })
}

// Distances measures from each of some codes or coordinates to each of others.
func (db *DB) Distances(ctx context.Context, from, to []string, opt DistanceOptions) (*Matrix, error) {
	opt.At = db.at(opt.At)
	return read(db, func(g *generation) (*Matrix, error) { return radius.Distances(ctx, g.reader, from, to, opt) })
}

// PairsWithin yields the pairs of codes or coordinates that are at most most
// apart.
func (db *DB) PairsWithin(ctx context.Context, codes []string, most geo.Meters) iter.Seq2[Pair, error] {
	return sequence(ctx, db, func(g *generation) iter.Seq2[Pair, error] { return radius.PairsWithin(ctx, g.reader, codes, most) })
}

// Prepare reads all of the dataset that stays in memory and makes the indexes of
// searches and suggestions, so that no later call waits for them, and so that
// answers from memory do not depend on the file any more. It takes about half a
// second on a national dataset; without it each call reads the sections that it
// needs and that are not in memory yet. Outlines of layers are not read: they
// take much memory, and the first question for the areas around a coordinate
// reads those of the layers that it needs.
//
// The error is [ErrClosed], the context's or a failure of the dataset.
func (db *DB) Prepare(ctx context.Context) error {
	_, err := held(db, func(g *generation) (struct{}, error) { return struct{}{}, g.prepare(ctx) })
	return err
}
