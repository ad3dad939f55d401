package postgeo

import (
	"context"
	"iter"

	"github.com/postgeo/postgeo/address"
)

type (
	// AddressOptions say what an address match shall add.
	AddressOptions = address.Options
	// AddressInclude are the enrichments of an address match.
	AddressInclude = address.Include
	// AddressMatch is the contract's item of a matched address.
	AddressMatch = address.Match
)

// MatchAddress finds the ZIP+4 record of a US address and what lies around its
// point. The house number is never changed. An address without a match, or one
// that is too short or too long, is an error, as is every address asked of a
// dataset without address records.
func (db *DB) MatchAddress(ctx context.Context, text string, opt AddressOptions) (*AddressMatch, error) {
	return read(db, func(g *generation) (*AddressMatch, error) { return g.addresses.Match(ctx, text, opt) })
}

// MatchAddresses is [DB.MatchAddress] for many addresses, as [DB.QuickLookups]
// is for quick lookups.
func (db *DB) MatchAddresses(ctx context.Context, texts iter.Seq[string], opt AddressOptions) iter.Seq2[*AddressMatch, error] {
	return each(ctx, db, texts, func(db *DB, text string) (*AddressMatch, error) { return db.MatchAddress(ctx, text, opt) })
}
