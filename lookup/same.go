package lookup

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/store"
)

// same finds the areas around a point that a record with the selected values reads. It
// includes every area that the record may depend on.
func (r *Reader) same(ctx context.Context, p geo.LatLng, inc Include, only *door.Selection, s *door.Same) error {
	digest := r.data.Manifest().Digest // areas have other numbers in other datasets
	s.Key, s.Known = append(s.Key, digest[:min(len(digest), 16)]...), false
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
	country := store.US
	switch {
	case at.typ == zipKind:
		s.Key = binary.AppendUvarint(append(s.Key, 'z'), uint64(at.num))
	case at.typ == fsaKind:
		s.Key = binary.AppendUvarint(append(s.Key, 'f'), uint64(at.num))
		country = store.CA
	case !inc.boundaries() || only == nil || !only.Outside:
		return nil
	default:
		county, ok := r.data.CountyAreas().Containing(p)
		if !ok {
			return nil
		}
		s.Key = binary.AppendUvarint(append(s.Key, 'c'), uint64(county))
	}
	s.Known = !inc.Likely
	return r.sameFamilies(ctx, p, &inc, selection{only}, country, s)
}

// sameFamilies adds the areas of the families of a country.
func (r *Reader) sameFamilies(ctx context.Context, p geo.LatLng, inc *Include, only selection, country store.Country, s *door.Same) error {
	kinds, census := usKinds[:], r.periods.census.known
	if country == store.CA {
		kinds, census = canadianKinds[:], r.periods.canada.known
	}
	var room [4]int
	add := func(l *store.Layer) (found bool, err error) {
		if l == nil {
			return false, nil
		}
		around, err := l.Containing(ctx, p, room[:0])
		if err != nil {
			return false, fmt.Errorf("lookup: areas of the layer %s: %w", l.ID(), err)
		}
		s.Key = binary.AppendUvarint(s.Key, uint64(len(around)))
		for _, i := range around {
			s.Key = binary.AppendUvarint(s.Key, uint64(i))
		}
		return len(around) > 0, nil
	}
	if inc.Census && census {
		if err := only.eachKind(kinds, func(i int) (bool, error) { return add(r.data.Layer(kinds[i].id)) }); err != nil {
			return err
		}
		if country == store.US && only.metro() {
			if _, err := add(r.data.Layer(store.LayerCounty)); err != nil {
				return err
			}
		}
	}
	var layers []*store.Layer
	plans := func(bases ...store.LayerID) {
		for _, base := range bases {
			layers = append(layers, r.data.Plans(base)...)
		}
	}
	districts, legislature := inc.CongressionalDistrict || inc.CongressNext, inc.StateLegislative || inc.StateLegislativeNext
	switch {
	case districts && country == store.CA:
		plans(store.LayerFederalDistrict)
	case districts:
		plans(store.LayerCongressionalDistrict)
	}
	if legislature && country == store.US {
		plans(store.LayerStateUpper, store.LayerStateLower)
	}
	for _, l := range layers {
		if len(l.Info().Plan.Rough) > 0 { // the nearest district decides
			s.Known = false
			return nil
		}
	}
	if inc.SchoolDistrict && country == store.US {
		layers = append(layers, r.data.Layer(store.LayerSchoolDistrict))
	}
	for _, name := range inc.Layers {
		layers = append(layers, r.data.NamedLayer(name))
	}
	for _, l := range layers {
		if _, err := add(l); err != nil {
			return err
		}
	}
	return nil
}
