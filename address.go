package postgeo

import (
	"context"
	"iter"

	"github.com/postgeo/postgeo/address"
)

// MatchAddress returns the ZIP+4 record of a US address and the requested areas
// at its point. It never changes the house number. The error matches [ErrNotFound] or
// [ErrAmbiguous] if the address has no match, [ErrInvalidCode] if it is too short or too
// long or lacks a place or a delivery, and [ErrUnavailable] if the dataset has no address
// records there. Coordinates of a record without a point are the position of the
// address as [DB.Geocode] finds it, with their basis.
func (db *DB) MatchAddress(ctx context.Context, text string, opt address.Options) (*address.Match, error) {
	return onPlans(db, &opt.At, opt.Plan, func(g *generation) (*address.Match, error) {
		return g.located(ctx, opt)(g.addresses.Match(ctx, text, opt))
	})
}

// MatchAddressFields is [DB.MatchAddress] for an address that is divided into its
// parts.
func (db *DB) MatchAddressFields(ctx context.Context, fields address.Fields, opt address.Options) (*address.Match, error) {
	return onPlans(db, &opt.At, opt.Plan, func(g *generation) (*address.Match, error) {
		return g.located(ctx, opt)(g.addresses.MatchFields(ctx, fields, opt))
	})
}

// located returns a function that adds requested coordinates to a match whose record
// has no point.
func (g *generation) located(ctx context.Context, opt address.Options) func(*address.Match, error) (*address.Match, error) {
	return func(m *address.Match, err error) (*address.Match, error) {
		if err == nil && opt.Include.Coordinates && m.Data.Location == nil {
			m.Data.Location, err = g.geocoder.Locate(ctx, m.Data)
		}
		return m, err
	}
}

// MatchAddressBatch is [DB.MatchAddress] for many addresses, as [DB.QuickLookupBatch]
// is for quick lookups.
func (db *DB) MatchAddressBatch(ctx context.Context, texts iter.Seq[string], opt address.Options) iter.Seq2[*address.Match, error] {
	return each(ctx, db, texts, func(db *DB, text string) (*address.Match, error) { return db.MatchAddress(ctx, text, opt) })
}
