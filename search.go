package postgeo

import (
	"context"

	"github.com/postgeo/postgeo/radius"
)

type (
	// RadiusOptions say what a radius search shall find.
	RadiusOptions = radius.Options
	// RadiusInclude says what a radius search shall add.
	RadiusInclude = radius.Include
	// RadiusResult is the contract's radius item.
	RadiusResult = radius.Result
)

// The modes and automatic radiuses of a search.
const (
	Centroid = radius.Centroid
	Spatial  = radius.Spatial
	Density  = radius.Density
	Commute  = radius.Commute
)

// ErrInvalidParam says that an option of a search is out of range; the
// error's type is [*radius.ParamError].
var ErrInvalidParam = radius.ErrInvalidParam

// Radius finds the codes around a code or coordinate. The first search after
// [Open] or [DB.Swap] makes indexes, which takes up to a second on a dataset
// with all Canadian postal codes; [DB.Prepare] makes them sooner.
func (db *DB) Radius(ctx context.Context, center string, opt RadiusOptions) (*RadiusResult, error) {
	return read(db, func(g *generation) (*RadiusResult, error) { return g.engine.Search(ctx, center, opt) })
}

// Prepare makes what is otherwise made when the first search needs it, for the
// dataset that the DB reads now.
func (db *DB) Prepare() error {
	g, err := db.acquire()
	if err != nil {
		return err
	}
	defer g.done()
	g.engine.Prepare()
	return nil
}
