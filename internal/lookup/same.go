package lookup

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

// A Same identifies the areas around a coordinate, which decide its values.
// Coordinates with equal keys have equal records, but for the coordinate itself in
// errors.
type Same struct {
	Zone  bool   // the time zone of the coordinate is needed
	Key   []byte // the numbers of areas are appended
	Known bool   // false if the values may depend on more
}

// SameAt returns an Include with which [Reader.FamiliesAt] sets s for a record of
// inc, and returns no families.
func SameAt(inc Include, s *Same) Include {
	inc.same = s
	return inc
}

// same finds the areas around a point that a record reads. It includes
// every area that the record may depend on.
func (r *Reader) same(ctx context.Context, p geo.LatLng, inc *Include) error {
	s := inc.same
	digest := r.data.Manifest().Digest // areas have other numbers in other datasets
	s.Key, s.Known = append(s.Key, digest[:min(len(digest), 16)]...), false
	if s.Zone {
		if err := r.data.Load(ctx, dataset.SectionZoneAreas); err != nil {
			return fmt.Errorf("lookup: time zone at %v: %w", p, err)
		}
		s.Key = binary.AppendUvarint(s.Key, uint64(r.zoneAround(p)))
	}
	at, err := r.containing(ctx, p)
	if err != nil {
		return err
	}
	switch families := inc.boundaries(); {
	case len(inc.Tables) > 0: // a table may have other areas
		return nil
	case at.typ == ZIP:
		s.Key = binary.AppendUvarint(append(s.Key, 'z'), uint64(at.num))
	case at.IsValid() || !families || inc.only == nil || !inc.only.Outside:
		return nil
	default:
		county, ok := r.data.CountyAreas().Containing(p)
		if !ok {
			return nil
		}
		s.Key = binary.AppendUvarint(append(s.Key, 'c'), uint64(county))
	}
	s.Known = true
	return r.sameFamilies(ctx, p, inc)
}

// sameFamilies adds the areas of the families in the United States.
func (r *Reader) sameFamilies(ctx context.Context, p geo.LatLng, inc *Include) error {
	s := inc.same
	var room [4]int
	add := func(l *dataset.Layer) (found bool, err error) {
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
	if inc.Census && r.periods.census.known {
		if err := inc.only.eachKind(usKinds[:], func(i int) (bool, error) { return add(r.data.Layer(usKinds[i].id)) }); err != nil {
			return err
		}
		if inc.only.metro() {
			if _, err := add(r.data.Layer(dataset.LayerCounty)); err != nil {
				return err
			}
		}
	}
	var layers []*dataset.Layer
	if inc.CongressionalDistrict || inc.CongressNext {
		layers = r.data.Plans(dataset.LayerCongressionalDistrict)
	}
	if inc.StateLegislative || inc.StateLegislativeNext {
		layers = append(layers[:len(layers):len(layers)], r.data.Plans(dataset.LayerStateUpper)...)
		layers = append(layers, r.data.Plans(dataset.LayerStateLower)...)
	}
	for _, l := range layers {
		if len(l.Info().Plan.Rough) > 0 { // the nearest district decides
			s.Known = false
			return nil
		}
	}
	if inc.SchoolDistrict {
		layers = append(layers[:len(layers):len(layers)], r.data.Layer(dataset.LayerSchoolDistrict))
	}
	for _, name := range inc.Layers {
		id, _ := dataset.OwnLayer(name)
		layers = append(layers[:len(layers):len(layers)], r.data.Layer(id))
	}
	for _, l := range layers {
		if _, err := add(l); err != nil {
			return err
		}
	}
	return nil
}
