package main

import (
	"archive/zip"
	"bufio"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/geo"
)

// A world is what the comparisons are made on: the published polygons of both
// countries, the index made of them, and points of codes.
type world struct {
	mirror string
	seed   uint64

	areas []area
	index *geo.PolygonIndex
}

// An area is a polygon as published.
type area struct {
	code    string
	layer   int // in boundaries
	outline orb.MultiPolygon
}

// random returns a source of random numbers of its own for each comparison,
// so that they do not depend on which are run.
func (w *world) random(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(w.seed, stream)) }

func (w *world) path(name string) string { return filepath.Join(w.mirror, filepath.FromSlash(name)) }

// boundaries are the files of polygons: ZIP Code Tabulation Areas and forward
// sortation areas.
var boundaries = []struct{ country, file, code string }{
	{"US", "www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip", "ZCTA5CE20"},
	{"Canada", "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/lfsa000b21a_e.zip", "CFSAUID"},
}

// loadAreas reads the polygons and makes the index, once.
func (w *world) loadAreas() error {
	if w.index != nil {
		return nil
	}
	var b geo.PolygonIndexBuilder
	for layer := range boundaries {
		if err := w.loadLayer(&b, layer); err != nil {
			return err
		}
	}
	data, err := b.AppendBinary(nil)
	if err != nil {
		return err
	}
	w.index, err = geo.DecodePolygonIndex(data)
	return err
}

func (w *world) loadLayer(b *geo.PolygonIndexBuilder, layer int) error {
	l := boundaries[layer]
	file, err := format.OpenShapefile(w.path(l.file), format.ShapefileOptions{Required: []string{l.code}})
	if err != nil {
		return err
	}
	defer file.Close()
	for s, err := range file.Shapes() {
		if err != nil {
			return err
		}
		if err := b.Add(s.Polygon); err != nil {
			return fmt.Errorf("%s, record %d: %w", l.file, s.Record(), err)
		}
		w.areas = append(w.areas, area{s.Get(l.code), layer, s.Polygon})
	}
	return nil
}

// loadPoints returns the points of the codes of both countries.
func (w *world) loadPoints() ([]geo.LatLng, error) {
	var points []geo.LatLng
	for _, f := range []struct{ archive, member string }{{"US.zip", "US.txt"}, {"CA.zip", "CA.txt"}} {
		from := len(points)
		z, err := zip.OpenReader(w.path("download.geonames.org/export/zip/" + f.archive))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		member, err := z.Open(f.member)
		if err != nil {
			return nil, err
		}
		for s := bufio.NewScanner(member); s.Scan(); {
			row := strings.Split(s.Text(), "\t")
			if len(row) < 11 {
				continue
			}
			lat, errLat := strconv.ParseFloat(row[9], 64)
			lng, errLng := strconv.ParseFloat(row[10], 64)
			if errLat != nil || errLng != nil {
				continue
			}
			p, err := geo.LatLngFromDegrees(lat, lng)
			if err != nil {
				return nil, err
			}
			points = append(points, p)
		}
		if len(points) == from {
			return nil, fmt.Errorf("%s holds no points", f.archive)
		}
	}
	return points, nil
}
