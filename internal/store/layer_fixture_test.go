package store_test

import (
	"context"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// A heldLayer is what a writer is given of a layer, its outlines unpacked;
// nil outlines for a layer that has none of its own.
type heldLayer struct {
	Info     store.LayerInfo
	Areas    []store.LayerArea
	Outlines []orb.MultiPolygon
}

// met is what a code shares with layers.
type met[K postcode.ZIP | postcode.FSA] struct {
	Code K
	Of   store.CodeOverlaps
}

// assigned are the areas of a full postal code.
type assigned struct {
	Code  postcode.PostalCode
	Areas []store.PostalArea
}

// layered is everything of a country that codes are held against.
type layered struct {
	Layers      []heldLayer
	Schools     []store.SchoolDistrict
	ZIPOverlaps []met[postcode.ZIP]
	FSAOverlaps []met[postcode.FSA]
	PostalAreas []assigned
}

// smallLayers returns layers for small: counties without outlines of their
// own, codes of different lengths, areas within one another, one without an
// outline, slivers, an overlap that misses 0 downwards, and a layer that no
// outline is known of.
func smallLayers() layered {
	district := orb.Polygon{{{-119, 34}, {-118, 34}, {-118, 35}, {-119, 35}, {-119, 34}}}
	inner := orb.Polygon{{{-118.75, 34.5}, {-118.5, 34.5}, {-118.5, 34.75}, {-118.75, 34.75}, {-118.75, 34.5}}}
	const extent = 1.0e10
	overlaps := func(whole geo.SquareMeters, layers ...store.LayerOverlaps) store.CodeOverlaps {
		return store.CodeOverlaps{Outline: whole, Layers: layers}
	}
	coastal := func(c store.CodeOverlaps) store.CodeOverlaps { // counties cover three quarters
		county := c.Layers[0].Overlaps[0].Intersection + c.Layers[0].Overlaps[1].Intersection
		c.Covered = float64(county / c.Outline)
		for _, l := range c.Layers {
			for i := range l.Overlaps {
				l.Overlaps[i].PercentOfCode = min(100, 100*float64(l.Overlaps[i].Intersection)/float64(county))
			}
		}
		return c
	}
	overlap := func(area int, v, whole, of geo.SquareMeters) store.Overlap {
		o := store.Overlap{Area: area, Intersection: v, PercentOfCode: 100 * float64(v) / float64(whole)}
		if of > 0 {
			o.PercentOfArea = 100 * float64(v) / float64(of)
		}
		return o
	}
	return layered{
		Layers: []heldLayer{
			{
				Info: store.LayerInfo{ID: store.LayerCounty, Source: "Agency, counties é", Year: 2024, Vintage: "2024", FitForShares: true},
				Areas: []store.LayerArea{
					{GEOID: "06003", Name: "Alpine County", State: 1, Land: store.UnknownArea, Water: store.UnknownArea},
					{GEOID: "06037", Name: "Los Angeles County", State: 1, Land: 10_000, Water: 0, Outline: extent, Point: geo.MustLatLng(34.5, -118.5)},
				},
			},
			{
				Info: store.LayerInfo{ID: store.LayerSchoolDistrict, Source: "Agency, schools", Year: 2023, Vintage: "school year 2023-24", Period: "2023-2024"},
				Areas: []store.LayerArea{
					{GEOID: "0600001", Name: "High School District", Type: "secondary", State: 1, Land: 1, Water: 2, Outline: extent, Point: geo.MustLatLng(34.25, -118.25)},
					{GEOID: "0600002", Name: "Elementary District", Type: "elementary", State: 1, Land: store.UnknownArea, Water: 7, Outline: extent / 16},
				},
				Outlines: []orb.MultiPolygon{{district}, {inner}},
			},
			{
				Info: store.LayerInfo{ID: store.LayerCensusTract, Source: "Agency, tracts", Year: 2021, Vintage: "2021", FitForShares: true},
				Areas: []store.LayerArea{
					{GEOID: "5050300.01", Name: "0300.01", Parent: "505", State: 3, Land: store.UnknownArea, Water: store.UnknownArea},
				},
			},
			{
				Info: store.LayerInfo{ID: store.LayerFederalDistrict, Source: "Agency, ridings", Year: 2021, Vintage: "2013", Period: "2013 order", FitForShares: true},
				Areas: []store.LayerArea{
					{GEOID: "35", Name: "All of it", NameFR: "Tout", State: 3, Land: 5, Water: store.UnknownArea, Outline: extent, Point: geo.MustLatLng(45.5, -75.5)},
					{GEOID: "35001", Name: "Nothing", State: 3, Land: store.UnknownArea, Water: store.UnknownArea},
				},
				Outlines: []orb.MultiPolygon{{box(-76, 45)}, nil},
			},
		},
		Schools: []store.SchoolDistrict{
			{
				GradeLow: "09", GradeHigh: "12", StateID: "CA-1", Agency: "1", Locale: "21",
				Office: &store.SchoolOffice{Street: "1 Main St", City: "Peñasquitos", State: "CA", ZIP: "90210", County: "Los Angeles County", CountyFIPS: "06037", Location: geo.MustLatLng(34.25, -118.5)},
			},
			{Office: &store.SchoolOffice{City: "Nowhere"}},
		},
		ZIPOverlaps: []met[postcode.ZIP]{
			{90210, coastal(overlaps(
				2*extent,
				store.LayerOverlaps{Layer: store.LayerCounty, Overlaps: []store.Overlap{overlap(1, 1.5*extent, 2*extent, extent), overlap(0, 0.0001, 2*extent, 0)}},
				store.LayerOverlaps{Layer: store.LayerSchoolDistrict, Overlaps: []store.Overlap{overlap(0, extent, 2*extent, extent), overlap(1, 625_000_000.1234, 2*extent, extent/16)}},
			))},
			{95501, overlaps(
				0, // its point
				store.LayerOverlaps{Layer: store.LayerCounty, Overlaps: []store.Overlap{{Area: 1}}},
				store.LayerOverlaps{Layer: store.LayerSchoolDistrict, Overlaps: []store.Overlap{{Area: 0}, {Area: 1}}},
			)},
			{99999, overlaps(10, store.LayerOverlaps{Layer: store.LayerCounty, Overlaps: []store.Overlap{overlap(1, -0.0002, 10, extent)}})},
		},
		FSAOverlaps: []met[postcode.FSA]{
			{fsa("K1A"), store.CodeOverlaps{ // a quarter is water; no census divisions
				Outline: extent, Covered: 0.75,
				Layers: []store.LayerOverlaps{{Layer: store.LayerFederalDistrict, Overlaps: []store.Overlap{overlap(0, 0.75*extent, 0.75*extent, extent)}}},
			}},
		},
		PostalAreas: []assigned{
			{postal("K1A 0B1"), []store.PostalArea{
				{Layer: store.LayerCensusTract, GEOID: "5050300.01", Area: 0},
				{Layer: store.LayerDisseminationArea, GEOID: "35061496", Area: -1},
				{Layer: store.LayerDisseminationBlock, GEOID: "35061496038", Area: -1},
				{Layer: store.LayerFederalDistrict, GEOID: "35", Area: 0},
			}},
			{postal("K1A 0B2"), []store.PostalArea{{Layer: store.LayerDisseminationArea, GEOID: "35061497", Area: -1}}},
		},
	}
}

// layerData returns the layer as a writer takes it.
func (l *heldLayer) layerData(t testing.TB) storewrite.LayerData {
	t.Helper()
	d := storewrite.LayerData{Info: l.Info, Areas: l.Areas}
	if l.Outlines != nil {
		var b spatial.PolygonIndexBuilder
		for _, m := range l.Outlines {
			check(t, b.Add(m))
		}
		d.Packed = lookuptest.Packed(t, &b)
	}
	return d
}

func (c *layered) addLayers(t testing.TB, w *storewrite.Writer) {
	t.Helper()
	for i := range c.Layers {
		check(t, w.SetLayer(c.Layers[i].layerData(t)))
	}
	if c.Schools != nil {
		check(t, w.SetSchoolDistricts(c.Schools))
	}
	for _, z := range c.ZIPOverlaps {
		check(t, w.AddOverlaps(store.CodeOfZIP(z.Code), z.Of))
	}
	for _, f := range c.FSAOverlaps {
		check(t, w.AddOverlaps(store.CodeOfFSA(f.Code), f.Of))
	}
	for _, p := range c.PostalAreas {
		check(t, w.AddPostalAreas(p.Code, p.Areas))
	}
}

// readLayers reads back what addLayers wrote.
func readLayers(ctx context.Context, d *store.Dataset) (c layered, err error) {
	for _, l := range d.Layers() {
		h := heldLayer{Info: *l.Info()}
		for i := range l.Len() {
			h.Areas = append(h.Areas, l.Area(i))
			if l.HasOutlines() && l.ID() != store.LayerCounty {
				m, err := l.Polygons(ctx, i)
				if err != nil {
					return c, err
				}
				h.Outlines = append(h.Outlines, m)
			}
		}
		if h.Info.ID == store.LayerSchoolDistrict {
			for i := range l.Len() {
				s, err := d.SchoolDistrict(ctx, i)
				if err != nil {
					return c, err
				}
				c.Schools = append(c.Schools, s)
			}
		}
		c.Layers = append(c.Layers, h)
	}
	for r := range d.ZIPs() {
		of, err := d.Overlaps(ctx, store.CodeOfZIP(r.ZIP))
		if err != nil {
			return c, err
		}
		if of.Known() {
			c.ZIPOverlaps = append(c.ZIPOverlaps, met[postcode.ZIP]{r.ZIP, of})
		}
	}
	for r := range d.FSAs() {
		of, err := d.Overlaps(ctx, store.CodeOfFSA(r.FSA))
		if err != nil {
			return c, err
		}
		if of.Known() {
			c.FSAOverlaps = append(c.FSAOverlaps, met[postcode.FSA]{r.FSA, of})
		}
	}
	for r := range d.PostalCodes() {
		areas, err := d.PostalAreas(ctx, r.Code)
		if err != nil {
			return c, err
		}
		if areas != nil {
			c.PostalAreas = append(c.PostalAreas, assigned{r.Code, areas})
		}
	}
	return c, nil
}
