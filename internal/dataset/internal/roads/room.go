package roads

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// SectionRoads holds the list of the areas that have roads.
const SectionRoads store.Sections = 1 << 61

// A Reader holds what stays in memory of the roads of one file.
type Reader struct {
	file     *store.File
	set      store.CodeSet
	areas    []roadArea
	grid     map[gridCell][]int32 // areas by the cells that their boxes touch
	sources  store.Shared
	pages    store.Cache[page]
	searches sync.Pool // of *RoadSearch
	ranges   bool      // of a ZIP Code

	indexes *cache.Recent[int, *index] // by the positions of their areas
}

// maxHeld is the number of streets of the indexes in memory, about 30 MB.
const maxHeld = 500_000

// A roadArea is what stays in memory of the roads of an area.
type roadArea struct {
	area   Area
	pages  int
	roads  int
	ranges int
	points int
	box    cellBox
}

// RoadCoverage counts the records of an area.
type RoadCoverage struct {
	Roads  int
	Ranges int // sides of segments with numbers
	Points int
}

// gridCell is a cell of half a degree.
type gridCell struct{ lat, lng int32 }

const cellsOfGrid = cellsOfDegree / 2

func (c cell) grid() gridCell {
	return gridCell{(c.lat + 90*cellsOfDegree) / cellsOfGrid, (c.lng + 180*cellsOfDegree) / cellsOfGrid}
}

var errKeys = errors.New("its keys are not in order")

type table = store.ResidentTable[*Reader, *Writer]

var areasTable = table{
	Name: "road.areas", Section: SectionRoads,
	Encode: func(w *Writer, c *store.Columns) error {
		co := store.NewCoder(nil)
		next := Area(0)
		for i := range w.areas {
			w.areas[i].code(&co, &next)
		}
		areas, err := co.Bytes()
		c.Add(store.Column{Name: "road.areas", Rows: len(w.areas), Data: areas})
		return cmp.Or(err, store.AddList(c, "road.sources", store.NewCoder(nil), w.sources.List, store.CodeText))
	},
	Decode: func(d *Reader, c *store.Columns) error {
		areas, err := c.Take("road.areas", 0)
		if err != nil {
			return err
		}
		if err := d.decodeAreas(areas); err != nil {
			return fmt.Errorf("column %s: %w", areas.Name, err)
		}
		d.sources.List, err = store.TakeList(c, "road.sources", store.DecodeWith(nil, nil), store.CodeText)
		return err
	},
}

func (a *roadArea) code(c *store.Coder, next *Area) {
	gap := a.area - *next
	store.Max(c, &gap, numAreas-1)
	a.area = *next + gap
	*next = a.area + 1
	store.Max(c, &a.pages, maxPages)
	store.Max(c, &a.roads, maxOfIndex)
	store.Max(c, &a.ranges, 1<<31)
	store.Max(c, &a.points, 1<<31)
	store.Int(c, &a.box.low.lat, &a.box.low.lng)
	size := [2]int32{a.box.high.lat - a.box.low.lat, a.box.high.lng - a.box.low.lng}
	store.Int(c, &size[0], &size[1])
	a.box.high = cell{a.box.low.lat + size[0], a.box.low.lng + size[1]}
	if c.Reading() && (size[0] < 0 || size[1] < 0 || !a.box.low.valid() || !a.box.high.valid() || a.pages == 0 || a.roads == 0) {
		c.Fail(store.ErrRange)
	}
}

func (d *Reader) decodeAreas(column store.Column) error {
	if column.Rows > len(column.Data) {
		return store.ErrShort
	}
	c, next := store.DecodeWith(nil, column.Data), Area(0)
	set := store.NewCodeSetBuilder(numAreas)
	d.areas, d.grid = make([]roadArea, 0, column.Rows), map[gridCell][]int32{}
	for i := 0; i < column.Rows && c.Err() == nil; i++ {
		var a roadArea
		if a.code(&c, &next); c.Err() != nil {
			break
		}
		if err := set.Add(uint32(a.area)); err != nil {
			return err
		}
		if _, ok := a.area.ZIP(); ok && a.ranges > 0 {
			d.ranges = true
		}
		d.areas = append(d.areas, a)
		low, high := a.box.low.grid(), a.box.high.grid()
		for lat := low.lat; lat <= high.lat; lat++ {
			for lng := low.lng; lng <= high.lng; lng++ {
				d.grid[gridCell{lat, lng}] = append(d.grid[gridCell{lat, lng}], int32(i))
			}
		}
	}
	d.set = set.Finish()
	return c.End()
}

var pageTable = store.RowTable[*Reader]{
	RowKind: pageRows,
	Ids: func(d *Reader) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for _, a := range d.areas {
				for i := range a.pages {
					if !yield(int64(a.area)*maxPages + int64(i)) {
						return
					}
				}
			}
		}
	},
	Check: func(d *Reader, id int64, payload []byte) error {
		p, err := decodePage(id, payload)
		for i := 0; i < len(p.bodies) && err == nil; i++ {
			err = p.road(i, d.sources, new(Road))
		}
		return err
	},
}

var indexTable = store.RowTable[*Reader]{
	RowKind: indexRows,
	Ids: func(d *Reader) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for _, a := range d.areas {
				if !yield(int64(a.area)) {
					return
				}
			}
		}
	},
	Check: func(d *Reader, id int64, payload []byte) error {
		i, ok := d.set.Row(uint32(id))
		if !ok {
			return store.ErrRange
		}
		x, err := decodeIndex(payload, d.areas[i].pages)
		if err == nil && len(x.ends) != d.areas[i].roads {
			err = fmt.Errorf("it has %d roads, expected %d", len(x.ends), d.areas[i].roads)
		}
		return err
	},
}

// New registers the tables of roads with a file.
func New(f *store.File) *Reader {
	d := &Reader{file: f, indexes: cache.NewRecent[int, *index](maxHeld)}
	f.Tables.Add([]store.Bound{areasTable.Bind(d, nil)}, []store.BoundRows{pageTable.Bind(d), indexTable.Bind(d)})
	return d
}
