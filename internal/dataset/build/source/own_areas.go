package source

import (
	"iter"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// Columns of files whose columns the user does not name: the first that exists
// counts. Letter case does not matter.
var (
	ownIDs   = []string{"GEOID", "GEOID20", "GEOID10", "FED_NUM", "FEDUID", "CODE", "ID", "DISTRICT", "DISTRICT_ID", "CD", "DIST"}
	ownNames = []string{"NAMELSAD", "NAMELSAD20", "NAME", "NAME20", "ED_NAMEE", "FEDENAME", "TITLE", "LABEL"}
)

// OwnAreas reads the areas of a user at the path: a shapefile, zipped or not, or
// GeoJSON, plain, gzipped or in a zip. Without columns it takes the usual ones;
// areas without an identifier then take the number of their record. A feature is
// refused without an outline or with a malformed one.
func OwnAreas(name string, c LayerColumns) iter.Seq2[LayerAreaRow, error] {
	row := func(s format.Shape) (LayerAreaRow, error) { return ownArea(s, c) }
	var need []string
	for _, column := range []string{c.ID, c.Name} {
		if column != "" {
			need = append(need, column)
		}
	}
	return ownShapes(name, need, row)
}

// ownShapes reads the shapes of a user's file, which needs the columns.
func ownShapes[R any](name string, need []string, row func(format.Shape) (R, error)) iter.Seq2[R, error] {
	if strings.EqualFold(filepath.Ext(name), ".shp") || hasShapefile(name) {
		return shapefile(name, need, row)
	}
	shapes := func(in *format.Input) iter.Seq2[format.Shape, error] {
		return format.NewGeoJSON(in, format.GeoJSONOptions{Required: need, CloseRings: true, Features: true}).Shapes()
	}
	return opened(func() (*format.Input, error) { return format.Open(name, format.OpenOptions{}) }, shapes, row)
}

func ownArea(s format.Shape, c LayerColumns) (LayerAreaRow, error) {
	named := c.ID != ""
	if !named {
		c.ID = firstOf(s, ownIDs)
	}
	if c.Name == "" {
		c.Name = firstOf(s, ownNames)
	}
	r := LayerAreaRow{AreaRow: AreaRow{ID: s.Get(c.ID), Name: s.Get(c.Name), Polygon: s.Polygon, Closed: s.Closed, Record: s.Record()}}
	if r.ID == "" {
		if named {
			return r, s.Errorf(c.ID, "blank, expected an identifier")
		}
		r.ID = strconv.Itoa(r.Record)
	}
	if len(r.Polygon) == 0 {
		return r, s.Errorf("outline", "%s has none", r.ID)
	}
	return r, nil
}

// firstOf returns the first of the attributes that a shape has, or "".
func firstOf(s format.Shape, names []string) string {
	for _, name := range names {
		for _, spelling := range []string{name, strings.ToLower(name), name[:1] + strings.ToLower(name[1:])} {
			if s.Has(spelling) {
				return spelling
			}
		}
	}
	return ""
}
