package roads

import (
	"cmp"
	"errors"
	"fmt"
	"sync"

	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// SectionRoads holds the list of the areas that have roads.
const SectionRoads file.Sections = 1 << 61

// A Reader holds what stays in memory of the roads of one file.
type Reader struct {
	file     *file.File
	set      file.CodeSet
	areas    []roadArea
	grid     map[gridCell][]int32 // areas by the cells that their boxes touch
	sources  file.Shared
	pages    file.Cache[page]
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

type table = file.ResidentTable[*Reader, *Writer]

var areasTable = table{
	Name: "road.areas", Section: SectionRoads,
	Encode: func(w *Writer, c *file.Columns) error {
		co := file.NewCoder(nil)
		next := Area(0)
		for i := range w.areas {
			w.areas[i].code(&co, &next)
		}
		areas, err := co.Bytes()
		c.Add(file.Column{Name: "road.areas", Rows: len(w.areas), Data: areas})
		return cmp.Or(err, file.AddList(c, "road.sources", file.NewCoder(nil), w.sources.List, file.CodeText))
	},
	Decode: func(d *Reader, c *file.Columns) error {
		areas, err := c.Take("road.areas", 0)
		if err != nil {
			return err
		}
		if err := d.decodeAreas(areas); err != nil {
			return fmt.Errorf("column %s: %w", areas.Name, err)
		}
		d.sources.List, err = file.TakeList(c, "road.sources", file.DecodeWith(nil, nil), file.CodeText)
		return err
	},
}

func (a *roadArea) code(c *file.Coder, next *Area) {
	gap := a.area - *next
	file.Max(c, &gap, numAreas-1)
	a.area = *next + gap
	*next = a.area + 1
	file.Max(c, &a.pages, maxPages)
	file.Max(c, &a.roads, maxOfIndex)
	file.Max(c, &a.ranges, 1<<31)
	file.Max(c, &a.points, 1<<31)
	file.Int(c, &a.box.low.lat, &a.box.low.lng)
	size := [2]int32{a.box.high.lat - a.box.low.lat, a.box.high.lng - a.box.low.lng}
	file.Int(c, &size[0], &size[1])
	a.box.high = cell{a.box.low.lat + size[0], a.box.low.lng + size[1]}
	if c.Reading() && (size[0] < 0 || size[1] < 0 || !a.box.low.valid() || !a.box.high.valid() || a.pages == 0 || a.roads == 0) {
		c.Fail(file.ErrRange)
	}
}

func (d *Reader) decodeAreas(column file.Column) error {
	if column.Rows > len(column.Data) {
		return file.ErrShort
	}
	c, next := file.DecodeWith(nil, column.Data), Area(0)
	set := file.NewCodeSetBuilder(numAreas)
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

var pageTable = file.RowTable[*Reader]{
	RowKind: pageRows,
	Check: func(d *Reader, id int64, payload []byte) error {
		p, err := decodePage(id, payload)
		for i := 0; i < len(p.bodies) && err == nil; i++ {
			err = p.road(i, d.sources, new(Road))
		}
		return err
	},
}

var indexTable = file.RowTable[*Reader]{
	RowKind: indexRows,
	Check: func(d *Reader, id int64, payload []byte) error {
		i, ok := d.set.Row(uint32(id))
		if !ok {
			return file.ErrRange
		}
		x, err := decodeIndex(payload, d.areas[i].pages)
		if err == nil && len(x.ends) != d.areas[i].roads {
			err = fmt.Errorf("it has %d roads, expected %d", len(x.ends), d.areas[i].roads)
		}
		return err
	},
}

// New registers the tables of roads with a file.
func New(f *file.File) *Reader {
	d := &Reader{file: f, indexes: cache.NewRecent[int, *index](maxHeld)}
	f.Tables.Add([]file.Bound{areasTable.Bind(d, nil)}, []file.BoundRows{pageTable.Bind(d), indexTable.Bind(d)})
	return d
}
