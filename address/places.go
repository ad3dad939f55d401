package address

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// Places appends the numbers of the entities that a name means in a state or
// province, or in all of them if state is 0: municipalities and cities of the Postal
// Service, or counties if there are none. An exact name wins over one with other
// spaces, and that over another name such as NYC. The first is the best known.
func (e *Engine) Places(ctx context.Context, state store.StateID, name string, into []int) ([]int, error) {
	list, err := e.ref.placesNamed(ctx, state, name, into)
	if len(list) == len(into) && err == nil {
		list = e.ref.entitiesNamed(state, name, into, store.EntityCounty)
	}
	return list, err
}

// placesNamed is [Engine.Places] without counties.
func (r *reference) placesNamed(ctx context.Context, state store.StateID, name string, into []int) ([]int, error) {
	if err := r.Load(ctx, store.SectionEntities); err != nil {
		return into, err
	}
	return r.entitiesNamed(state, name, into, store.EntityPlace, store.EntityCity), nil
}

// entitiesNamed appends the entities of some kinds with a name: by the name itself, then
// without spaces (LA GRANGE, LAGRANGE), then by other names, then without the kind of the
// municipality. It stops at the first way that finds any, so that NYC never competes with a
// town of that name. A list of the index holds numbers of entities, marked by
// [store.AliasKey] if the key is another name.
func (r *reference) entitiesNamed(state store.StateID, name string, into []int, kinds ...store.EntityKind) []int {
	t := r.Entities()
	if t == nil {
		return into
	}
	n := len(into)
	add := func(list []uint32, alias uint32) {
		for _, x := range list {
			i := int(x &^ store.AliasKey)
			if x&store.AliasKey == alias && (state == 0 || t.At(i).State == state) && slices.Contains(kinds, t.At(i).Kind) && !slices.Contains(into, i) {
				into = append(into, i)
			}
		}
	}
	key := namekey.Of(name)
	if add(t.Named(&t.Starts, key), 0); len(into) > n {
		return into
	}
	joined := strings.ReplaceAll(key, " ", "")
	add(t.Named(&t.Starts, joined), 0)
	if add(t.Named(&t.Joined, joined), 0); len(into) > n {
		return into
	}
	add(t.Named(&t.Starts, key), store.AliasKey)
	if bare := namekey.Bare(key); bare != key && (len(into) == n || state == 0) { // City of Dallas, Rutland Town
		return r.entitiesNamed(state, bare, into, kinds...)
	}
	return into
}

// knowsCity reports whether words are a name of the last line's place.
func (s *search) knowsCity(name, state, zip string) bool {
	if s.err != nil {
		return false
	}
	if z, ok := postcode.ParseZIP(zip); ok {
		if _, s.err = s.zipCities(z); s.cityOf(name) != nil {
			return true
		}
	}
	if s.err != nil || state == "" {
		return false
	}
	var known bool
	known, s.err = s.ref.knows(s.ctx, state, name)
	return known
}

// knows reports whether a state or province has a city with the name.
func (r *reference) knows(ctx context.Context, state, name string) (bool, error) {
	id, ok := r.StateByAbbr(store.US, state)
	if ok {
		if zips, err := r.cityZIPs(ctx, state, name); len(zips) > 0 || err != nil {
			return err == nil, err
		}
	} else if id, ok = r.StateByAbbr(store.CA, state); !ok {
		return false, nil
	}
	var room [4]int
	list, err := r.placesNamed(ctx, id, name, room[:0])
	return len(list) > 0, err
}

// TownZIPs returns the ZIP Codes of a city, or of the municipalities with its name,
// in ascending order. The caller only reads them.
func (e *Engine) TownZIPs(ctx context.Context, state, city string) ([]postcode.ZIP, error) {
	city = Clean(city)
	zips, err := e.ref.cityZIPs(ctx, state, city)
	if len(zips) > 0 || err != nil {
		return zips, err
	}
	return e.ref.areaZIPs(ctx, state, city)
}
