package postgeo

import (
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// A Where is a place: a ZIP, ZIP+4, forward sortation area or Canadian postal
// code, or "latitude,longitude". Letter case, dashes and spaces may vary; see
// [lookup.ParseCode]. [At] and [CodeOf] return the place of a point or a parsed
// code. It is an alias so that text from files and requests needs no conversion.
type Where = string

// At returns the place of a point:
//
//	rec, err := db.Lookup(ctx, postgeo.At(geo.MustLatLng(34.0901, -118.4065)), opt)
//
// Calls with an invalid point return an error that matches [ErrInvalidCode].
func At(p geo.LatLng) Where { return lookup.PointCode(p).String() }

// CodeOf returns the place of a parsed code or coordinate.
func CodeOf(c lookup.Code) Where { return c.String() }
