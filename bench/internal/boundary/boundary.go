// Package boundary reads published polygons.
package boundary

import (
	"path/filepath"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/source/format"
)

// A Layer is a file of polygons below the folder of a mirror, with the attribute of
// their codes.
type Layer struct{ file, code string }

// The layers.
var (
	ZCTA   = Layer{"www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip", "ZCTA5CE20"}
	County = Layer{"www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_county_500k.zip", "GEOID"}
)

// An Area is a polygon as published, in degrees.
type Area struct {
	Code    string
	Outline orb.MultiPolygon
}

// Read returns the areas of a layer from a folder that holds the publishers'
// files under their addresses.
func Read(mirror string, l Layer) (areas []Area, err error) {
	file := format.File{Path: filepath.Join(mirror, filepath.FromSlash(l.file))}
	for s, err := range file.Rows(format.Options{Columns: []string{l.code}}) {
		if err != nil {
			return nil, err
		}
		areas = append(areas, Area{s.Get(l.code), s.Polygon})
	}
	return areas, nil
}
