package main

import (
	"archive/zip"
	"bufio"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo/bench/internal/boundary"
	"github.com/postgeo/postgeo/geo"
)

// A world is what the comparisons are made on: the published polygons of both
// countries, the index made of them, and points of codes.
type world struct {
	mirror  string
	seed    uint64
	stored  bool    // measure shares of the polygons as stored
	outline float64 // how exact circles are drawn, in metres
	edge    float64 // how long edges may be when they are mapped, in metres

	areas []area
	index *geo.PolygonIndex
}

// An area is a polygon as published.
type area struct {
	boundary.Area
	layer int // in layers
}

// random returns a source of random numbers of its own for each comparison,
// so that they do not depend on which are run.
func (w *world) random(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(w.seed, stream)) }

// layers are the polygons of both countries.
var layers = []boundary.Layer{boundary.ZCTA, boundary.FSA}

// loadAreas reads the polygons and makes the index, once.
func (w *world) loadAreas() error {
	if w.index != nil {
		return nil
	}
	var b geo.PolygonIndexBuilder
	for layer := range layers {
		areas, err := boundary.Read(w.mirror, layers[layer])
		if err != nil {
			return err
		}
		for _, a := range areas {
			if err := b.Add(a.Outline); err != nil {
				return fmt.Errorf("%s: %w", a.Code, err)
			}
			w.areas = append(w.areas, area{a, layer})
		}
	}
	data, err := b.AppendBinary(nil)
	if err != nil {
		return err
	}
	w.index, err = geo.DecodePolygonIndex(data)
	return err
}

// loadPoints returns the points of the codes of both countries.
func (w *world) loadPoints() ([]geo.LatLng, error) {
	american, err := w.readPoints("US")
	if err != nil {
		return nil, err
	}
	canadian, err := w.readPoints("CA")
	return append(american, canadian...), err
}

func (w *world) readPoints(country string) ([]geo.LatLng, error) {
	const latColumn, lngColumn = 9, 10
	z, err := zip.OpenReader(filepath.Join(w.mirror, "download.geonames.org", "export", "zip", country+".zip"))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	member, err := z.Open(country + ".txt")
	if err != nil {
		return nil, err
	}
	var points []geo.LatLng
	s := bufio.NewScanner(member)
	for s.Scan() {
		row := strings.Split(s.Text(), "\t")
		if len(row) <= lngColumn {
			return nil, fmt.Errorf("%s.txt has a row of %d columns, expected 12", country, len(row))
		}
		p, err := geo.ParseLatLng(row[latColumn] + "," + row[lngColumn])
		if err != nil {
			return nil, fmt.Errorf("%s.txt: %w", country, err)
		}
		points = append(points, p)
	}
	return points, s.Err()
}
