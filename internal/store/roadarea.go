package store

import (
	"database/sql/driver"
	"errors"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A roadArea is what stays in memory of the roads of an area.
type roadArea struct {
	area   RoadArea
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

// roadAreaRow is a row of the table of areas.
type roadAreaRow struct {
	Area                     RoadArea
	Pages, Roads             int
	Ranges, Points           int
	South, West, North, East int32 // cells
}

// roadPart reads the areas that have roads.
func (d *Dataset) roadPart() file.Part {
	return file.Part{
		Section: SectionRoads,
		Queries: []file.Query{
			{Name: "road_area", SQL: "SELECT id, pages, roads, ranges, points, south, west, north, east FROM road_area ORDER BY id"},
			{Name: "road_source", SQL: "SELECT source FROM road_source ORDER BY id"},
		},
		Load: d.loadRoads,
	}
}

func (d *Dataset) loadRoads(m *file.Memory) error {
	rows, err := file.Rows[roadAreaRow](m, "road_area")
	if err != nil {
		return err
	}
	set := file.NewCodeSetBuilder(numRoadAreas)
	d.roadAreas, d.roadGrid, d.roadSources.List = make([]roadArea, 0, len(rows)), map[gridCell][]int32{}, nil
	for i, r := range rows {
		if err := set.Add(uint32(r.Area)); err != nil {
			return err
		}
		a := roadArea{r.Area, r.Pages, r.Roads, r.Ranges, r.Points, cellBox{cell{r.South, r.West}, cell{r.North, r.East}}}
		if !a.box.low.valid() || !a.box.high.valid() {
			return errRoadCell
		}
		if _, ok := a.area.ZIP(); ok && a.ranges > 0 {
			d.hasRanges = true
		}
		d.roadAreas = append(d.roadAreas, a)
		low, high := a.box.low.grid(), a.box.high.grid()
		for lat := low.lat; lat <= high.lat; lat++ {
			for lng := low.lng; lng <= high.lng; lng++ {
				d.roadGrid[gridCell{lat, lng}] = append(d.roadGrid[gridCell{lat, lng}], int32(i))
			}
		}
	}
	d.roadSet = set.Finish()
	sources, err := file.Rows[struct{ Source string }](m, "road_source")
	for _, s := range sources {
		d.roadSources.List = append(d.roadSources.List, s.Source)
	}
	return err
}

// checkRoadPage unpacks the roads of a page.
func (d *Dataset) checkRoadPage(row []driver.Value) error {
	id, _ := row[0].(int64)
	data, _ := row[1].([]byte)
	p, err := decodeRoadPage(id, data)
	for i := 0; err == nil && i < len(p.bodies); i++ {
		err = p.road(i, d.roadSources, new(Road))
	}
	return err
}
