package lookuptest

import (
	"errors"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

// AreaSource is the source of all areas of the dataset.
const AreaSource = "test areas 2026"

// An area is a box of longitudes and latitudes.
type area[K dataset.AreaKey] struct {
	key                      K
	west, south, east, north float64
}

// The areas of ZIPs. That of 20500, a unique ZIP, is one that a ZIP cannot
// have: it lies inside that of 10001.
var zipAreas = []area[dataset.ZIP]{
	{10001, -74.2, 40.6, -73.8, 40.9},
	{20500, -74.1, 40.7, -74, 40.8},
	{90210, -118.5, 34.05, -118.37, 34.15},
	{96910, 144.7, 13.4, 144.8, 13.5},
	{99546, 179.9, 51.8, 183.4, 52}, // across the antimeridian
}

var fsaAreas = []area[dataset.FSA]{
	{parse(dataset.ParseFSA, "A1C"), -52.8, 47.5, -52.6, 47.6},
	{parse(dataset.ParseFSA, "K1A"), -75.8, 45.38, -75.6, 45.46},
}

var zoneAreas = []area[dataset.ZoneID]{
	{zoneLosAngeles, -125, 32, -114, 43},
	{zoneNewYork, -80, 30, -70, 45},
	{zoneToronto, -80, 45, -70, 50},
}

func writeAreas(w *dataset.Writer) error {
	return errors.Join(
		set(w.SetZIPAreas, zipAreas),
		set(w.SetFSAAreas, fsaAreas),
		set(w.SetZoneAreas, zoneAreas),
		set(w.SetCountyAreas, countyBoxes),
		writeLayers(w),
		w.AddZIPZones(601, []dataset.ZoneShare{
			{Zone: zonePuertoRico, Percent: 87.66}, {Zone: zoneNewYork, Percent: 12.3}, {Zone: zoneToronto, Percent: 0.04},
		}),
		w.AddZIPZones(10001, []dataset.ZoneShare{{Zone: zoneToronto, Percent: 70}, {Zone: zoneNewYork, Percent: 30}}),
		w.AddZIPZones(90210, []dataset.ZoneShare{{Zone: zoneLosAngeles, Percent: 100}}),
		w.AddFSAZones(parse(dataset.ParseFSA, "K1A"), []dataset.ZoneShare{{Zone: zoneToronto, Percent: 99.5}}),
	)
}

func set[K dataset.AreaKey](to func(dataset.AreaLayer[K]) error, areas []area[K]) error {
	var b geo.PolygonIndexBuilder
	l := dataset.AreaLayer[K]{Sources: []string{AreaSource}}
	for _, a := range areas {
		box := orb.Ring{{a.west, a.south}, {a.east, a.south}, {a.east, a.north}, {a.west, a.north}, {a.west, a.south}}
		for i := range box {
			if box[i][0] > 180 {
				box[i][0] -= 360
			}
		}
		if err := b.Add(orb.MultiPolygon{{box}}); err != nil {
			return err
		}
		l.Keys = append(l.Keys, a.key)
	}
	var err error
	if l.Packed, err = b.AppendBinary(nil); err != nil {
		return err
	}
	return to(l)
}
