package store

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"sort"

	"github.com/postgeo/postgeo/internal/store/internal/cell"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// Address points and street segments are kept as roads: all points and segments of a street in
// a ZIP Code or FSA. A geocode finds the road of an area by the key of its name, a reverse search
// by position. Both go through the index of the area, one row of the file with the key,
// place and box of each road. Boxes are there in full: as 255ths of the area they
// took two bytes less, and searches looked at roads that are not near.

// MaxRoadPages is the number of numbers for the pages of an area. Roads of an area lie in
// pages in the order of a curve, so that neighbors share pages. The number of a page is its
// area times MaxRoadPages plus its position in the area.
const MaxRoadPages = 100_000

// A RoadKey is a row of the index of an area, whose keys ascend: the key of a road, its place
// in the pages, and its bounding box.
type RoadKey struct {
	Key string
	RoadPlace
	Box cell.Box
}

// A roadIndex lists the roads of an area by their keys, and page by page with the boxes of
// pages, so that a search passes over most pages.
type roadIndex struct {
	keys, byPage []RoadKey
	pages        []roadPageBox
}

// A roadPageBox is the end of a page in the list by page, with the box around its roads.
type roadPageBox struct {
	end int
	box cell.Box
}

// A RoadPlace is the place of a road in the pages of its area.
type RoadPlace struct {
	Page uint32
	Slot uint16
}

// A RoadArea is the part of the roads of an area that stays in memory.
type RoadArea struct {
	Area  Code
	Pages int
	RoadCoverage
	Box cell.Box
}

// gridCell is a cell of half a degree.
type gridCell struct{ lat, lng int32 }

const cellsOfGrid = cell.OfDegree / 2

func gridOf(c cell.Cell) gridCell {
	return gridCell{(c.Lat + 90*cell.OfDegree) / cellsOfGrid, (c.Lng + 180*cell.OfDegree) / cellsOfGrid}
}

// maxRoadCells is the most cells of the grid that list an area. It bounds the memory of the
// grid: a box around the globe touches 260,281 cells. Wider areas are in a list. These are
// valid: ZIP Codes of Alaska, and all with an address that has a wrong location.
const maxRoadCells = 64

// roadPart reads the areas that have roads.
func (d *Dataset) roadPart() file.Part {
	const sql = "SELECT id, pages, roads, ranges, points, south, west, north, east FROM road_area ORDER BY id"
	return file.PartOf(SectionRoads, "road_area", sql, func(_ *file.Connection, rows []RoadArea) (err error) {
		// A damaged file may have any number of rows, so their codes are checked first.
		d.roadSet, err = file.NewCodeSet(NumCodes, rows, func(a *RoadArea) uint32 { return uint32(a.Area) })
		if err != nil {
			return err
		}
		d.roadAreas, d.roadGrid, d.roadWide = rows, map[gridCell][]int32{}, nil
		for i := range rows {
			a := &rows[i]
			if !a.Box.Low.Valid() || !a.Box.High.Valid() {
				return errors.New("a point is not on the Earth")
			}
			if _, ok := a.Area.ZIP(); ok && a.Ranges > 0 {
				d.hasRanges = true
			}
			low, high := gridOf(a.Box.Low), gridOf(a.Box.High)
			if (high.lat-low.lat+1)*(high.lng-low.lng+1) > maxRoadCells {
				d.roadWide = append(d.roadWide, int32(i))
				continue
			}
			for lat := low.lat; lat <= high.lat; lat++ {
				for lng := low.lng; lng <= high.lng; lng++ {
					d.roadGrid[gridCell{lat, lng}] = append(d.roadGrid[gridCell{lat, lng}], int32(i))
				}
			}
		}
		return nil
	})
}

// HasRoads reports whether the dataset holds roads of any area.
func (d *Dataset) HasRoads() bool {
	d.Need(SectionRoads)
	return len(d.roadAreas) > 0
}

// RoadCoverage counts the records of an area.
type RoadCoverage struct {
	Roads  int
	Ranges int // sides of segments with numbers
	Points int
}

// RoadCoverage returns the number of records of an area, from memory.
func (d *Dataset) RoadCoverage(a Code) RoadCoverage {
	d.Need(SectionRoads)
	if i, ok := d.roadSet.Row(uint32(a)); ok {
		return d.roadAreas[i].RoadCoverage
	}
	return RoadCoverage{}
}

// RoadAreas yields the areas that have roads, ascending.
func (d *Dataset) RoadAreas() iter.Seq[Code] {
	d.Need(SectionRoads)
	return func(yield func(Code) bool) {
		for i := range d.roadAreas {
			if !yield(d.roadAreas[i].Area) {
				return
			}
		}
	}
}

// Roads appends the roads of an area whose name has the key, as pub28.Key makes it.
func (d *Dataset) Roads(ctx context.Context, a Code, key string, into []RoadRow) ([]RoadRow, error) {
	i, x, err := d.indexOf(ctx, a)
	index := x.keys
	k := sort.Search(len(index), func(k int) bool { return index[k].Key >= key })
	for ; k < len(index) && index[k].Key == key && err == nil; k++ {
		var r RoadRow
		if r, err = d.roadAt(ctx, i, index[k].RoadPlace); err == nil {
			into = append(into, r)
		}
	}
	return into, err
}

