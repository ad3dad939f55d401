package roads

import (
	"database/sql/driver"
	"errors"
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

// areaRow is a row of the table of areas.
type areaRow struct {
	Area                     Area
	Pages, Roads             int
	Ranges, Points           int
	South, West, North, East int32 // cells
}

// New registers the roads with a file.
func New(f *file.File) *Reader {
	d := &Reader{file: f, indexes: cache.NewRecent[int, *index](maxHeld)}
	f.Parts = append(f.Parts, file.Part{
		Section: SectionRoads,
		Queries: []file.Query{
			{Name: "road_area", SQL: "SELECT id, pages, roads, ranges, points, south, west, north, east FROM road_area ORDER BY id"},
			{Name: "road_source", SQL: "SELECT source FROM road_source ORDER BY id"},
		},
		Load: d.load,
	})
	f.Blobs = append(f.Blobs, file.Blobs{Table: "road", Check: d.checkPage})
	return d
}

func (d *Reader) load(m *file.Memory) error {
	rows, err := file.Rows[areaRow](m, "road_area")
	if err != nil {
		return err
	}
	set := file.NewCodeSetBuilder(numAreas)
	d.areas, d.grid, d.sources.List = make([]roadArea, 0, len(rows)), map[gridCell][]int32{}, nil
	for i, r := range rows {
		if err := set.Add(uint32(r.Area)); err != nil {
			return err
		}
		a := roadArea{r.Area, r.Pages, r.Roads, r.Ranges, r.Points, cellBox{cell{r.South, r.West}, cell{r.North, r.East}}}
		if !a.box.low.valid() || !a.box.high.valid() {
			return errRoadCell
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
	sources, err := file.Rows[struct{ Source string }](m, "road_source")
	for _, s := range sources {
		d.sources.List = append(d.sources.List, s.Source)
	}
	return err
}

// checkPage unpacks the roads of a page.
func (d *Reader) checkPage(row []driver.Value) error {
	id, _ := row[0].(int64)
	data, _ := row[1].([]byte)
	p, err := decodePage(id, data)
	for i := 0; i < len(p.bodies) && err == nil; i++ {
		err = p.road(i, d.sources, new(Road))
	}
	return err
}
