package operation

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// areaTypes are the types of suggestions of the areas of layers.
var areaTypes = map[lookup.Layer]suggest.Type{
	lookup.LayerCounty: suggest.County, lookup.LayerPlace: suggest.Place, lookup.LayerCBSA: suggest.CBSA,
	lookup.LayerSchoolDistrict: suggest.SchoolDistrict, lookup.LayerCensusSubdivision: suggest.Place,
	lookup.LayerCongressionalDistrict: suggest.ElectoralDistrict, lookup.LayerFederalDistrict: suggest.ElectoralDistrict,
}

// Find finds the codes of the area, whose ID may also be its name.
func (in *CodesInArea) Find(ctx context.Context, db DB) (*lookup.CodesIn, error) {
	id, err := in.ID()
	if err != nil {
		return nil, err
	}
	return OfArea(ctx, db, id, in.GEOID, func(geoid string) (*lookup.CodesIn, error) { return db.CodesIn(ctx, id, geoid, in.Options()) })
}

// OfArea calls find with the ID of an area of a layer. The argument name is its ID or its name.
func OfArea[T any](ctx context.Context, db DB, id lookup.Layer, name string, find func(geoid string) (T, error)) (T, error) {
	found, err := find(name)
	if e := envelope.AsFailure(err); !errors.Is(err, envelope.ErrNotFound) || e == nil || e.Thing != envelope.ThingArea {
		return found, err
	}
	geoid, nameErr := areaNamed(ctx, db, id, name)
	if nameErr != nil || geoid == "" {
		return found, cmp.Or(nameErr, err)
	}
	return find(geoid)
}

// areaNamed returns the ID of the only area of a layer with a name, "" if there is
// none.
func areaNamed(ctx context.Context, db DB, id lookup.Layer, name string) (geoid string, err error) {
	if _, named := store.LayerFlag(string(id)); named && id != lookup.LayerVotingDistrict {
		return ownAreaNamed(ctx, db, id, name)
	}
	layer, _ := store.ParseLayerName(string(id))
	canadian := store.LayerIn(layer, store.CA)
	kind, ok := areaTypes[id]
	if !ok && !canadian || !strings.ContainsFunc(name, unicode.IsLetter) {
		return "", nil
	}
	var list []suggest.Match
	ended := ""
	if ok {
		list, ended, err = suggested(ctx, db, name, []suggest.Type{kind})
	}
	list = slices.DeleteFunc(list, func(m suggest.Match) bool {
		return m.GEOID == "" || canadian != (m.Country == store.CA.String())
	})
	switch {
	case err != nil:
		return "", err
	case ended != "":
		return "", &envelope.Failure{Kind: envelope.KindNotFound, Thing: envelope.ThingArea, Param: "geoid", Input: name, Layer: string(id), Detail: ended}
	case len(list) == 0 && canadian:
		return ownAreaNamed(ctx, db, id, name)
	case len(list) == 0:
		return "", nil
	case len(list) > 1:
		return "", ambiguous(name, list)
	}
	return list[0].GEOID, nil
}

// ownAreaNamed is areaNamed for a layer of a user, or for areas without suggestions. It
// compares the names of all areas of the layer: the names of such areas have no index.
func ownAreaNamed(ctx context.Context, db DB, id lookup.Layer, name string) (geoid string, err error) {
	var list []suggest.Match
	for of, err := range db.AreaIDs(ctx, id) {
		if err != nil {
			return "", err
		}
		area, _, err := db.AreaOutline(ctx, id, of)
		if err != nil {
			return "", err
		}
		if namekey.Of(area.Name) == namekey.Of(name) {
			geoid = of
			list = append(list, suggest.Match{Name: area.Name + " " + of, Location: area.Point})
		}
	}
	if len(list) > 1 {
		return "", ambiguous(name, list)
	}
	return geoid, nil
}