// RoadKeys yields the keys of the roads of an area, ascending. Roads whose names
// differ only in directions and suffixes share a key.
func (d *Dataset) RoadKeys(ctx context.Context, a Code) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		_, x, err := d.indexOf(ctx, a)
		if err != nil {
			yield("", err)
		}
		index := x.keys
		for k := range index {
			if (k == 0 || index[k].Key != index[k-1].Key) && !yield(index[k].Key, nil) {
				return
			}
		}
	}
}

// AllRoads yields the roads of an area in the order of the file.
func (d *Dataset) AllRoads(ctx context.Context, a Code) iter.Seq2[Road, error] {
	return func(yield func(Road, error) bool) {
		if err := d.Load(ctx, SectionRoads); err != nil {
			yield(Road{}, err)
			return
		}
		i, ok := d.roadSet.Row(uint32(a))
		if !ok {
			return
		}
		for k := range d.roadAreas[i].Pages {
			p, err := d.roadPage(ctx, i, uint32(k))
			if err != nil {
				yield(Road{}, err)
				return
			}
			for _, r := range file.AppendRows[Road](nil, p.Table, 0, p.Rows) {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// indexOf returns the position and the index of an area, which is empty if the area
// has no roads.
func (d *Dataset) indexOf(ctx context.Context, a Code) (int, roadIndex, error) {
	if err := d.Load(ctx, SectionRoads); err != nil {
		return 0, roadIndex{}, err
	}
	i, ok := d.roadSet.Row(uint32(a))
	if !ok {
		return 0, roadIndex{}, d.Usable()
	}
	x, err := d.roadIndexes.Get(ctx, i, func() (x roadIndex, size int64, err error) {
		x.keys, err = file.ReadRow(ctx, d.File, "road_index", int64(a), file.DecodeRows[RoadKey])
		x.byPage = slices.Clone(x.keys)
		slices.SortStableFunc(x.byPage, func(a, b RoadKey) int { return cmp.Compare(a.Page, b.Page) })
		for k := range x.byPage {
			if k == 0 || x.byPage[k].Page != x.byPage[k-1].Page {
				x.pages = append(x.pages, roadPageBox{box: cell.Empty})
			}
			page := &x.pages[len(x.pages)-1]
			page.end = k + 1
			page.box.Add(x.byPage[k].Box.Low)
			page.box.Add(x.byPage[k].Box.High)
		}
		return x, int64(len(x.keys)), err
	})
	return i, x, err
}

// roadPage reads a page of the area at a position, and keeps it in memory.
func (d *Dataset) roadPage(ctx context.Context, area int, n uint32) (*tablePage, error) {
	return readPage[Road](ctx, d, d.roadPages, "road", int64(d.roadAreas[area].Area)*MaxRoadPages+int64(n))
}

// A RoadRow is a road of the file, whose points and segments are decoded when they are used. A
// geocode searches one number among hundreds, by bisection in its column. Decoding all points and
// segments of each road with the name made it a quarter slower.
type RoadRow struct {
	Area Code
	RoadName
	Points   file.List[AddressPoint]
	Segments file.List[RoadSegment]
}

// roadAt returns a road of the area at a position.
func (d *Dataset) roadAt(ctx context.Context, area int, at RoadPlace) (r RoadRow, err error) {
	p, err := d.roadPage(ctx, area, at.Page)
	if err != nil {
		return r, err
	}
	slot := int(at.Slot)
	if slot >= p.Rows {
		return r, d.Damaged("the road %d of page %d of %s is missing", at.Slot, at.Page, d.roadAreas[area].Area)
	}
	const name, points, segments = 1, 5, 6 // columns of a Road
	return RoadRow{
		d.roadAreas[area].Area,
		RoadName{p.Text(name, slot), p.Text(name+1, slot), p.Text(name+2, slot), p.Text(name+3, slot)},
		file.ListOf[AddressPoint](p.Table, points, slot), file.ListOf[RoadSegment](p.Table, segments, slot),
	}, nil
}

// Number returns the number of a point.
func (r *RoadRow) Number(i int) HouseNumber {
	return HouseNumber{r.Points.Text(0, i), uint32(r.Points.Number(1, i)), r.Points.Text(2, i)}
}

// Find returns the point of a number, or the one before which it would be.
func (r *RoadRow) Find(n HouseNumber) (i int, ok bool) {
	i = sort.Search(r.Points.Len(), func(i int) bool { return r.Number(i).Compare(n) >= 0 })
	return i, i < r.Points.Len() && r.Number(i) == n
}

// Between returns the points of the numbers next below and above a number, negative if
// unknown. If side is true, both are on the same side of the road.
func (r *RoadRow) Between(n HouseNumber, side bool) (below, above int) {
	fits := func(o HouseNumber) bool { return o.Prefix == n.Prefix && (!side || o.Value%2 == n.Value%2) }
	at, _ := r.Find(n)
	below, above = at-1, at
	for ; below >= 0; below-- {
		if o := r.Number(below); fits(o) && o.Value < n.Value {
			break
		}
	}
	for ; above < r.Points.Len(); above++ {
		if o := r.Number(above); fits(o) && o.Value > n.Value {
			return below, above
		}
	}
	return below, -1
}

// RoadSides are the numbers of a segment.
type RoadSides struct{ Left, Right NumberRange }

// Both returns the left numbers and the right ones.
func (s RoadSides) Both() [2]NumberRange { return [...]NumberRange{s.Left, s.Right} }

// Sides returns the numbers of the segments.
func (r *RoadRow) Sides() []RoadSides { return file.Behind[RoadSides](&r.Segments, 0) }
