package source

import (
	"iter"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// Columns of files whose columns the user does not name: the first that exists
// counts. Letter case does not matter.
var (
	ownIDs   = []string{"GEOID", "GEOID20", "GEOID10", "FED_NUM", "FEDUID", "CODE", "ID", "DISTRICT", "DISTRICT_ID", "CD", "DIST"}
	ownNames = []string{"NAMELSAD", "NAMELSAD20", "NAME", "NAME20", "ED_NAMEE", "FEDENAME", "TITLE", "LABEL"}
	// zipAttributes are the publishers' names of the attribute with the ZIP Code of an
	// outline.
	zipAttributes = []string{
		"ZIP", "ZIP_CODE", "ZIPCODE", "ZIP5", "POSTCODE", "POSTALCODE", "POSTAL_CODE", "ZCTA5CE20", "ZCTA5CE10", "ZCTA5", "GEOID20", "GEOID10", "GEOID",
	}
)

// OwnAreas reads the areas of a user at the path: a shapefile, zipped or not, or
// GeoJSON, plain, gzipped or in a zip. Without columns it takes the usual ones; areas
// without an identifier then take the number of their record. A feature is refused
// without an outline or with a malformed one.
func OwnAreas(name string, c LayerColumns) iter.Seq2[LayerAreaRow, error] {
	var need []string
	for _, column := range []string{c.ID, c.Name} {
		if column != "" {
			need = append(need, column)
		}
	}
	return ownShapes(name, need, func(s format.Shape) (LayerAreaRow, error) { return ownArea(s, c) })
}

// ZIPPolygons reads outlines of ZIP Codes at the path, in the formats of [OwnAreas].
// The ZIP Code is in the first attribute of these that exists, in any letter case: ZIP,
// ZIP_CODE, ZIPCODE, ZIP5, POSTCODE, POSTALCODE, POSTAL_CODE, ZCTA5CE20, ZCTA5CE10,
// ZCTA5, GEOID20, GEOID10 or GEOID. A record is refused without five digits or an
// outline.
func ZIPPolygons(name string) iter.Seq2[LayerAreaRow, error] {
	return ownShapes(name, nil, func(s format.Shape) (LayerAreaRow, error) {
		name := firstOf(s, zipAttributes)
		if name == "" {
			return LayerAreaRow{}, s.Errorf(zipAttributes[0], "no such attribute; expected one of %s", strings.Join(zipAttributes, ", "))
		}
		if _, err := digits(s, name, 5); err != nil {
			return LayerAreaRow{}, err
		}
		return LayerColumns{ID: name}.row(s)
	})
}

// ownShapes reads the shapes of a user's file, which needs the columns.
func ownShapes[R any](name string, need []string, row func(format.Shape) (R, error)) iter.Seq2[R, error] {
	if strings.EqualFold(filepath.Ext(name), ".shp") || len(members(name, ".shp")) > 0 {
		return shapefile(name, need, row)
	}
	return opened(func() (*format.Input, error) { return format.Open(name, format.OpenOptions{}) }, func(in *format.Input) iter.Seq2[format.Shape, error] {
		return format.NewGeoJSON(in, format.GeoJSONOptions{Required: need}).Shapes()
	}, row)
}

// members returns the members of a zip with one of the extensions. A file that is not a
// readable zip has none.
func members(name string, extensions ...string) (names []string) {
	a, err := format.OpenArchive(name, 0)
	if err != nil {
		return nil
	}
	defer a.Close()
	for _, n := range a.Names() {
		for _, ext := range extensions {
			if strings.EqualFold(filepath.Ext(n), ext) {
				names = append(names, n)
			}
		}
	}
	return names
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
