package source

import (
	"iter"
	"path"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// zipAttributes are the publishers' names of the attribute with the ZIP Code of
// an outline. The first that exists counts. Letter case does not matter.
var zipAttributes = []string{
	"ZIP", "ZIP_CODE", "ZIPCODE", "ZIP5", "POSTCODE", "POSTALCODE", "POSTAL_CODE", "ZCTA5CE20", "ZCTA5CE10", "ZCTA5", "GEOID20", "GEOID10", "GEOID",
}

// ZIPPolygons reads outlines of ZIP Codes at the path: a zipped shapefile, or
// GeoJSON, plain, gzipped or in a zip. The ZIP Code is in the attribute ZIP,
// ZIP_CODE, ZIPCODE, ZIP5, POSTCODE, POSTALCODE, POSTAL_CODE, ZCTA5CE20,
// ZCTA5CE10, ZCTA5, GEOID20, GEOID10 or GEOID. A record is refused without five
// digits or an outline.
func ZIPPolygons(name string) iter.Seq2[LayerAreaRow, error] {
	if hasShapefile(name) {
		return shapefile(name, nil, zipPolygon)
	}
	shapes := func(in *format.Input) iter.Seq2[format.Shape, error] {
		return format.NewGeoJSON(in, format.GeoJSONOptions{CloseRings: true}).Shapes()
	}
	return opened(func() (*format.Input, error) { return format.Open(name, format.OpenOptions{}) }, shapes, zipPolygon)
}

// hasShapefile reports whether the file is a zip with a shapefile in it. One
// that cannot be read is left to the reader to refuse.
func hasShapefile(name string) bool {
	a, err := format.OpenArchive(name, format.Limits{})
	if err != nil {
		return false
	}
	defer a.Close()
	for _, n := range a.Names() {
		if strings.EqualFold(path.Ext(n), ".shp") {
			return true
		}
	}
	return false
}

func zipPolygon(s format.Shape) (LayerAreaRow, error) {
	if name := firstOf(s, zipAttributes); name != "" {
		if _, err := digits(s, name, 5); err != nil {
			return LayerAreaRow{}, err
		}
		return LayerColumns{ID: name}.row(s)
	}
	return LayerAreaRow{}, s.Errorf(zipAttributes[0], "no such attribute; expected one of %s", strings.Join(zipAttributes, ", "))
}
