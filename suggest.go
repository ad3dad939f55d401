package postgeo

import (
	"context"
)

// Suggest returns completions of a partly typed query, best first: codes, places,
// counties, metropolitan areas, states and school districts. The last word is a
// prefix unless a space follows. The first call after [Open] or [DB.Swap] builds
// an index in less than 0.1 seconds; [DB.Prepare] builds it earlier.
func (db *DB) Suggest(ctx context.Context, query string, opt SuggestOptions) (*SuggestResult, error) {
	return read(db, func(g *generation) (*SuggestResult, error) {
		e, err := g.suggest(ctx)
		if err != nil {
			return nil, err
		}
		return e.Suggest(ctx, query, opt)
	})
}
