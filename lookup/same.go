package lookup

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// same finds the areas around a point that a record with the selected values reads. It
// includes every area that the record may depend on.
func (r *Reader) same(ctx context.Context, p geo.LatLng, inc *Include, only *door.Selection, s *door.Same) error {
	digest := r.data.Manifest().Digest // areas have other numbers in other datasets
	s.Key, s.Known = append(s.Key, digest[:min(len(digest), 8)]...), false
	chosen := selection{only}
	at, err := r.containing(ctx, p)
	if err != nil {
		return err
	}
	if s.Zone {
		zone, err := r.zoneAround(ctx, p, at.IsValid())
		if err != nil {
			return err
		}
		s.Key = binary.AppendUvarint(s.Key, uint64(zone))
	}
	code := s.Code || inc.Timezone || len(inc.ACS) > 0 || chosen.details(inc)
	country := store.US
	var state store.StateID
	switch {
	case at.typ == zipKind:
		row, _ := r.data.ZIP(postcode.ZIP(at.num))
		state = row.State
	case at.typ == fsaKind:
		row, _ := r.data.FSA(postcode.FSA(at.num))
		country, state = store.CA, row.Province
	case !inc.boundaries() || only == nil || !only.Outside:
		return nil
	default:
		county, ok := r.data.CountyAreas().Containing(p)
		if !ok {
			return nil
		}
		state = r.data.County(county).State
		s.Key = binary.AppendUvarint(append(s.Key, 'c'), uint64(county))
	}
	if at.IsValid() && code {
		s.Key = binary.AppendUvarint(append(s.Key, byte(at.typ)), uint64(at.num))
	} else {
		s.Key = append(s.Key, 0, byte(country), byte(state))
	}
	s.Known = !inc.Likely
	return r.sameFamilies(ctx, p, inc, chosen, country, state, s)
}

// sameFamilies adds the areas of the families of a country.
func (r *Reader) sameFamilies(ctx context.Context, p geo.LatLng, inc *Include, only selection, country store.Country, state store.StateID, s *door.Same) error {
	kinds, census := usKinds[:], r.periods.census.known
	if country == store.CA {
		kinds, census = canadianKinds[:], r.periods.canada.known
	}
	var room [4]int
	add := func(l *store.Layer) (around []int, err error) {
		if l == nil {
			return nil, nil
		}
		if around, err = l.Containing(ctx, p, room[:0]); err != nil {
			return nil, fmt.Errorf("lookup: areas of the layer %s: %w", l.ID(), err)
		}
		s.Key = binary.AppendUvarint(s.Key, uint64(len(around)))
		for _, i := range around {
			s.Key = binary.AppendUvarint(s.Key, uint64(i))
		}
		return around, nil
	}
	if inc.Census && census {
		if err := only.eachKind(kinds, func(i int) (bool, error) {
			around, err := add(r.data.Layer(kinds[i].id))
			return len(around) > 0, err
		}); err != nil {
			return err
		}
		if country == store.US && only.metro() {
			if _, err := add(r.data.Layer(store.LayerCounty)); err != nil {
				return err
			}
		}
	}
	choice, err := r.planChoice(inc.Plans)
	if err != nil {
		return err
	}
	next := inc.CongressNext || inc.StateLegislativeNext
	plans := func(bases ...store.LayerID) error {
		for _, base := range bases {
			own := r.data.InForce(base, choice, state).Areas
			for _, l := range r.data.Plans(base) {
				around, err := add(l)
				if err != nil {
					return err
				}
				if (l == own || next) && l.Info().Plan.IsRough(state) && !slices.ContainsFunc(around, func(i int) bool { return l.StateOf(i) == state }) {
					s.Known = false // the nearest district decides
				}
			}
		}
		return nil
	}
	districts, legislature := inc.CongressionalDistrict || inc.CongressNext, inc.StateLegislative || inc.StateLegislativeNext
	switch {
	case districts && country == store.CA:
		err = plans(store.LayerFederalDistrict)
	case districts:
		err = plans(store.LayerCongressionalDistrict)
	}
	if legislature && country == store.US && err == nil {
		err = plans(store.LayerStateUpper, store.LayerStateLower)
	}
	if inc.SchoolDistrict && country == store.US && err == nil {
		_, err = add(r.data.Layer(store.LayerSchoolDistrict))
	}
	for _, name := range inc.Layers {
		if err == nil {
			_, err = add(r.data.NamedLayer(name))
		}
	}
	return err
}
