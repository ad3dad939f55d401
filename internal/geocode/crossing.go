package geocode

import (
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// crossing returns the common place of a road and the other street of an address.
func (q *query) crossing(a *address.Address, r *dataset.Road) (Place, bool, error) {
	if len(r.Segments) == 0 {
		return Place{}, false, nil
	}
	if q.crossOf != a.Cross {
		q.cross, q.crossOf = nil, a.Cross
		if other, err := address.Parse("1 " + a.Cross + ", " + a.City + " " + a.State); err == nil {
			q.cross = other.Readings
		}
	}
	const near = 15.0 // meters
	for i := range q.cross {
		b := &q.cross[i]
		if b.Kind != address.Street || b.Street == "" {
			continue
		}
		roads, err := q.data.Roads(q.ctx, r.Area, pub28.Key(b.Name()), q.others[:0])
		if err != nil {
			return Place{}, false, err
		}
		q.others = roads
		for k := range roads {
			if _, ok := differ(b, &roads[k].RoadName); !ok {
				continue
			}
			if at, ok := meet(r, &roads[k], near); ok {
				return Place{
					Precision: Intersection, Location: at, RadiusM: round(leastRadius), Cross: roads[k].String(),
					Record: recordOf(r.Segments[0].Origin, "segment"),
				}, true, nil
			}
		}
	}
	return Place{}, false, nil
}

// meet returns the first end of a segment that lies on a segment of another road.
func meet(a, b *dataset.Road, near float64) (geo.LatLng, bool) {
	for _, x := range [...][2]*dataset.Road{{a, b}, {b, a}} {
		for i := range x[0].Segments {
			line := x[0].Segments[i].Line
			for _, end := range [...]geo.LatLng{line[0], line[len(line)-1]} {
				for k := range x[1].Segments {
					if away, _, _ := project(x[1].Segments[k].Line, end); away < near {
						return end, true
					}
				}
			}
		}
	}
	return geo.LatLng{}, false
}
