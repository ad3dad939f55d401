package store

import (
	"fmt"
	"sync/atomic"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// Streets of an area lie in pages in the order of a curve, so that neighbors share
// pages. A page holds
//
//	base    latitude and longitude to which positions are differences
//	bodies  with their lengths, see [codeRoad]
//
// The number of a page is its area times maxPages plus its position in the area.
const (
	roadPageBytes  = 3072 // a page ends at the first street after so many
	maxRoadPages   = 100_000
	maxRoadsOfPage = 1 << 12 // streets
)

var roadRows = &file.RowKind{Name: "road", Noun: func(id int64) string {
	return fmt.Sprintf("page %d of the roads of %s", id%maxRoadPages, RoadArea(id/maxRoadPages))
}}

// encodeRoadPage packs streets and returns how many the page holds.
func encodeRoadPage(roads []Road, sources file.Shared) (page []byte, n int, err error) {
	var e file.Encoder
	base := roads[0].box().low
	e.Int(int64(base.lat))
	e.Int(int64(base.lng))
	for n < len(roads) && n < maxRoadsOfPage && (n == 0 || len(e.B) < roadPageBytes) {
		c := file.NewCoder()
		codeRoad(&c, sources, base, &roads[n])
		b, err := c.Bytes()
		if err != nil {
			return nil, 0, fmt.Errorf("%s in %s: %w", roads[n].RoadName, roads[n].Area, err)
		}
		e.Uint(uint64(len(b)))
		e.B = append(e.B, b...)
		n++
	}
	return e.B, n, nil
}

// A roadPage is a page whose bodies wait to be decoded.
type roadPage struct {
	area     RoadArea
	base     cell
	bodies   [][]byte
	outlines []atomic.Pointer[RoadOutline] // of the bodies, made by searches
}

func decodeRoadPage(id int64, payload []byte) (*roadPage, error) {
	const room = 64
	d := file.Decoder{B: payload}
	lat, lng := d.Int(), d.Int()
	p := &roadPage{area: RoadArea(id / maxRoadPages), base: cell{int32(lat), int32(lng)}, bodies: make([][]byte, 0, room)}
	if d.Err == nil && (lat != int64(p.base.lat) || lng != int64(p.base.lng) || !p.base.valid()) {
		d.Fail(errRoadCell)
	}
	for len(d.B) > 0 && len(p.bodies) < maxRoadsOfPage {
		p.bodies = append(p.bodies, d.Take(d.Uint()))
	}
	if d.Err == nil && len(p.bodies) == 0 {
		d.Fail(file.ErrShort)
	}
	p.outlines = make([]atomic.Pointer[RoadOutline], len(p.bodies))
	return p, d.End()
}

// road decodes a street of the page into the memory of r.
func (p *roadPage) road(i int, sources file.Shared, r *Road) error {
	if i >= len(p.bodies) {
		return file.ErrRange
	}
	r.Area = p.area
	c := file.DecodeWithin(p.bodies[i])
	codeRoad(&c, sources, p.base, r)
	return c.End()
}
