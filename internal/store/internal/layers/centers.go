package layers

import (
	"cmp"
	"fmt"
	"iter"
	"math"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Center is the center of population of a census block group.
type Center struct {
	BlockGroup uint64 // GEOID of the census of 2020, twelve digits with leading zeros
	At         geo.LatLng
	People     int
	ZIP        dataset.ZIP   // ZIP Code of its people but those of Others; 0 without one
	Others     []CenterShare // further ZIP Codes whose people it holds
}

// A CenterShare is the part of the people of a block group in a ZIP Code.
type CenterShare struct {
	ZIP    dataset.ZIP
	People int // 0 for a ZIP Code that has its point there, and no known people
}

// Shares appends the parts of the people in ZIP Codes. They sum to the people, if there
// are any.
func (c *Center) Shares(into []CenterShare) []CenterShare {
	if c.ZIP != 0 {
		own := c.People
		for _, o := range c.Others {
			own -= o.People
		}
		into = append(into, CenterShare{c.ZIP, own})
	}
	return append(into, c.Others...)
}

// maxBlockGroup is above the GEOIDs of block groups.
const maxBlockGroup = 1_000_000_000_000

// centers are the centers of a file.
type centers struct {
	texts  []byte // for each the gap between the GEOIDs and the people
	zips   []byte // for each the number of others doubled, plus 1 if its ZIP Code is that of the one before, else with the ZIP Code; and the others. Empty if unknown
	points file.Column
}

// Centers yields the centers of population in ascending order of their block
// groups. [SectionCenters] must be loaded.
func (d *Reader) Centers() iter.Seq[Center] {
	d.file.Need(SectionCenters)
	return d.centers.all(&file.Decoder{B: d.centers.texts}, &file.Decoder{B: d.centers.zips})
}

// HasCenterZIPs reports whether the ZIP Codes of centers are known. [SectionCenters] must be
// loaded.
func (d *Reader) HasCenterZIPs() bool {
	d.file.Need(SectionCenters)
	return len(d.centers.zips) > 0
}

func (s *centers) all(e, zips *file.Decoder) iter.Seq[Center] {
	return func(yield func(Center) bool) {
		next, zip := uint64(0), dataset.ZIP(0)
		for i := range s.points.Rows {
			next += e.Max(maxBlockGroup)
			c := Center{BlockGroup: next, People: int(e.Max(math.MaxInt32)), At: file.PointAt(s.points.Row(i))}
			if len(s.zips) > 0 {
				n := zips.Max(2 * dataset.NumZIPs)
				if n%2 == 0 {
					zip = dataset.ZIP(zips.Max(dataset.NumZIPs - 1))
				}
				c.ZIP = zip
				for range n / 2 {
					c.Others = append(c.Others, CenterShare{dataset.ZIP(zips.Max(dataset.NumZIPs - 1)), int(zips.Max(uint64(c.People)))})
					if zips.Err != nil {
						return
					}
				}
			}
			if e.Err != nil || zips.Err != nil || !yield(c) {
				return
			}
			next++
		}
	}
}

// SetCenters gives the centers of population, ascending by block group.
func (w *Writer) SetCenters(list []Center) error {
	next := uint64(0)
	for i := range list {
		c := &list[i]
		others := 0
		for _, o := range c.Others {
			others += o.People
			if o.ZIP == 0 || o.ZIP >= dataset.NumZIPs || o.People < 0 {
				others = math.MaxInt
				break
			}
		}
		if others > max(c.People, 0) || c.ZIP >= dataset.NumZIPs {
			return file.Invalid("the center of block group %d with %d people in the ZIP Codes %v and %v", c.BlockGroup, c.People, c.ZIP, c.Others)
		}
		if c.BlockGroup < next || c.BlockGroup >= maxBlockGroup || c.People < 0 || c.People > math.MaxInt32 {
			return file.Invalid("the center of block group %d with %d people; expected ascending GEOIDs of twelve digits", c.BlockGroup, c.People)
		}
		next = c.BlockGroup + 1
	}
	return file.SetOnce(w.out, "centers", &w.centers, list)
}

var centersTable = table{
	Name: "centers",
	Encode: func(w *Writer, c *file.Columns) error {
		w.encodeBlocks(c)
		if len(w.centers) == 0 {
			return nil
		}
		var e, zips file.Encoder
		var points []byte
		next, last := uint64(0), dataset.ZIP(0)
		for _, v := range w.centers {
			e.Uint(v.BlockGroup - next)
			e.Uint(uint64(v.People))
			points = file.AppendPoint(points, v.At)
			next = v.BlockGroup + 1
			if v.ZIP == last {
				zips.Uint(uint64(2*len(v.Others) + 1))
			} else {
				zips.Uint(uint64(2 * len(v.Others)))
				zips.Uint(uint64(v.ZIP))
			}
			for _, o := range v.Others {
				zips.Uint(uint64(o.ZIP))
				zips.Uint(uint64(o.People))
			}
			last = v.ZIP
		}
		c.Add(file.Column{Name: "centers", Rows: len(w.centers), Data: e.B})
		c.Add(file.Column{Name: "centers.points", Width: pointWidth, Rows: len(w.centers), Data: points})
		c.Add(file.Column{Name: "centers.zips", Rows: len(w.centers), Data: zips.B})
		return nil
	},
	Decode: func(d *Reader, c *file.Columns) error {
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
		if c.Has("centers.zips") {
			zips, err := c.Take("centers.zips", 0)
			if err != nil {
				return err
			}
			s.zips = zips.Data
		}
		e, zips, n := &file.Decoder{B: s.texts}, &file.Decoder{B: s.zips}, 0
		for v := range s.all(e, zips) {
			if v.BlockGroup >= maxBlockGroup {
				return fmt.Errorf("centers: the block group %d", v.BlockGroup)
			}
			if err := file.CheckPoint(s.points.Row(n)); err != nil {
				return fmt.Errorf("centers: block group %d: %w", v.BlockGroup, err)
			}
			n++
		}
		if err := cmp.Or(e.End(), zips.End()); err != nil || n != col.Rows {
			return fmt.Errorf("centers: found %d, expected %d: %w", n, col.Rows, err)
		}
		d.centers = s
		return nil
	},
}

// pointWidth is the size of a point.
const pointWidth = 8
