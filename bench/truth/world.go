package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/postgeo/postgeo/bench/internal/boundary"
	"github.com/postgeo/postgeo/geo"
)

// A world holds the data of the comparisons: the published polygons of both
// countries and their index.
type world struct {
	mirror  string
	seed    uint64
	stored  bool    // measure shares of the polygons as stored
	outline float64 // precision of drawn circles, in meters
	edge    float64 // longest edge that is mapped, in meters

	areas []area
	index *geo.PolygonIndex
}

// An area is a polygon as published.
type area struct {
	boundary.Area
	layer int // in layers
}

// random returns a separate source of random numbers for each comparison, so
// that the results do not depend on which comparisons run.
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
