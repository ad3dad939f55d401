package source

import (
	"iter"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
)

// Columns of files whose columns the user does not name: the first that exists
// counts. Letter case does not matter.
var (
	ownIDs   = []string{"GEOID", "GEOID20", "GEOID10", "FED_NUM", "FEDUID", "CODE", "ID", "DISTRICT", "DISTRICT_ID", "CD", "DIST"}
	ownNames = []string{"NAMELSAD", "NAMELSAD20", "NAME", "NAME20", "ED_NAMEE", "FEDENAME", "TITLE", "LABEL"}
)

// A GeoOpener opens a GeoParquet file: its metadata "geo", its columns, and its rows
// with as many cells. Cells with binary data are as they are, or in hexadecimal.
type GeoOpener = func(path string) (meta string, header []string, rows iter.Seq2[[]string, error], err error)

// OwnAreas reads the areas of a user at the path. The file is a shapefile, zipped or
// not, GeoJSON, plain, gzipped or in a zip, or GeoParquet, with open. Buffered files may have points and lines, too,
// and be delimited text with the columns latitude and longitude. Without columns
// it takes the usual ones; areas without an identifier then take the number of their
// record. A feature is refused without an outline or with a malformed one.
func OwnAreas(name string, c LayerColumns, buffered bool, open GeoOpener) iter.Seq2[LayerAreaRow, error] {
	row := func(s format.Shape) (LayerAreaRow, error) { return ownArea(s, c) }
	var need []string
	for _, column := range []string{c.ID, c.Name} {
		if column != "" {
			need = append(need, column)
		}
	}
	if lower := strings.TrimSuffix(strings.ToLower(name), ".gz"); buffered && (strings.HasSuffix(lower, ".csv") || strings.HasSuffix(lower, ".txt")) {
		return openedText(name, "", func(in *format.Input) iter.Seq2[LayerAreaRow, error] { return pointRows(in, c) })
	}
	if ext := strings.ToLower(filepath.Ext(name)); open != nil && (ext == ".parquet" || ext == ".geoparquet") {
		return geoParquet(name, format.GeoJSONOptions{Required: need, CloseRings: true, Lines: buffered}, open, row)
	}
	return ownShapes(name, need, buffered, row)
}

// pointRows reads delimited text with points.
func pointRows(in *format.Input, c LayerColumns) iter.Seq2[LayerAreaRow, error] {
	t, err := format.NewTable(in, textOptions(in))
	if err != nil {
		return failed[LayerAreaRow](err)
	}
	id, name := column(t, c.ID, ownIDs), column(t, c.Name, ownNames)
	lat, lng := column(t, "", blockLatitudes), column(t, "", blockLongitudes)
	if lat == "" || lng == "" || c.ID != "" && id == "" || c.Name != "" && name == "" {
		return failed[LayerAreaRow](&format.Error{File: in.Name(), Line: 1, Reason: "the header " + strings.Join(t.Header(), ",") + " lacks the columns latitude and longitude, or those of id and name", Err: format.ErrColumns})
	}
	n := 0
	return parsed(t.Rows(), func(row format.Row) (r LayerAreaRow, err error) {
		n++
		r.Record, r.ID = n, strconv.Itoa(n)
		if id != "" {
			r.ID = strings.Clone(strings.TrimSpace(row.Get(id)))
		}
		if name != "" {
			r.Name = strings.Clone(strings.TrimSpace(row.Get(name)))
		}
		y, err1 := strconv.ParseFloat(strings.TrimSpace(row.Get(lat)), 64)
		x, err2 := strconv.ParseFloat(strings.TrimSpace(row.Get(lng)), 64)
		_, err3 := geo.LatLngFromDegrees(y, x)
		if r.Lines = (orb.MultiLineString{{{x, y}}}); err1 != nil || err2 != nil || err3 != nil || r.ID == "" {
			err = row.Errorf(lat, "%q, %q is not a point with an identifier", row.Get(lat), row.Get(lng))
		}
		return r, err
	})
}

// geoParquet reads the shapes of a GeoParquet file.
func geoParquet[R any](name string, o format.GeoJSONOptions, open GeoOpener, row func(format.Shape) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		t := format.GeoTable{Name: name}
		var err error
		if t.Metadata, t.Header, t.Rows, err = open(name); err != nil {
			failed[R](err)(yield)
			return
		}
		parsed(t.Shapes(o), row)(yield)
	}
}

// ownShapes reads the shapes of a user's file, which needs the columns.
func ownShapes[R any](name string, need []string, buffered bool, row func(format.Shape) (R, error)) iter.Seq2[R, error] {
	if strings.EqualFold(filepath.Ext(name), ".shp") || hasShapefile(name) {
		return opened(func() (*format.Shapefile, error) {
			return format.OpenShapefile(name, format.ShapefileOptions{Required: need, CloseRings: true, Any: buffered})
		}, (*format.Shapefile).Shapes, row)
	}
	shapes := func(in *format.Input) iter.Seq2[format.Shape, error] {
		return format.NewGeoJSON(in, format.GeoJSONOptions{Required: need, CloseRings: true, Features: true, Lines: buffered}).Shapes()
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
	if r.Lines = s.Lines; len(r.Polygon)+len(r.Lines) == 0 {
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
