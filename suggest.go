package postgeo

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// Suggest returns completions of a partly typed query, best first: codes, places,
// counties, metropolitan areas, states and school districts. The last word is a
// prefix unless a space follows. The first call after [Open] or [DB.Swap] builds
// an index in less than 0.1 seconds; [DB.Prepare] builds it earlier. Results share
// their AssociatedZIPs, which must not be changed.
func (db *DB) Suggest(ctx context.Context, query string, opt suggest.Options) (*suggest.Result, error) {
	return read(db, func(g *generation) (*suggest.Result, error) {
		e, err := g.suggest(ctx)
		if err != nil {
			return nil, err
		}
		r, err := e.Suggest(ctx, query, opt)
		if err != nil || !slices.Contains(opt.Include, suggest.StreetAddress) {
			return r, err
		}
		return g.addAddresses(ctx, query, opt, r)
	})
}

// addAddresses puts the street addresses that complete a query before the other
// matches. Only the United States have records of addresses to complete, so that those
// of Canada are unavailable.
func (g *generation) addAddresses(ctx context.Context, query string, opt suggest.Options, r *suggest.Result) (*suggest.Result, error) {
	_, province := g.data.StateByAbbr(store.CA, strings.ToUpper(opt.State))
	if strings.EqualFold(opt.Country, store.CA.String()) || province {
		r.Notices = append(r.Notices, notice.NotLoaded("address records of Canada"))
		return r, nil
	}
	limit := cmp.Or(opt.Limit, suggest.DefaultLimit)
	var near geo.LatLng
	if opt.Proximity != "" {
		if at, err := g.reader.Quick(ctx, opt.Proximity, lookup.QuickOptions{}); err == nil {
			near = at.Location
		}
	}
	list, err := g.addresses.Suggest(ctx, query, min(limit, address.MaxSuggestions), near, strings.ToUpper(opt.State))
	if err != nil {
		if e := envelope.AsFailure(err); e != nil && errors.Is(err, ErrUnavailable) {
			r.Notices = append(r.Notices, notice.NotLoaded(e.Lacks))
			return r, nil
		}
		return nil, err
	}
	r.TotalMatched += len(list)
	r.Matches = slices.Insert(r.Matches, 0, list...) // [] without any, not null
	r.Matches = r.Matches[:min(limit, len(r.Matches))]
	return r, nil
}
