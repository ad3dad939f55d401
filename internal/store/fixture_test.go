package store_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// country is everything that a writer can be given, in the order of the keys.
type country struct {
	States     []store.State
	Counties   []store.County
	CBSAs      []store.CBSA
	Divisions  []store.Division
	Zones      []store.Zone
	ZIPs       []store.ZIPRow
	ZIPDetails []store.ZIPDetail
	FSAs       []store.FSARow
	FSADetails []store.FSADetail
	Postal     []store.PostalRow
	ZIP4       []store.ZIP4Record
	Manifest   dataset.Manifest
	Surveys    []survey
	cover
	layered
}

func ptr[T any](v T) *T { return &v }

// small returns a hand-made country: every field set somewhere, unknown
// somewhere else, and the extreme codes.
func small() *country {
	point := geo.MustLatLng
	c := &country{
		States: []store.State{
			{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06", Region: "West", Division: "Pacific"},
			{Country: store.US, Abbr: "AE", Name: "Armed Forces Europe"},
			{Country: store.CA, Abbr: "ON", Name: "Ontario"},
		},
		CBSAs: []store.CBSA{
			{Code: "31080", Title: "Los Angeles-Long Beach-Anaheim, CA", Metropolitan: true, CSA: "348", CSATitle: "Los Angeles-Long Beach, CA"},
			{Code: "21700", Title: "Eureka-Arcata, CA"},
		},
		Divisions: []store.Division{{Code: "31084", Title: "Los Angeles-Long Beach-Glendale, CA", CBSA: 1}},
		Counties: []store.County{
			{FIPS: "06037", Name: "Los Angeles County", State: 1, CBSA: 1, Division: 1},
			{FIPS: "06023", Name: "Humboldt County", State: 1, CBSA: 2},
			{FIPS: "06003", Name: "Alpine County", State: 1},
		},
		Zones: []store.Zone{
			tzif.Row("America/Los_Angeles", "sample polygons"),
			tzif.Row("America/Toronto", "sample polygons"),
		},
		ZIPs: []store.ZIPRow{
			{ZIP: 0, City: "First", State: 1, Class: store.Unique, MultiCounty: store.No},
			{ZIP: 9012, City: "APO", State: 2, Class: store.Military},
			{ZIP: 90210, City: "Beverly Hills", Municipality: "Beverly Hills", State: 1, County: 1, Class: store.General, Zone: 1, Location: point(34.0901, -118.4065), MultiCounty: store.Yes},
			{ZIP: 95501, City: "Eureka", State: 1, County: 2, Class: store.POBox, Zone: 1, Location: point(40.802000, -124.163700)},
			{ZIP: 99999, City: "Peñasquitos d'Or", State: 1, County: 3, Class: store.General, Zone: 1, Location: point(-90, 180)},
		},
		ZIPDetails: []store.ZIPDetail{
			{Medicare: &store.Medicare{SSA: "00000"}, Business: &store.Business{}},
			{AreaCodes: []uint16{0, 999}, Elevation: ptr(0.0), LandArea: ptr(int64(0)), WaterArea: ptr(int64(0)), ZIP4Count: ptr(int32(0)), Population: ptr(int32(0)), DeliveryPoints: &store.DeliveryPoints{}},
			{
				AreaCodes: []uint16{310, 424}, Elevation: ptr(79.25), LandArea: ptr(int64(23456789)), WaterArea: ptr(int64(1234)), Population: ptr(int32(21_000)), Housing: ptr(int32(9_500)),
				FacilityCode: "P", CityDelivery: "Y", IntroDate: "1963-07-01", ZIP4Count: ptr(int32(5000)),
				DeliveryPoints: &store.DeliveryPoints{
					TotalActive: 10000, Business: 2000, Residential: 7990, POBox: 10,
					SingleFamily: ptr(int32(4000)), MultiFamily: ptr(int32(3990)),
				},
				Aliases: []store.CityAlias{
					{City: "Trousdale Estates", MailingName: "N"},
					{City: "Beverly Hls", MailingName: "Y", IntroDate: "1999-01-31"},
				},
				Medicare: &store.Medicare{SSA: "05200", RatingArea: 16},
				Business: &store.Business{
					Year: 2020, Establishments: 2500, Employees: ptr(int32(33_000)), PayrollQ1: ptr(int64(583_000_000)), PayrollAnnual: ptr(int64(1) << 40),
					EmploymentFlag: "M",
				},
				Quality: store.Quality{
					PointSource: "block-group centers 2020", OutlineSource: "zcta-areas", OutlineAreaRatio: 1.0325, PopulationYear: 2024,
					PopulationSource: "acs-b01003", HousingSource: "acs-b25001",
					Counties:   []store.CountySource{{Source: "geonames-us", FIPS: "06037", Chosen: true}, {Source: "residents", FIPS: "00000"}},
					ClassBasis: "inferred", Notes: []string{"The first.", "Ø"},
				},
			},
			{Elevation: ptr(-86.0), DeliveryPoints: &store.DeliveryPoints{TotalActive: 5, SingleFamily: ptr(int32(5))}},
			{LandArea: ptr(int64(1) << 50), DeliveryPoints: &store.DeliveryPoints{MultiFamily: ptr(int32(-1))}, Medicare: &store.Medicare{RatingArea: 255}},
		},
		FSAs: []store.FSARow{
			{FSA: 0, City: "Nowhere", Province: 3},
			{FSA: fsa("K1A"), City: "Ottawa", Municipality: "Ottawa", Province: 3, Zone: 2, Location: point(45.4215, -75.6972)},
			{FSA: postcode.NumFSAs - 1, City: "Île-Zed", Zone: 2},
		},
		FSADetails: []store.FSADetail{
			{},
			{AreaCodes: []uint16{343, 613}, Population: ptr(int32(1234)), Dwellings: ptr(int32(600)), DwellingsOccupied: ptr(int32(590)), PostalCodes: ptr(int32(2)), LandArea: ptr(int64(9876543)), Quality: store.Quality{OutlineSource: "fsa-areas", OutlineAreaRatio: 10.03}},
			{Population: ptr(int32(0)), Quality: store.Quality{PointSource: "places"}},
		},
		Postal: []store.PostalRow{
			{Code: 0, City: "Nowhere", Province: 3},
			{Code: postal("K1A 0B1"), City: "Ottawa", Municipality: "Ottawa", Province: 3, Zone: 2, Location: point(45.4201, -75.7003)},
			{Code: postal("K1A 0B2"), City: "Ottawa", Municipality: "Ottawa", Province: 3, Zone: 2, Location: point(45.4202, -75.7004)},
			{Code: postcode.NumPostalCodes - 1, City: "Île-Zed"},
		},
		ZIP4:    smallZIP4(),
		cover:   smallCover(),
		Surveys: smallSurveys(),
		layered: smallLayers(),
		Manifest: dataset.Manifest{
			Version: "sample-1", Sample: true, Built: time.Date(2026, 6, 30, 1, 2, 3, 0, time.UTC), Builder: "test 1",
			Layers: []string{"identity", "timezones"},
			Sources: []dataset.Source{
				{ID: "one", Title: "One", URL: "https://example.org/1", Vintage: "2025", License: "CC0", Attribution: "Ø", Refresh: "yearly", Note: "less", Rows: 7, SHA256: "ab"},
				{ID: "two", Vintage: "2026-03-30", UserSupplied: true},
			},
			Gaps: []dataset.Gap{{Name: "ZIPs without a county", Count: 1}, {Name: "none", Count: 0}},
		},
	}
	return c
}

func smallZIP4() []store.ZIP4Record {
	full := store.ZIP4Record{
		ZIP: 90210, Low: 1001, High: 1001, RecordType: 'H', CarrierRoute: "C001", PreDir: "N", Street: "BEVERLY", Suffix: "DR", PostDir: "SW",
		AddrLow: "0000000100", AddrHigh: "0000000198", OddEven: 'E', Building: "TOWER & CO", SecAbbr: "APT", SecLow: "00000001", SecHigh: "0000000A",
		SecOddEven: 'B', LACS: true, Government: 'F', Finance: "050000", State: "CA", CountyFIPS: "037", Congress: "36",
		Municipality: "V10001", Urbanization: "V10002", LastLine: "V10003", Location: geo.MustLatLng(34.0701, -118.4),
	}
	alternate := full
	alternate.Alternate, alternate.LACS, alternate.Street = true, false, "OLD BEVERLY"
	odd := store.ZIP4Record{ZIP: 90210, Low: 2, High: 2, RecordType: 'S', AddrLow: "N6W23001", AddrHigh: "N6W23099", Street: "ÉCOLE"}
	descending := store.ZIP4Record{ZIP: 90210, Low: 3, High: 3, AddrLow: "0000000900", AddrHigh: "0000000100", SecLow: "12", SecHigh: ""}
	boxes := store.ZIP4Record{ZIP: 90210, Low: 1000, High: 1010, RecordType: 'P', Street: "PO BOX", AddrLow: "-0145", AddrHigh: "9999999999"}
	all := store.ZIP4Record{ZIP: 99999, Low: 0, High: 9999, RecordType: 'G', Location: geo.MustLatLng(90, -180)}
	return []store.ZIP4Record{alternate, full, odd, boxes, descending, all}
}

func fsa(s string) postcode.FSA {
	f, ok := postcode.ParseFSA(s)
	if !ok {
		panic(s)
	}
	return f
}

func postal(s string) postcode.PostalCode {
	p, ok := postcode.ParsePostalCode(s)
	if !ok {
		panic(s)
	}
	return p
}

// changed returns small with another detail and version.
func changed() *country {
	c := small()
	c.Manifest.Version, c.ZIPDetails[2].Elevation = "sample-2", nil
	return c
}

// write writes the country in the usual order and fails the test on an error.
func (c *country) write(t testing.TB, path string) {
	t.Helper()
	w := create(t, path)
	c.tables(t, w)
	c.addZIPs(t, w)
	c.addCanada(t, w)
	c.addZIP4(t, w)
	c.addCover(t, w)
	addSurveys(t, w, c.Surveys)
	check(t, w.Finish(c.Manifest))
}

func create(t testing.TB, path string) *storewrite.Writer {
	t.Helper()
	w, err := storewrite.Create(path)
	check(t, err)
	return w
}

var check = checktest.Check

func (c *country) tables(t testing.TB, w *storewrite.Writer) {
	t.Helper()
	check(t, w.SetStates(c.States))
	check(t, w.SetCBSAs(c.CBSAs))
	check(t, w.SetDivisions(c.Divisions))
	check(t, w.SetCounties(c.Counties))
	check(t, w.SetZones(c.Zones))
}

func (c *country) addZIPs(t testing.TB, w *storewrite.Writer) {
	t.Helper()
	for i := range c.ZIPs {
		check(t, w.AddZIP(c.ZIPs[i], c.ZIPDetails[i]))
	}
}

func (c *country) addCanada(t testing.TB, w *storewrite.Writer) {
	t.Helper()
	for i := range c.FSAs {
		check(t, w.AddFSA(c.FSAs[i], c.FSADetails[i]))
	}
	for i := range c.Postal {
		check(t, w.AddPostalCode(c.Postal[i]))
	}
}

func (c *country) addZIP4(t testing.TB, w *storewrite.Writer) {
	t.Helper()
	for i := range c.ZIP4 {
		check(t, w.AddZIP4(c.ZIP4[i]))
	}
}

// file writes the country to a file of the test's own folder.
func (c *country) file(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	c.write(t, path)
	return path
}

func open(t testing.TB, path string) *store.Dataset {
	t.Helper()
	d, err := sqlite.Open(path)
	check(t, err)
	t.Cleanup(func() { check(t, d.Close()) })
	return d
}

// A heldLayer is a layer for a writer with unpacked outlines, nil for a layer without its own.
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
