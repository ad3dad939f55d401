package lookuptest

import (
	"cmp"
	"errors"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// LayerSource is the publisher of all layers of the dataset; the file's name
// follows.
const LayerSource = "test agency, "

// A layer is a layer whose areas are boxes.
type layer struct {
	info  store.LayerInfo
	areas []boxed
}

// A boxed is an area of a layer and its box of longitudes and latitudes. A box
// of zeros means that the area has no outline.
type boxed struct {
	store.LayerArea
	west, south, east, north float64
}

const unknown = store.UnknownArea

// square converts square miles to square meters.
func square(miles float64) int64 { return int64(miles * 2589988.110336) }

// The county of 10001 is New York County by post, and Hudson County by area.
var countyBoxes = []area[store.CountyID]{
	{countyLosAngeles, -118.46, 34, -118.3, 34.2},
	{countyNewYork, -73.8001, 40.6, -73.5, 40.9}, // a sliver of 10001
}

func layers() []layer {
	us := func(id store.LayerID, file, vintage, period string, areas ...boxed) layer {
		return layer{store.LayerInfo{ID: id, Source: LayerSource + file, Year: 2024, Vintage: vintage, Period: period, FitForShares: true}, areas}
	}
	canada := func(id store.LayerID, fit bool, areas ...boxed) layer {
		return layer{store.LayerInfo{ID: id, Source: LayerSource + id.String(), Year: 2021, Vintage: "2021", FitForShares: fit}, areas}
	}
	area := func(geoid, name string, state store.StateID, land, water int64) store.LayerArea {
		return store.LayerArea{GEOID: geoid, Name: name, State: state, Land: land, Water: water}
	}
	named := func(geoid, name string) store.LayerArea { return area(geoid, name, provinceON, unknown, unknown) }
	district := area("0604830", "Beverly Hills Unified School District", stateCA, square(5.7), 0)
	district.Type, district.Point = "unified", geo.MustLatLng(34.0735, -118.4004)
	untold := area("0622710", "Los Angeles Unified School District", stateCA, unknown, unknown)
	riding := named("35075", "Ottawa Centre")
	riding.NameFR = "Ottawa-Centre"
	return []layer{
		us(store.LayerCounty, "counties", "2024", "",
			boxed{area("06037", "Los Angeles County", stateCA, square(4060), square(693)), -118.46, 34, -118.3, 34.2},
			boxed{area("06111", "Ventura County", stateCA, square(1840), square(365)), -118.6, 34, -118.46, 34.2},
			boxed{area("34017", "Hudson County", stateNY, square(46), square(16)), -74.3, 40.6, -73.8001, 40.9},
			boxed{area("36061", "New York County", stateNY, square(22.8), square(10.9)), -73.8001, 40.6, -73.5, 40.9},
		),
		us(store.LayerPlace, "places", "2019", "",
			boxed{area("0606308", "Beverly Hills city", stateCA, square(5.71), square(0.01)), -118.45, 34.05, -118.37, 34.1},
			boxed{area("0644000", "Los Angeles city", stateCA, square(469.5), square(33.3)), -118.4995, 34.1, -118.4999, 34.3}, // a sliver
			boxed{area("0699999", "Small town", stateCA, square(0.3), 0), -118.404, 34.121, -118.4, 34.123},                    // a small part of the ZIP, but all of the town
		),
		us(store.LayerTract, "tracts", "2020", "",
			boxed{area("06037700600", "Census Tract 7006", stateCA, unknown, unknown), -118.5, 34.1, -118.37, 34.2},
			boxed{area("06037700700", "Census Tract 7007", stateCA, unknown, unknown), -118.5, 34, -118.37, 34.1},
		),
		us(store.LayerBlockGroup, "groups", "2020", "",
			boxed{area("060377006001", "Block Group 1", stateCA, unknown, unknown), 10, 10, 11, 11},
		),
		us(store.LayerCBSA, "cbsas", "2023", "",
			boxed{area("31080", "Los Angeles-Long Beach-Anaheim", stateCA, square(4852), square(800)), -118.46, 34, -118.3, 34.2},
			boxed{area("37100", "Oxnard-Thousand Oaks-Ventura", stateCA, square(1840), square(365)), -118.6, 34, -118.46, 34.2},
		),
		us(store.LayerMetropolitanDivision, "divisions", "2023", "",
			boxed{area("31084", "Los Angeles-Long Beach-Glendale, CA", stateCA, unknown, unknown), -118.46, 34, -118.3, 34.2},
		),
		us(store.LayerCongressionalDistrict, "cd119", "2024", "119",
			boxed{area("0630", "Congressional District 30", stateCA, square(300), square(1)), -118.5, 34.12, -118.3, 34.2},
			boxed{area("0636", "Congressional District 36", stateCA, square(260), square(140)), -118.5, 34, -118.3, 34.12},
			boxed{area("3610", "Congressional District 10", stateNY, square(14), square(9)), -73.5, 40.6, -73.4, 40.9},
			boxed{area("6698", "Delegate District (at Large)", stateGU, square(210), square(361)), 144.6, 13.2, 145, 13.7},
		),
		us(store.LayerStateUpper, "sldu", "2024", "2024",
			boxed{area("06024", "State Senate District 24", stateCA, square(150), square(90)), -118.6, 34, -118.3, 34.2},
		),
		us(store.LayerStateLower, "sldl", "2024", "2024",
			boxed{area("36001", "Assembly District 1", stateNY, square(1), 0), -72, 41, -71.9, 41.1},
		),
		us(store.LayerSchoolDistrict, "schools", "2024", "2024-2025",
			boxed{district, -118.45, 34.05, -118.37, 34.1},
			boxed{untold, -118.5, 34.1, -118.37, 34.2},
		),
		canada(store.LayerCensusDivision, true, boxed{named("3506", "Ottawa"), -76, 45, -75.7, 46}, boxed{named("2481", "Gatineau"), -75.7, 45, -75.5, 46}),
		canada(store.LayerCensusSubdivision, false, boxed{named("3506008", "Ottawa"), -76, 45, -75, 46}),
		canada(store.LayerMetroArea, true, boxed{named("505", "Ottawa - Gatineau"), -76, 45, -75, 46}),
		canada(store.LayerFederalDistrict, true, boxed{riding, -76, 45, -75, 46}),
	}
}

// writeLayers writes the layers and what ZIPs and FSAs share with them.
func writeLayers(w *storewrite.Writer) error {
	list := layers()
	for i := range list {
		l := &list[i]
		slices.SortFunc(l.areas, func(a, b boxed) int { return cmp.Compare(a.GEOID, b.GEOID) })
		data := storewrite.LayerData{Info: l.info}
		var b spatial.PolygonIndexBuilder
		for i := range l.areas {
			a := &l.areas[i]
			box := a.outline()
			var err error
			if a.Outline, err = spatial.MultiPolygonArea(box); err != nil {
				return err
			}
			data.Areas = append(data.Areas, a.LayerArea)
			if err := b.Add(box); err != nil {
				return err
			}
		}
		if l.info.ID != store.LayerCounty {
			var err error
			if data.Packed, err = b.AppendBinary(nil); err != nil {
				return err
			}
		}
		if err := w.SetLayer(data); err != nil {
			return err
		}
	}
	if err := errors.Join(
		w.SetSchoolDistricts([]store.SchoolDistrict{{
			GradeLow: "KG", GradeHigh: "12", StateID: "CA-1964311", Agency: "1", Locale: "12",
			Office: &store.SchoolOffice{
				Street: "255 S LASKY DR", City: "BEVERLY HILLS", State: "CA", ZIP: "90212", County: "Los Angeles County", CountyFIPS: "06037",
				Location: geo.MustLatLng(34.0636, -118.4105),
			},
		}, {}}),
		overlaps(list, store.US, slices.Insert(slices.Clone(zipAreas), 2, boxPoint), w, store.CodeOfZIP),
		overlaps(list, store.CA, fsaAreas, w, store.CodeOfFSA),
	); err != nil {
		return err
	}
	return w.AddPostalAreas(parse(postcode.ParsePostalCode, "K1A 0B1"), []store.PostalArea{
		{Layer: store.LayerCensusSubdivision, GEOID: "3506008"},
		{Layer: store.LayerDisseminationArea, GEOID: "35061234"},
		{Layer: store.LayerDisseminationBlock, GEOID: "35061234001"},
	})
}

func (b *boxed) outline() orb.MultiPolygon {
	return orb.MultiPolygon{{{{b.west, b.south}, {b.east, b.south}, {b.east, b.north}, {b.west, b.north}, {b.west, b.south}}}}
}

// boxPoint is the point of 90209, a PO Box ZIP.
var boxPoint = area[postcode.ZIP]{90209, -118.4, 34.07, -118.4, 34.07}

// overlaps writes the overlaps of the outlines of codes with those of layers.
// For a code that is a point, it writes the areas that contain the point.
func overlaps[K store.AreaKey](list []layer, country store.Country, codes []area[K], w *storewrite.Writer, codeOf func(K) store.Code) error {
	for _, code := range codes {
		if code.east > 180 {
			code.east = 180
		}
		own := (&boxed{west: code.west, south: code.south, east: code.east, north: code.north}).outline()
		c := store.CodeOverlaps{}
		var err error
		point := code.west == code.east
		if !point {
			if c.Outline, err = spatial.MultiPolygonArea(own); err != nil {
				return err
			}
		}
		for i := range list {
			if list[i].info.ID.Country() != country {
				continue
			}
			of := store.LayerOverlaps{Layer: list[i].info.ID}
			for k := range list[i].areas {
				a := &list[i].areas[k]
				if point {
					if a.west <= code.west && code.west < a.east && a.south <= code.south && code.south < a.north {
						of.Overlaps = append(of.Overlaps, store.Overlap{Area: k})
					}
					continue
				}
				shared, err := spatial.OverlapArea(own, a.outline())
				if err != nil {
					return err
				}
				if shared > 0 {
					of.Overlaps = append(of.Overlaps, store.Overlap{Area: k, Intersection: shared})
				}
			}
			c.Layers = append(c.Layers, of)
		}
		if err := w.AddOverlaps(codeOf(code.key), c); err != nil {
			return err
		}
	}
	return nil
}

// AreaSource is the source of all areas of the dataset.
const AreaSource = "test areas 2026"

// An area is a box of longitudes and latitudes.
type area[K store.AreaKey] struct {
	key                      K
	west, south, east, north float64
}

// The areas of ZIPs. That of 20500, a unique ZIP, is one that a ZIP cannot
// have: it lies inside that of 10001.
var zipAreas = []area[postcode.ZIP]{
	{10001, -74.2, 40.6, -73.8, 40.9},
	{20500, -74.1, 40.7, -74, 40.8},
	{90210, -118.5, 34.05, -118.37, 34.15},
	{96910, 144.7, 13.4, 144.8, 13.5},
	{99546, 179.9, 51.8, 183.4, 52}, // across the antimeridian
}

var fsaAreas = []area[postcode.FSA]{
	{parse(postcode.ParseFSA, "A1C"), -52.8, 47.5, -52.6, 47.6},
	{parse(postcode.ParseFSA, "K1A"), -75.8, 45.38, -75.6, 45.46},
}

var zoneAreas = []area[store.ZoneID]{
	{zoneLosAngeles, -125, 32, -114, 43},
	{zoneNewYork, -80, 30, -70, 45},
	{zoneToronto, -80, 45, -70, 50},
}

func writeAreas(w *storewrite.Writer) error {
	return errors.Join(
		set(w.SetZIPAreas, zipAreas),
		set(w.SetFSAAreas, fsaAreas),
		set(w.SetZoneAreas, zoneAreas),
		set(w.SetCountyAreas, countyBoxes),
		writeLayers(w),
		w.AddZones(store.CodeOfZIP(601), []store.ZoneShare{
			{Zone: zonePuertoRico, Percent: 87.66}, {Zone: zoneNewYork, Percent: 12.3}, {Zone: zoneToronto, Percent: 0.04},
		}),
		w.AddZones(store.CodeOfZIP(10001), []store.ZoneShare{{Zone: zoneToronto, Percent: 70}, {Zone: zoneNewYork, Percent: 30}}),
		w.AddZones(store.CodeOfZIP(90210), []store.ZoneShare{{Zone: zoneLosAngeles, Percent: 100}}),
		w.AddZones(store.CodeOfFSA(parse(postcode.ParseFSA, "K1A")), []store.ZoneShare{{Zone: zoneToronto, Percent: 99.5}}),
	)
}

func set[K store.AreaKey](to func(storewrite.AreaLayer[K]) error, areas []area[K]) error {
	var b spatial.PolygonIndexBuilder
	l := storewrite.AreaLayer[K]{Sources: []string{AreaSource}}
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
