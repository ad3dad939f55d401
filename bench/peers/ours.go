package main

import (
	"fmt"

	"github.com/postgeo/postgeo/geo"
)

// ours is package geo.
type ours struct {
	*world
	points *geo.PointIndex
	areas  *geo.PolygonIndex
}

func newOurs(w *world) (*ours, error) {
	var b geo.PolygonIndexBuilder
	for _, a := range w.areas {
		if err := b.Add(a.Outline); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Code, err)
		}
	}
	data, err := b.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	areas, err := geo.DecodePolygonIndex(data)
	if err != nil {
		return nil, err
	}
	return &ours{w, geo.NewPointIndex(w.points), areas}, nil
}

func (o *ours) subject(search func(center geo.LatLng) (int, error)) *subject {
	return &subject{name: "postgeo", column: postgeo, measure: o.inProcess(func(i int) (int, error) { return search(o.centers[i]) })}
}

func (o *ours) within(miles geo.Miles) *subject {
	var found []geo.Neighbor
	return o.subject(func(center geo.LatLng) (int, error) {
		found = o.points.AppendWithin(found[:0], center, 0, miles.Meters())
		return len(found), nil
	})
}

func (o *ours) nearest() *subject {
	var found []geo.Neighbor
	return o.subject(func(center geo.LatLng) (int, error) {
		found = o.points.AppendNearest(found[:0], center, 1)
		return len(found), nil
	})
}

func (o *ours) shares(miles geo.Miles) *subject {
	var found []geo.Share
	return o.subject(func(center geo.LatLng) (int, error) {
		c, err := geo.NewCircle(center, miles.Meters())
		if err != nil {
			return 0, err
		}
		found = o.areas.AppendShares(found[:0], c)
		return len(found), nil
	})
}

func (o *ours) containing() *subject {
	return o.subject(func(center geo.LatLng) (int, error) {
		if _, ok := o.areas.Containing(center); ok {
			return 1, nil
		}
		return 0, nil
	})
}
