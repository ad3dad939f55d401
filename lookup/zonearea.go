package lookup

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// zoneReach is the distance within which the nearest outline of a time zone decides
// about a point in a gap between generalized outlines, at the shore or between two zones.
const zoneReach geo.Meters = 1000

// zoneAround returns the time zone of a point (decision D73): that whose area holds it or
// comes nearest within [zoneReach], in a county the nearest of all, and else the nautical
// zone of the longitude. It is 0 if the dataset has no areas of zones, and far from them
// for a point in the area of a code, whose own zone decides.
func (r *Reader) zoneAround(ctx context.Context, p geo.LatLng, inCode bool) (store.ZoneID, error) {
	if err := r.data.Load(ctx, store.SectionZoneAreas); err != nil {
		return 0, fmt.Errorf("lookup: time zone at %v: %w", p, err)
	}
	areas := r.data.ZoneAreas()
	if id, ok := areas.Containing(p); ok || areas.Len() == 0 {
		return id, nil
	}
	if id := r.nearestZone(p, zoneReach); id != 0 || inCode {
		return id, nil
	}
	if err := r.data.Load(ctx, store.SectionCountyAreas); err != nil {
		return 0, fmt.Errorf("lookup: time zone at %v: %w", p, err)
	}
	if _, onLand := r.data.CountyAreas().Containing(p); onLand {
		return r.nearestZone(p, geo.MaxCircleRadius), nil
	}
	if id := r.zoneNamed(farAleutiansZone); id != 0 && farAleutians.Contains(p) {
		return id, nil
	}
	if n := len(r.data.Zones()) + 1 + nauticalHours + nauticalOffset(p); n <= math.MaxUint8 {
		return store.ZoneID(n), nil
	}
	return 0, nil
}

// nearestZone returns the time zone whose outline is nearest to a point, 0 for none
// within the reach.
func (r *Reader) nearestZone(p geo.LatLng, reach geo.Meters) (best store.ZoneID) {
	areas := r.data.ZoneAreas()
	for i, id := range areas.Keys() {
		if !widen(areas.Index().Box(i), reach).Contains(p) {
			continue
		}
		if d, ok := areas.Index().BoundaryWithin(i, p, reach); ok {
			best, reach = id, d // the next one has to be nearer
		}
	}
	return best
}

// farAleutians is around the Near and Rat Islands, from Attu to Semisopochnoi. They lie
// beyond the antimeridian, where files of a country often end, and are in one county and
// zone with the islands east of it.
var farAleutians = geo.Box{SouthWest: geo.MustLatLng(51.2, 172.3), NorthEast: geo.MustLatLng(53.1, 180)}

const farAleutiansZone = "America/Adak"

// zoneNamed returns the time zone of the dataset with the name, 0 without one.
func (r *Reader) zoneNamed(name string) store.ZoneID {
	zones := r.data.Zones()
	return store.ZoneID(1 + slices.IndexFunc(zones, func(z store.Zone) bool { return z.Name == name }))
}

// nauticalHours is the greatest offset of a nautical time zone from Greenwich.
const nauticalHours = 12

const (
	nauticalPrefix  = "Etc/GMT"
	nauticalDegrees = 15 // width of a zone
)

// nauticalOffset returns the hours east of Greenwich of the nautical zone of a point.
func nauticalOffset(p geo.LatLng) int {
	return int(math.Floor((p.Lng() + nauticalDegrees/2.) / nauticalDegrees))
}

// nauticalZone returns a nautical zone by its hours east of Greenwich. Its name has the
// sign of the tz database, which is positive west of Greenwich.
func nauticalZone(hours int) *time.Location {
	name := nauticalPrefix
	if hours != 0 {
		name += fmt.Sprintf("%+d", -hours)
	}
	return time.FixedZone(name, hours*3600)
}
