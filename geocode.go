package postgeo

import (
	"context"
	"iter"

	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
)

// Geocode returns the position of a US or Canadian address. Its precision names the
// level: a known point, a position between known numbers, a crossing, the street,
// the ZIP Code or the city. The error matches [ErrNotFound] if the text has no known
// place.
func (db *DB) Geocode(ctx context.Context, text string, opt geocode.Options) (*geocode.Result, error) {
	return onPlans(db, &opt.At, opt.Plan, func(g *generation) (*geocode.Result, error) { return g.geocoder.Find(ctx, text, opt) })
}

// GeocodeBatch is [DB.Geocode] for many addresses, as [DB.QuickLookupBatch] is for
// quick lookups.
func (db *DB) GeocodeBatch(ctx context.Context, texts iter.Seq[string], opt geocode.Options) iter.Seq2[*geocode.Result, error] {
	return each(ctx, db, texts, func(db *DB, text string) (*geocode.Result, error) { return db.Geocode(ctx, text, opt) })
}

// Reverse returns the address nearest to a point. The error matches [ErrNotFound]
// if no address is near, and [ErrUnavailable] if the dataset has no streets.
func (db *DB) Reverse(ctx context.Context, at geo.LatLng, opt geocode.ReverseOptions) (*geocode.Nearest, error) {
	return onPlans(db, &opt.At, opt.Plan, func(g *generation) (*geocode.Nearest, error) { return g.geocoder.Reverse(ctx, at, opt) })
}
