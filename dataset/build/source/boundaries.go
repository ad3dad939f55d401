package source

import (
	"iter"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/build/format"
)

// An AreaRow is an outline with the attributes that identify it.
type AreaRow struct {
	ID      string // GEOID, FSA or time zone
	Name    string // without legal description; "" where the file has none
	Full    string // with legal description; "" where the file has none
	LSAD    string // legal/statistical area description; "" in Canada
	Polygon orb.MultiPolygon
	Record  int
}

// CensusAreas reads a cartographic boundary file of the U.S. Census Bureau at
// the path: states, counties, county subdivisions or places.
func CensusAreas(path string) iter.Seq2[AreaRow, error] {
	return shapefile(path, []string{"GEOID", "NAME"}, func(s format.Shape) (AreaRow, error) {
		return area(s, "GEOID", "NAME", "NAMELSAD", "LSAD")
	})
}

// CensusSubdivisions reads the boundary file of the municipalities of
// Statistics Canada at the path.
func CensusSubdivisions(path string) iter.Seq2[AreaRow, error] {
	return shapefile(path, []string{"CSDUID", "CSDNAME"}, func(s format.Shape) (AreaRow, error) {
		return area(s, "CSDUID", "CSDNAME", "", "")
	})
}

// TimeZones reads the outlines of timezone-boundary-builder.
func TimeZones(in *format.Input) iter.Seq2[AreaRow, error] {
	g := format.NewGeoJSON(in, format.GeoJSONOptions{Required: []string{"tzid"}})
	return parsed(g.Shapes(), func(s format.Shape) (AreaRow, error) { return area(s, "tzid", "", "", "") })
}

func shapefile(path string, need []string, parse func(format.Shape) (AreaRow, error)) iter.Seq2[AreaRow, error] {
	return func(yield func(AreaRow, error) bool) {
		file, err := format.OpenShapefile(path, format.ShapefileOptions{Required: need})
		if err != nil {
			yield(AreaRow{}, err)
			return
		}
		defer file.Close()
		for row, err := range parsed(file.Shapes(), parse) {
			if !yield(row, err) {
				return
			}
		}
	}
}

// area refuses a shape without identifier or without outline.
func area(s format.Shape, id, name, full, lsad string) (AreaRow, error) {
	a := AreaRow{ID: s.Get(id), Name: s.Get(name), Full: s.Get(full), LSAD: s.Get(lsad), Polygon: s.Polygon, Record: s.Record()}
	if a.ID == "" {
		return a, s.Errorf(id, "blank, expected an identifier")
	}
	if len(a.Polygon) == 0 {
		return a, s.Errorf(id, "%s has no outline", a.ID)
	}
	return a, nil
}
