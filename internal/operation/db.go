package operation

import (
	"context"
	"iter"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// A DB is the library as most operations use it. postgeo.DB implements it. Clients of a
// server describe their requests by operations without linking the library.
type DB interface {
	QuickLookup(ctx context.Context, place string, opt lookup.QuickOptions) (*lookup.QuickRecord, error)
	Lookup(ctx context.Context, place string, opt lookup.Options) (*lookup.Record, error)
	Suggest(ctx context.Context, query string, opt suggest.Options) (*suggest.Result, error)

	MatchAddress(ctx context.Context, text string, opt address.Options) (*address.Match, error)
	MatchAddressFields(ctx context.Context, fields address.Fields, opt address.Options) (*address.Match, error)
	Geocode(ctx context.Context, text string, opt geocode.Options) (*geocode.Result, error)
	Reverse(ctx context.Context, at geo.LatLng, opt geocode.ReverseOptions) (*geocode.Nearest, error)

	Distance(ctx context.Context, from, to string, opt radius.DistanceOptions) (*radius.DistanceResult, error)
	Radius(ctx context.Context, center string, opt radius.Options) (*radius.Result, error)
	Nearest(ctx context.Context, center string, opt radius.NearestOptions) (*radius.NearestResult, error)
	InPolygon(ctx context.Context, g orb.Geometry, opt radius.PolygonOptions) (*radius.PolygonResult, error)

	CodesIn(ctx context.Context, layer lookup.Layer, geoid string, opt lookup.CodesInOptions) (*lookup.CodesIn, error)
	Neighbors(ctx context.Context, code string, opt lookup.NeighborOptions) (*lookup.Neighbors, error)
	Crosswalk(ctx context.Context, from, to lookup.Layer, opt lookup.CrosswalkOptions) iter.Seq2[lookup.CrosswalkRow, error]
	Codes(ctx context.Context, kind lookup.CodeType) iter.Seq2[string, error]
	AreaIDs(ctx context.Context, layer lookup.Layer, boxes ...geo.Box) iter.Seq2[string, error]
	OwnLayers(ctx context.Context) ([]lookup.Layer, error)
	CodeOutline(ctx context.Context, code string) (outline orb.MultiPolygon, source string, err error)
	AreaOutline(ctx context.Context, layer lookup.Layer, geoid string) (lookup.Area, orb.MultiPolygon, error)
	StateOutlines(ctx context.Context, boxes ...geo.Box) iter.Seq2[lookup.StateOutline, error]

	ACSProfile(ctx context.Context, area string, tags []acs.Tag, opt acs.Options) (*acs.Result, error)
	ACSSeries(ctx context.Context, areas, fields []string, opt acs.SeriesOptions) ([]acs.Line, error)
	ACSAggregate(ctx context.Context, where radius.Areas, fields []string, opt acs.SeriesOptions) (*acs.Combined, error)
	ACSCompare(ctx context.Context, a, b acs.Side, field string, percent bool, opt acs.FigureOptions) (*acs.Comparison, error)
	ACSYears(ctx context.Context, level acs.Level) ([]int, error)
}

// LastYear returns the newest year that ACS flags of a level may name: that of the
// dataset, and at least [acs.LastYear].
func LastYear(ctx context.Context, db DB, level acs.Level) int {
	// A flag of a year that no dataset has yet is unknown; one that this dataset lacks is
	// unavailable. An error leaves the years of this release, and the call itself reports it.
	years, _ := db.ACSYears(context.WithoutCancel(ctx), level) // in memory; none after Close
	return slices.Max(append(years, acs.LastYear))
}
