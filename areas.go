package postgeo

import (
	"context"
	"iter"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// FamiliesAt returns the requested boundary families of a coordinate: the areas
// that contain the point, without shares. The flags of families without data there are
// in unavailable. Other flags and the option ACS are ignored. It is not part of the HTTP
// contract. The first calls after [Open] read outlines from the file.
//
// The error matches [ErrInvalidCode] if the point is not valid, and [ErrInvalidParam] for
// an unknown plan.
func (db *DB) FamiliesAt(ctx context.Context, p geo.LatLng, opt lookup.Options) (fam lookup.Families, unavailable []string, err error) {
	if !p.IsValid() {
		return fam, nil, &Error{
			Op: "families", Kind: envelope.KindInvalidCode, Thing: envelope.ThingCoordinates,
			Detail: "the point is not valid; create it by geo.LatLngFromDegrees or geo.ParseLatLng",
		}
	}
	opt.At = db.at(opt.At)
	_, err = read(db, func(g *generation) (_ struct{}, err error) {
		fam, unavailable, err = g.reader.FamiliesAt(ctx, p, "", opt)
		return struct{}{}, err
	})
	return fam, unavailable, err
}

// CodesIn returns the ZIPs or FSAs of an area of a layer, e.g. of the county
// 06037, with the common area. The error matches [ErrInvalidParam] if no dataset has
// such a layer, [ErrUnavailable] if this one lacks it, and [ErrNotFound] if the layer
// lacks the area.
func (db *DB) CodesIn(ctx context.Context, layer lookup.Layer, geoid string, opt lookup.CodesInOptions) (*lookup.CodesIn, error) {
	opt.At = db.at(opt.At)
	return held(db, func(g *generation) (*lookup.CodesIn, error) { return g.reader.CodesIn(ctx, layer, geoid, opt) })
}

// Neighbors returns the ZIPs and FSAs whose areas touch that of a code, or the areas of
// a layer that touch one of them. There are none for a code without an area.
func (db *DB) Neighbors(ctx context.Context, code string, opt lookup.NeighborOptions) (*lookup.Neighbors, error) {
	return held(db, func(g *generation) (*lookup.Neighbors, error) { return g.reader.Neighbors(ctx, code, opt) })
}

// ZIP3 returns the people of the ZIP Codes that begin with three digits, and whether
// data without identities may name them (45 CFR 164.514). The code may be a whole ZIP or
// ZIP+4. The error matches [ErrNotFound] if no ZIP Code begins so, and [ErrUnavailable] if
// the dataset has no population.
func (db *DB) ZIP3(ctx context.Context, code string) (*lookup.ZIP3, error) {
	return held(db, func(g *generation) (*lookup.ZIP3, error) { return g.reader.ZIP3(ctx, code) })
}

// AreaOutline returns an area of a layer and its outline in the form of
// [DB.CodeOutline], or nil if the dataset has no outline. It returns the errors of
// [DB.CodesIn].
func (db *DB) AreaOutline(ctx context.Context, layer lookup.Layer, geoid string) (lookup.Area, orb.MultiPolygon, error) {
	g, err := db.acquire()
	if err != nil {
		return lookup.Area{}, nil, err
	}
	defer g.done()
	area, outline, err := g.reader.AreaOutline(ctx, layer, geoid)
	return area, outline, fail(err)
}

// Crosswalk yields the pairs of areas of two geographies that overlap, with their
// shares by area or people. A geography is "zip", "fsa", "state", "csa" or the name of
// a layer, such as "county" or [lookup.LayerCounty]. An error ends the sequence. It
// matches [ErrInvalidParam] for an unknown geography or an option out of range, and
// [ErrUnavailable] if the dataset lacks a layer or the residents.
func (db *DB) Crosswalk(ctx context.Context, from, to lookup.Layer, opt lookup.CrosswalkOptions) iter.Seq2[lookup.CrosswalkRow, error] {
	opt.At = db.at(opt.At)
	return sequence(ctx, db, func(g *generation) iter.Seq2[lookup.CrosswalkRow, error] {
		return g.reader.Crosswalk(ctx, from, to, opt)
	})
}

// Apportion divides counts of areas, such as customers by tract, among the areas of
// another geography, by the shares of [DB.Crosswalk], with its errors. Unknown areas are
// no error: their values are in Unplaced.
func (db *DB) Apportion(ctx context.Context, values map[string]float64, from, to lookup.Layer, opt lookup.CrosswalkOptions) (*lookup.Apportionment, error) {
	opt.At = db.at(opt.At)
	return held(db, func(g *generation) (*lookup.Apportionment, error) {
		return g.reader.Apportion(ctx, values, from, to, opt)
	})
}

// AreaIDsAt yields the GEOID of the area of a layer around each point, such as its
// county, or "" if there is none or the point is not valid. If areas lie within one another, it is the
// smallest. Districts come from the plans in force. An error ends the sequence; it
// matches [ErrUnavailable] if the dataset lacks the layer or its outlines.
func (db *DB) AreaIDsAt(ctx context.Context, layer lookup.Layer, points iter.Seq[geo.LatLng]) iter.Seq2[string, error] {
	at := db.at(time.Time{})
	return sequence(ctx, db, func(g *generation) iter.Seq2[string, error] { return g.reader.AreaIDsAt(ctx, layer, points, at) })
}
