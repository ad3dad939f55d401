package postgeo

import (
	"context"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// A Where is a place: a ZIP, ZIP+4, forward sortation area or Canadian postal
// code, or "latitude,longitude". Letter case, dashes and spaces may vary; see
// [lookup.ParseCode]. [At] returns the place of a point, and
// [lookup.Code.String] that of a parsed code. It is an alias so that text from files and requests needs no conversion.
type Where = string

// At returns the place of a point:
//
//	rec, err := db.Lookup(ctx, postgeo.At(geo.MustLatLng(34.0901, -118.4065)), opt)
//
// Calls with an invalid point return an error that matches [ErrInvalidCode].
func At(p geo.LatLng) Where { return lookup.PointCode(p).String() }

// Locate returns the point of a place: a coordinate itself, else the centroid of
// the code, which is a ZIP+4's own if it has one. The point of a code without a
// centroid is not valid. [DB.QuickLookup] of a coordinate returns the code around
// it, with that code's point.
func (db *DB) Locate(ctx context.Context, place Where) (geo.LatLng, error) {
	return read(db, func(g *generation) (geo.LatLng, error) {
		p, err := g.reader.Locate(ctx, place)
		return p.Location, err
	})
}
