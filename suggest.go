package postgeo

import (
	"context"

	"github.com/postgeo/postgeo/lookup/suggest"
)

type (
	// SuggestOptions say what to suggest.
	SuggestOptions = suggest.Options
	// SuggestResult is the contract's suggest item.
	SuggestResult = suggest.Result
	// Suggestion is something that a query may mean.
	Suggestion = suggest.Match
	// Locator tells where an IP address is.
	Locator = suggest.Locator
)

// Suggest returns what a person may mean who has typed the query so far, best
// first: codes, places, counties, metropolitan areas, states, school districts.
// The last word counts as the beginning of one unless a blank follows. The
// first call after [Open] or [DB.Swap] makes an index, which takes some tens of
// milliseconds; [DB.Prepare] makes it sooner.
func (db *DB) Suggest(ctx context.Context, query string, opt SuggestOptions) (*SuggestResult, error) {
	return read(db, func(g *generation) (*SuggestResult, error) {
		e, err := g.suggest(ctx)
		if err != nil {
			return nil, err
		}
		return e.Suggest(ctx, query, opt)
	})
}
