package layers

import (
	"fmt"
	"iter"
	"math"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// A Center is the center of population of a census block group.
type Center struct {
	BlockGroup uint64 // GEOID of the census of 2020, twelve digits with leading zeros
	At         geo.LatLng
	People     int
}

// maxBlockGroup is above the GEOIDs of block groups.
const maxBlockGroup = 1_000_000_000_000

// centers are the centers of a file.
type centers struct {
	texts  []byte // for each the gap between the GEOIDs and the people
	points store.Column
}

// Centers yields the centers of population in ascending order of their block
// groups. [SectionCenters] must be loaded.
func (d *Reader) Centers() iter.Seq[Center] {
	d.file.Need(SectionCenters)
	return d.centers.all(&store.Decoder{B: d.centers.texts})
}

func (s *centers) all(e *store.Decoder) iter.Seq[Center] {
	return func(yield func(Center) bool) {
		next := uint64(0)
		for i := range s.points.Rows {
			next += e.Max(maxBlockGroup)
			c := Center{BlockGroup: next, People: int(e.Max(math.MaxInt32)), At: store.PointAt(s.points.Row(i))}
			if e.Err != nil || !yield(c) {
				return
			}
			next++
		}
	}
}

// SetCenters gives the centers of population, ascending by block group.
func (w *Writer) SetCenters(list []Center) error {
	next := uint64(0)
	for _, c := range list {
		if c.BlockGroup < next || c.BlockGroup >= maxBlockGroup || c.People < 0 || c.People > math.MaxInt32 {
			return store.Invalid("the center of block group %d with %d people; expected ascending GEOIDs of twelve digits", c.BlockGroup, c.People)
		}
		next = c.BlockGroup + 1
	}
	return store.SetOnce(w.out, "centers", &w.centers, list)
}

var centersTable = table{
	Name: "centers",
	Encode: func(w *Writer, c *store.Columns) error {
		w.encodeBlocks(c)
		if len(w.centers) == 0 {
			return nil
		}
		var e store.Encoder
		var points []byte
		next := uint64(0)
		for _, v := range w.centers {
			e.Uint(v.BlockGroup - next)
			e.Uint(uint64(v.People))
			points = store.AppendPoint(points, v.At)
			next = v.BlockGroup + 1
		}
		c.Add(store.Column{Name: "centers", Rows: len(w.centers), Data: e.B})
		c.Add(store.Column{Name: "centers.points", Width: pointWidth, Rows: len(w.centers), Data: points})
		return nil
	},
	Decode: func(d *Reader, c *store.Columns) error {
		if err := d.decodeBlocks(c); err != nil {
			return err
		}
		if !c.Has("centers") {
			return nil
		}
		col, err := c.Take("centers", 0)
		if err != nil {
			return err
		}
		s := centers{texts: col.Data}
		if s.points, err = c.Take("centers.points", pointWidth); err != nil {
			return err
		}
		e, n := &store.Decoder{B: s.texts}, 0
		for v := range s.all(e) {
			if v.BlockGroup >= maxBlockGroup {
				return fmt.Errorf("centers: the block group %d", v.BlockGroup)
			}
			if err := store.CheckPoint(s.points.Row(n)); err != nil {
				return fmt.Errorf("centers: block group %d: %w", v.BlockGroup, err)
			}
			n++
		}
		if err := e.End(); err != nil || n != col.Rows {
			return fmt.Errorf("centers: found %d, expected %d: %w", n, col.Rows, err)
		}
		d.centers = s
		return nil
	},
}

// pointWidth is the size of a point.
const pointWidth = 8
