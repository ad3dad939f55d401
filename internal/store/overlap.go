package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// An Overlap is the intersection of the outlines of a code and an area of a
// layer. Percentages are as exact as the measurement, not rounded.
type Overlap struct {
	Area          int              // of the layer
	Intersection  geo.SquareMeters // can be less than a square meter, and slightly negative between outlines of different sources
	PercentOfCode float64          // of the code's outline, without its water if [CodeOverlaps.Covered] is known
	PercentOfArea float64          // of the area's outline
	People        int              // residents of the code and the area, if the layer has [Info.People]
}

// LayerOverlaps are the areas of one layer that a code meets, including every
// sliver, the largest part of the code first. For a code without an outline
// they are the areas that contain its point.
type LayerOverlaps struct {
	Layer    LayerID
	Overlaps []Overlap
}

// CodeOverlaps are the intersections of the outline of a code with the areas of
// the layers. For a code without an outline they are the areas that contain the
// code's point: Outline, intersections and percentages are 0.
type CodeOverlaps struct {
	Outline geo.SquareMeters // extent of the code's outline, as measured; 0 without one
	Layers  []LayerOverlaps  // ascending by layer; a layer that the code does not meet is left out
	// Covered is the part of the outline that counties or census divisions cover, else
	// another layer of all land, if it is less than 0.99. The rest is water, and the
	// areas of layers of the catalog have percentages of the part that these cover. It
	// is 0 for other outlines.
	Covered float64
}

// leastCovered is the part of an outline that counties cover unless it has water.
const leastCovered = 0.99

// landLayers cover the land of each country.
var landLayers = [...]LayerID{US - 1: LayerCounty, CA - 1: LayerCensusDivision}

// leaveOutWater measures the overlaps against the part of the outline that is not water.
// Outlines of FSAs and of coastal ZIP Codes hold water that counties and census divisions leave
// out. Without this, the shares of 443 FSAs and 907 ZIP Codes sum to less than 99 %, as if a
// part of the code were nowhere. The published overlaps stay as measured; only percentages change, so nothing of
// this is stored.
//
// A layer that tiles the land is measured against its own sum, as its shore may be drawn
// otherwise. Other layers, such as places, are measured against the land.
func (c *CodeOverlaps) leaveOutWater(d *Dataset) {
	const leastTiled = 0.9 // of the land: less is land that a layer lacks
	var land geo.SquareMeters
	for _, id := range landLayers {
		if l := d.Layer(id); l != nil && l.info.FitForShares {
			land += sumOf(c.Of(id))
		}
	}
	for id, f := range factsOfLayers { // an island territory without outlines of counties
		if l := d.Layer(LayerID(id)); land == 0 && f.tiles && l != nil && l.info.FitForShares {
			land = sumOf(c.Of(LayerID(id)))
		}
	}
	if !(land > 0) {
		return
	}
	if land < leastCovered*c.Outline {
		c.Covered = float64(land / c.Outline)
	}
	for _, l := range c.Layers {
		sum := sumOf(l.Overlaps)
		whole := max(land, sum)
		if BaseLayer(l.Layer).facts().tiles && sum >= leastTiled*land {
			whole = sum
		}
		if IsOwnLayer(l.Layer) || whole >= leastCovered*c.Outline {
			continue
		}
		for i := range l.Overlaps {
			l.Overlaps[i].PercentOfCode = min(percentOf(l.Overlaps[i].Intersection, whole), 100)
		}
	}
}

func sumOf(list []Overlap) (sum geo.SquareMeters) {
	for i := range list {
		sum += list[i].Intersection
	}
	return sum
}

// Known reports whether the code was compared with the layers. It is false for
// a code without a point, and if the dataset has no overlaps.
func (c CodeOverlaps) Known() bool { return c.Layers != nil }

// AtPoint reports whether the areas are those that contain the code's point.
func (c CodeOverlaps) AtPoint() bool { return c.Known() && c.Outline == 0 }

// Of returns the overlaps with a layer, or nil if there are none.
func (c CodeOverlaps) Of(id LayerID) []Overlap {
	for _, l := range c.Layers {
		if l.Layer == id {
			return l.Overlaps
		}
	}
	return nil
}

// OverlapUnits is the number of units of a stored intersection in a square meter.
const OverlapUnits = 1e4

// Overlaps reads the overlaps of a code's outline with the areas of every layer of its
// country. For a code without an outline, it reads the areas that contain the point.
// PO Box, unique and military ZIP Codes have the outline of the ZIP Code Tabulation Area
// of the same code, which [Dataset.ZIPAreas] leaves out. The result is empty if
// [CodeOverlaps.Known] is false. Given layers, it may lack those of others.
func (d *Dataset) Overlaps(ctx context.Context, code Code, layers ...LayerID) (c CodeOverlaps, err error) {
	if err := d.LoadLayers(ctx, code.Country()); err != nil {
		return CodeOverlaps{}, err
	}
	// Rows of a code are in the order of areas, layer by layer, so that one range holds the
	// wanted layers. It includes the land, which decides the percentages. Without land, any
	// other layer may decide them, and all are read.
	if land := d.Layer(landLayers[code.Country()-1]); len(layers) > 0 && land != nil && land.info.FitForShares {
		from, to := land.row.First, land.row.First+int64(land.row.Count)
		for _, id := range layers {
			if l := d.Layer(id); l != nil {
				from, to = min(from, l.row.First), max(to, l.row.First+int64(l.row.Count))
			}
		}
		c, err := d.overlapsIn(ctx, code.String(), from, to)
		if err != nil || c.AtPoint() || sumOf(c.Of(land.info.ID)) > 0 {
			return c, err
		}
	}
	return d.overlapsIn(ctx, code.String(), 0, math.MaxInt64)
}

