package operation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// Kinds of areas whose codes the records name.
const (
	kindState = "state"
	kindCity  = "city"
)

// OfRecords reports whether the kind of area is a state or a city, whose codes are
// those with its name in their records.
func (in *CodesInArea) OfRecords() bool {
	kind := strings.ToLower(strings.TrimSpace(in.Layer))
	return kind == kindState || kind == kindCity
}

// check refuses parameters of shares and districts for states and cities.
func (in *CodesInArea) check() error {
	param := ""
	switch {
	case !in.OfRecords():
	case in.Slivers:
		param = "slivers"
	case !time.Time(in.AsOf).IsZero():
		param = "as_of"
	case in.Plan != "":
		param = "plan"
	}
	if param == "" {
		return nil
	}
	return &fault.Error{Kind: fault.InvalidParam, Param: param, Range: "absent for a state or city, whose codes come from the records"}
}

// areaTypes are the types of suggestions of the areas of layers.
var areaTypes = map[lookup.Layer]suggest.Type{
	lookup.LayerCounty: suggest.County, lookup.LayerPlace: suggest.Place, lookup.LayerCBSA: suggest.CBSA,
	lookup.LayerSchoolDistrict: suggest.SchoolDistrict, lookup.LayerCensusSubdivision: suggest.Place,
	lookup.LayerCongressionalDistrict: suggest.ElectoralDistrict, lookup.LayerFederalDistrict: suggest.ElectoralDistrict,
}

// Find finds the codes of the area, whose ID may also be its name.
func (in *CodesInArea) Find(ctx context.Context, db DB) (*lookup.CodesIn, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	switch kind := strings.ToLower(strings.TrimSpace(in.Layer)); kind {
	case kindState:
		return codesOfState(ctx, db, in.GEOID)
	case kindCity:
		return codesOfCity(ctx, db, in.GEOID)
	}
	id, err := in.ID()
	if err != nil {
		return nil, err
	}
	found, err := db.CodesIn(ctx, id, in.GEOID, in.Options())
	if e := fault.As(err); !errors.Is(err, fault.ErrNotFound) || e == nil || e.Thing != fault.Area {
		return found, err
	}
	geoid, nameErr := areaNamed(ctx, db, id, in.GEOID)
	if nameErr != nil {
		return nil, nameErr
	}
	if geoid == "" {
		return nil, err
	}
	return db.CodesIn(ctx, id, geoid, in.Options())
}

// areaNamed returns the ID of the only area of a layer with a name, "" if there is
// none.
func areaNamed(ctx context.Context, db DB, id lookup.Layer, name string) (geoid string, err error) {
	if id.IsOwn() || id.IsNamed() && id != lookup.LayerVotingDistrict {
		return ownAreaNamed(ctx, db, id, name)
	}
	kind, ok := areaTypes[id]
	if !ok || !strings.ContainsFunc(name, unicode.IsLetter) {
		return "", nil
	}
	list, ended, err := suggested(ctx, db, name, []suggest.Type{kind})
	list = slices.DeleteFunc(list, func(m suggest.Match) bool { return m.GEOID == "" })
	switch {
	case err != nil:
		return "", err
	case ended != "":
		return "", &fault.Error{Kind: fault.NotFound, Thing: fault.Area, Param: "geoid", Input: name, Layer: string(id), Detail: ended}
	case len(list) == 0:
		return "", nil
	case len(list) > 1:
		return "", ambiguous(name, list)
	}
	return list[0].GEOID, nil
}

// ownAreaNamed is areaNamed for a layer of a user, or of the catalog without suggestions.
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
		if strings.EqualFold(area.Name, strings.TrimSpace(name)) {
			geoid = of
			list = append(list, suggest.Match{Name: area.Name + " " + of, Location: area.Point})
		}
	}
	if len(list) > 1 {
		return "", ambiguous(name, list)
	}
	return geoid, nil
}

func codesOfState(ctx context.Context, db DB, text string) (*lookup.CodesIn, error) {
	text = strings.TrimSpace(text)
	area := lookup.Area{Kind: kindState}
	list, err := Named(ctx, db, text, []suggest.Type{suggest.State})
	if err != nil {
		return nil, err
	}
	for i := range list {
		m := &list[i]
		if area.State == "" || strings.EqualFold(region(m), text) {
			area.Name, area.GEOID, area.State, area.Point = m.Name, m.GEOID, region(m), m.Location
		}
	}
	area.State = cmp.Or(area.State, strings.ToUpper(text))
	return codesOfRecords(ctx, db, area, text, func(r *lookup.QuickRecord) bool { return r.State == area.State || r.StateFIPS == text })
}

func codesOfCity(ctx context.Context, db DB, text string) (*lookup.CodesIn, error) {
	list, err := Named(ctx, db, text, []suggest.Type{suggest.Place, suggest.City})
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, noCodes(kindCity, text)
	case len(list) > 1:
		return nil, ambiguous(text, list)
	}
	m := &list[0]
	area := lookup.Area{Kind: kindCity, Name: m.Name, GEOID: m.GEOID, State: region(m), Point: m.Location}
	zips := map[string]bool{}
	for _, z := range m.AssociatedZIPs {
		zips[z.String()] = true
	}
	return codesOfRecords(ctx, db, area, text, func(r *lookup.QuickRecord) bool {
		return zips[r.Code] || r.State == area.State && strings.EqualFold(r.City, area.Name)
	})
}

// codesOfRecords lists the codes whose records are of an area.
func codesOfRecords(ctx context.Context, db DB, area lookup.Area, text string, of func(*lookup.QuickRecord) bool) (*lookup.CodesIn, error) {
	out := &lookup.CodesIn{Area: area}
	for _, kind := range [...]lookup.CodeType{lookup.ZIP, lookup.FSA} {
		for code, err := range db.Codes(ctx, kind) {
			if err != nil {
				return nil, err
			}
			r, err := db.QuickLookup(ctx, code, lookup.QuickOptions{})
			if err != nil {
				return nil, err
			}
			if !of(r) {
				continue
			}
			if area.Kind == kindState {
				out.Area.State = r.State
			}
			out.Codes = append(out.Codes, lookup.CodeShare{
				Code: r.Code, CodeType: r.CodeType, City: r.City, State: r.State, Classification: string(r.Classification), Location: r.Location, Basis: lookup.RecordNames,
			})
		}
	}
	if len(out.Codes) == 0 {
		return nil, noCodes(area.Kind, text)
	}
	return out, nil
}

func noCodes(kind, text string) error {
	return &fault.Error{
		Kind: fault.NotFound, Thing: fault.Area, Param: "geoid", Input: text, Layer: kind,
		Detail: fmt.Sprintf("no code of the %s %q; find its name with suggest", kind, text),
	}
}
