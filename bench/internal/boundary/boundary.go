// Package boundary reads the published polygons that the comparisons are made
// on.
package boundary

import (
	"path/filepath"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/format"
)

// A Layer is a file of polygons.
type Layer struct {
	Country string
	file    string // below the folder of the mirror
	code    string // attribute
}

// The layers: ZIP Code Tabulation Areas and forward sortation areas.
var (
	ZCTA = Layer{"US", "www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip", "ZCTA5CE20"}
	FSA  = Layer{"Canada", statCan + "lfsa000b21a_e.zip", "CFSAUID"}
)

const (
	cartographic = "www2.census.gov/geo/tiger/GENZ2024/shp/"
	statCan      = "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
)

// Layers that codes are laid over.
var (
	County         = Layer{"US", cartographic + "cb_2024_us_county_500k.zip", "GEOID"}
	Place          = Layer{"US", cartographic + "cb_2024_us_place_500k.zip", "GEOID"}
	Tract          = Layer{"US", cartographic + "cb_2024_us_tract_500k.zip", "GEOID"}
	Congress       = Layer{"US", cartographic + "cb_2024_us_cd119_500k.zip", "GEOID"}
	Upper          = Layer{"US", cartographic + "cb_2024_us_sldu_500k.zip", "GEOID"}
	Lower          = Layer{"US", cartographic + "cb_2024_us_sldl_500k.zip", "GEOID"}
	CensusDivision = Layer{"Canada", statCan + "lcd_000b21a_e.zip", "CDUID"}
	Federal        = Layer{"Canada", statCan + "lfed000b21a_e.zip", "FEDUID"}
)

// An Area is a polygon as published, in degrees.
type Area struct {
	Code    string
	Outline orb.MultiPolygon
}

// Read returns the areas of a layer from a folder that holds the publishers'
// files under their addresses.
func Read(mirror string, l Layer) ([]Area, error) {
	file, err := format.OpenShapefile(filepath.Join(mirror, filepath.FromSlash(l.file)), format.ShapefileOptions{Required: []string{l.code}})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var areas []Area
	for s, err := range file.Shapes() {
		if err != nil {
			return nil, err
		}
		areas = append(areas, Area{s.Get(l.code), s.Polygon})
	}
	return areas, nil
}