// overlapsIn reads the overlaps of a code with a range of areas, which has all those of
// some layers. Areas come in the order of the file, layer by layer.
func (d *Dataset) overlapsIn(ctx context.Context, code string, from, to int64) (c CodeOverlaps, err error) {
	const sql = "SELECT c.outline, area, shared, people FROM code_outline c LEFT JOIN overlap o ON o.code = c.code AND area >= ? AND area < ? WHERE c.code = ?"
	const room = 24
	list := make([]Overlap, 0, room)
	err = d.Query(ctx, "the overlaps of "+code, sql, func(v []driver.Value) error {
		outline, _ := v[0].(float64)
		if c.Layers == nil {
			c.Outline, c.Layers = geo.SquareMeters(outline), make([]LayerOverlaps, 0, len(d.layers))
		}
		area, ok := v[1].(int64)
		if !ok {
			return nil
		}
		l := d.layerOf(area)
		if l == nil {
			return d.Damaged("the code %s overlaps with the area %d, which is not there", code, area)
		}
		shared, _ := v[2].(int64)
		people, _ := v[3].(int64)
		o := Overlap{Area: int(area - l.row.First), Intersection: geo.SquareMeters(float64(shared) / OverlapUnits), People: int(people)}
		o.PercentOfCode = percentOf(o.Intersection, c.Outline)
		o.PercentOfArea = percentOf(o.Intersection, l.outline(o.Area))
		list = append(list, o)
		if n := len(c.Layers); n == 0 || c.Layers[n-1].Layer != l.info.ID {
			c.Layers = append(c.Layers, LayerOverlaps{Layer: l.info.ID})
		}
		// For now it is only as long as it must be: list still moves when it grows.
		of := &c.Layers[len(c.Layers)-1]
		of.Overlaps = list[len(list)-1-len(of.Overlaps):]
		return nil
	}, from, to, code)
	if err != nil {
		return CodeOverlaps{}, err
	}
	end := len(list) // the lists of layers lie in it one after the other
	for i := len(c.Layers) - 1; i >= 0; i-- {
		from := end - len(c.Layers[i].Overlaps)
		c.Layers[i].Overlaps, end = list[from:end:end], from
		slices.SortFunc(c.Layers[i].Overlaps, byIntersection)
	}
	slices.SortFunc(c.Layers, func(p, q LayerOverlaps) int { return cmp.Compare(p.Layer, q.Layer) })
	c.leaveOutWater(d)
	return c, nil
}

// percentOf returns the percentage of a whole, or 0 if the whole is 0.
func percentOf(part, whole geo.SquareMeters) float64 {
	if !(whole > 0) {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

func byIntersection(p, q Overlap) int {
	return cmp.Or(cmp.Compare(q.Intersection, p.Intersection), cmp.Compare(q.People, p.People), cmp.Compare(p.Area, q.Area))
}

// A CodeOverlap is the intersection of the outlines of an area and a code.
type CodeOverlap struct {
	Code Code
	Overlap
	AtPoint bool // the code has no outline, and the area contains its point
}

// CodesIn reads the codes whose outline meets an area of a layer, including
// every sliver, the largest part of the area first. Then come those without an
// outline whose point the area contains. The result is empty for a layer that
// the dataset does not have and a number that is not an area.
func (d *Dataset) CodesIn(ctx context.Context, id LayerID, area int) ([]CodeOverlap, error) {
	if err := d.Load(ctx, SectionOverlaps|id.Section()); err != nil {
		return nil, err
	}
	l := d.Layer(id)
	if area < 0 || area >= l.Len() || d.meeting.Rows == 0 {
		return nil, d.Usable()
	}
	from, to := d.starts[l.at+area], d.starts[l.at+area+1]
	list := make([]CodeOverlap, 0, to-from)
	for i := from; i < to; i++ {
		n, _ := d.meeting.Number(0, int(i))
		code := Code(n)
		c, err := d.Overlaps(ctx, code, id)
		if err != nil {
			return nil, err
		}
		of := c.Of(id)
		at := slices.IndexFunc(of, func(o Overlap) bool { return o.Area == area })
		if at < 0 {
			return nil, d.Damaged("the code %s does not meet %s", code, l.GEOID(area))
		}
		list = append(list, CodeOverlap{code, of[at], c.AtPoint()})
	}
	slices.SortFunc(list, func(p, q CodeOverlap) int {
		return cmp.Or(cmp.Compare(q.Intersection, p.Intersection), cmp.Compare(q.People, p.People), cmp.Compare(p.Code, q.Code))
	})
	return list, nil
}
