package roads

import (
	"context"
	"iter"
	"sort"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// HasRoads reports whether the dataset holds roads of any area.
func (d *Reader) HasRoads() bool {
	d.file.Need(SectionRoads)
	return len(d.areas) > 0
}

// HasRanges reports whether the dataset holds ranges of house numbers of any ZIP
// Code.
func (d *Reader) HasRanges() bool {
	d.file.Need(SectionRoads)
	return d.ranges
}

// RoadCoverage returns the number of records of an area, from memory.
func (d *Reader) RoadCoverage(a Area) RoadCoverage {
	d.file.Need(SectionRoads)
	i, ok := d.set.Row(uint32(a))
	if !ok {
		return RoadCoverage{}
	}
	return RoadCoverage{Roads: d.areas[i].roads, Ranges: d.areas[i].ranges, Points: d.areas[i].points}
}

// RoadAreas yields the areas that have roads, ascending.
func (d *Reader) RoadAreas() iter.Seq[Area] {
	d.file.Need(SectionRoads)
	return func(yield func(Area) bool) {
		for i := range d.areas {
			if !yield(d.areas[i].area) {
				return
			}
		}
	}
}

// Roads appends the roads of an area whose name has the key, as pub28.Key makes
// it. It uses the memory of the roads behind into.
func (d *Reader) Roads(ctx context.Context, a Area, key string, into []Road) ([]Road, error) {
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
func (d *Reader) RoadKeys(ctx context.Context, a Area) iter.Seq2[string, error] {
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
func (d *Reader) AllRoads(ctx context.Context, a Area) iter.Seq2[Road, error] {
	return func(yield func(Road, error) bool) {
		if err := d.file.Load(ctx, SectionRoads); err != nil {
			yield(Road{}, err)
			return
		}
		i, ok := d.set.Row(uint32(a))
		if !ok {
			return
		}
		for k := range d.areas[i].pages {
			p, err := d.page(ctx, i, uint32(k))
			for n := 0; n < len(p.bodies) && err == nil; n++ {
				var r Road
				if err = p.road(n, d.sources, &r); err == nil && !yield(r, nil) {
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
func (d *Reader) indexOf(ctx context.Context, a Area) (int, *index, error) {
	if err := d.file.Load(ctx, SectionRoads); err != nil {
		return 0, nil, err
	}
	i, ok := d.set.Row(uint32(a))
	if !ok {
		return 0, nil, d.file.Usable()
	}
	x, err := d.indexes.Get(ctx, i, func() (*index, int64, error) {
		x, err := file.ReadRow(ctx, d.file, indexRows, int64(a), func(payload []byte) (*index, error) { return decodeIndex(payload, d.areas[i].pages) })
		if err != nil {
			return nil, 0, err
		}
		return x, int64(len(x.ends)), nil
	})
	return i, x, err
}

// page reads a page of the area at a position, and keeps it in memory.
func (d *Reader) page(ctx context.Context, area int, n uint32) (page, error) {
	id := int64(d.areas[area].area)*maxPages + int64(n)
	if p, ok := d.pages.Get(id); ok {
		return p, ctx.Err()
	}
	size := 0
	p, err := file.ReadRow(ctx, d.file, pageRows, id, func(payload []byte) (page, error) {
		size = len(payload)
		return decodePage(id, payload)
	})
	if err == nil {
		d.pages.Add(id, p, size)
	}
	return p, err
}

// road reads a road of the area at a position into the memory of r.
func (d *Reader) road(ctx context.Context, area int, at place, r *Road) error {
	p, err := d.page(ctx, area, at.page)
	if err != nil {
		return err
	}
	if err := p.road(int(at.slot), d.sources, r); err != nil {
		id := int64(p.area)*maxPages + int64(at.page)
		return d.file.DamagedRow(pageRows, id, err)
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
