package store

import (
	"context"
	"iter"
	"sort"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// HasRoads reports whether the dataset holds roads of any area.
func (d *Dataset) HasRoads() bool {
	d.file.Need(SectionRoads)
	return len(d.roadAreas) > 0
}

// HasRanges reports whether the dataset holds ranges of house numbers of any ZIP
// Code.
func (d *Dataset) HasRanges() bool {
	d.file.Need(SectionRoads)
	return d.hasRanges
}

// RoadCoverage returns the number of records of an area, from memory.
func (d *Dataset) RoadCoverage(a RoadArea) RoadCoverage {
	d.file.Need(SectionRoads)
	i, ok := d.roadSet.Row(uint32(a))
	if !ok {
		return RoadCoverage{}
	}
	return RoadCoverage{Roads: d.roadAreas[i].roads, Ranges: d.roadAreas[i].ranges, Points: d.roadAreas[i].points}
}

// RoadAreas yields the areas that have roads, ascending.
func (d *Dataset) RoadAreas() iter.Seq[RoadArea] {
	d.file.Need(SectionRoads)
	return func(yield func(RoadArea) bool) {
		for i := range d.roadAreas {
			if !yield(d.roadAreas[i].area) {
				return
			}
		}
	}
}

// Roads appends the roads of an area whose name has the key, as pub28.Key makes
// it. It uses the memory of the roads behind into.
func (d *Dataset) Roads(ctx context.Context, a RoadArea, key string, into []Road) ([]Road, error) {
	i, x, err := d.indexOf(ctx, a)
	if x == nil {
		return into, err
	}
	from, to := x.find(key)
	for k := from; k < to; k++ {
		if len(into) < cap(into) {
			into = into[:len(into)+1]
		} else {
			into = append(into, Road{})
		}
		if err := d.road(ctx, i, x.places[k], &into[len(into)-1]); err != nil {
			return into, err
		}
	}
	return into, nil
}

// RoadKeys yields the keys of the roads of an area, ascending. Roads whose names
// differ only in directions and suffixes share a key.
func (d *Dataset) RoadKeys(ctx context.Context, a RoadArea) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		_, x, err := d.indexOf(ctx, a)
		if err != nil {
			yield("", err)
		}
		if x == nil {
			return
		}
		for k := range x.ends {
			if (k == 0 || x.key(k) != x.key(k-1)) && !yield(x.key(k), nil) {
				return
			}
		}
	}
}

// AllRoads yields the roads of an area in the order of the file.
func (d *Dataset) AllRoads(ctx context.Context, a RoadArea) iter.Seq2[Road, error] {
	return func(yield func(Road, error) bool) {
		if err := d.file.Load(ctx, SectionRoads); err != nil {
			yield(Road{}, err)
			return
		}
		i, ok := d.roadSet.Row(uint32(a))
		if !ok {
			return
		}
		for k := range d.roadAreas[i].pages {
			p, err := d.roadPage(ctx, i, uint32(k))
			for n := 0; err == nil && n < len(p.bodies); n++ {
				var r Road
				if err = p.road(n, d.roadSources, &r); err == nil && !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(Road{}, err)
				return
			}
		}
	}
}

// indexOf returns the position and the index of an area, which is nil if the area
// has no roads.
func (d *Dataset) indexOf(ctx context.Context, a RoadArea) (int, *roadIndex, error) {
	if err := d.file.Load(ctx, SectionRoads); err != nil {
		return 0, nil, err
	}
	i, ok := d.roadSet.Row(uint32(a))
	if !ok {
		return 0, nil, d.file.Usable()
	}
	x, err := d.roadIndexes.Get(ctx, i, func() (*roadIndex, int64, error) {
		x, err := file.ReadRow(ctx, d.file, roadIndexRows, int64(a), func(payload []byte) (*roadIndex, error) { return decodeIndex(payload, d.roadAreas[i].pages) })
		if err != nil {
			return nil, 0, err
		}
		return x, int64(len(x.ends)), nil
	})
	return i, x, err
}

// roadPage reads a page of the area at a position, and keeps it in memory.
func (d *Dataset) roadPage(ctx context.Context, area int, n uint32) (*roadPage, error) {
	id := int64(d.roadAreas[area].area)*maxRoadPages + int64(n)
	return d.roadPages.Get(ctx, id, func() (*roadPage, int64, error) {
		size := 0
		p, err := file.ReadRow(ctx, d.file, roadRows, id, func(payload []byte) (*roadPage, error) {
			size = len(payload)
			return decodeRoadPage(id, payload)
		})
		return p, int64(size), err
	})
}

// road reads a road of the area at a position into the memory of r.
func (d *Dataset) road(ctx context.Context, area int, at roadPlace, r *Road) error {
	p, err := d.roadPage(ctx, area, at.page)
	if err != nil {
		return err
	}
	if err := p.road(int(at.slot), d.roadSources, r); err != nil {
		id := int64(p.area)*maxRoadPages + int64(at.page)
		return d.file.DamagedRow(roadRows, id, err)
	}
	return nil
}

// Between returns the points of the numbers next below and above a number, nil if
// unknown. If side is true, both are on the same side of the road.
func (r *Road) Between(n HouseNumber, side bool) (below, above *AddressPoint) {
	fits := func(p *AddressPoint) bool {
		return p.Number.Prefix == n.Prefix && (!side || p.Number.Value%2 == n.Value%2)
	}
	at := sort.Search(len(r.Points), func(i int) bool { return r.Points[i].Number.Compare(n) >= 0 })
	for i := at - 1; i >= 0 && below == nil; i-- {
		if p := &r.Points[i]; fits(p) && p.Number.Value < n.Value {
			below = p
		}
	}
	for i := at; i < len(r.Points) && above == nil; i++ {
		if p := &r.Points[i]; fits(p) && p.Number.Value > n.Value {
			above = p
		}
	}
	return below, above
}
