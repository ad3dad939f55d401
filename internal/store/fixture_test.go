package store_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
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

// generate returns an invented country of the size, the same for the same
// seed.
func generate(seed uint64, zips, fsas, postalCodes, zip4PerZIP int) *country {
	rng := rand.New(rand.NewPCG(seed, 1))
	c := &country{Manifest: dataset.Manifest{Version: fmt.Sprintf("sample-%d", seed), Sample: true}}
	for i := range 60 {
		c.States = append(c.States, store.State{Country: store.US, Abbr: fmt.Sprintf("%02d", i), Name: fmt.Sprintf("State %d", i), FIPS: fmt.Sprintf("%02d", i)})
	}
	for i := range 900 {
		c.CBSAs = append(c.CBSAs, store.CBSA{Code: fmt.Sprintf("%05d", i), Title: fmt.Sprintf("Metro %d", i), Metropolitan: i%2 == 0})
	}
	for i := range 40 {
		c.Divisions = append(c.Divisions, store.Division{Code: fmt.Sprintf("%05d", i), Title: fmt.Sprintf("Division %d", i), CBSA: 1})
	}
	for i := range 3200 {
		c.Counties = append(c.Counties, store.County{FIPS: fmt.Sprintf("%05d", i), Name: fmt.Sprintf("County %d County", i), State: store.StateID(i%60 + 1), CBSA: store.CBSAID(i % 901)})
	}
	for i := range 90 {
		c.Zones = append(c.Zones, store.Zone{Name: fmt.Sprintf("America/City_%d", i), Source: "sample", Rules: tzif.Zone("America/Chicago")})
	}
	point := func() geo.LatLng {
		return geo.MustLatLng(25+rng.Float64()*25, -125+rng.Float64()*60).Rounded()
	}
	for _, z := range ascending(rng, zips, postcode.NumZIPs) {
		c.ZIPs = append(c.ZIPs, store.ZIPRow{
			ZIP: postcode.ZIP(z), City: fmt.Sprintf("City %d", rng.IntN(20000)), Municipality: fmt.Sprintf("Town %d", rng.IntN(20000)),
			State: store.StateID(rng.IntN(61)), County: store.CountyID(rng.IntN(3201)), Class: store.Class("GPMU"[rng.IntN(4)]),
			Zone: store.ZoneID(rng.IntN(91)), Location: point(), MultiCounty: store.Tri(rng.IntN(3)),
		})
		c.ZIPDetails = append(c.ZIPDetails, store.ZIPDetail{
			AreaCodes: []uint16{uint16(rng.IntN(500)), 900}, Elevation: ptr(float64(rng.IntN(3000))), LandArea: ptr(rng.Int64N(1e9)),
			FacilityCode: "P", CityDelivery: "Y", Aliases: []store.CityAlias{{City: fmt.Sprintf("Alias %d", rng.IntN(9000))}},
		})
		for range zip4PerZIP {
			low := postcode.Plus4(rng.IntN(9990))
			c.ZIP4 = append(c.ZIP4, store.ZIP4Record{
				ZIP: postcode.ZIP(z), Low: low, High: low + postcode.Plus4(max(0, rng.IntN(12)-8)), RecordType: "SHPFGR"[rng.IntN(6)],
				CarrierRoute: fmt.Sprintf("C%03d", rng.IntN(40)), Street: fmt.Sprintf("STREET %d", rng.IntN(50)), Suffix: "ST",
				AddrLow: fmt.Sprintf("%010d", rng.IntN(5000)), AddrHigh: fmt.Sprintf("%010d", rng.IntN(5000)), OddEven: 'E',
				Alternate: rng.IntN(9) == 0, State: "CA", CountyFIPS: "037", Location: point(),
			})
		}
	}
	for _, f := range ascending(rng, fsas, postcode.NumFSAs) {
		c.FSAs = append(c.FSAs, store.FSARow{FSA: postcode.FSA(f), City: fmt.Sprintf("City %d", rng.IntN(2000)), Province: 1, Zone: 1, Location: point()})
		c.FSADetails = append(c.FSADetails, store.FSADetail{AreaCodes: []uint16{613}, Population: ptr(rng.Int32N(90000))})
	}
	if fsas > 0 {
		per := (postalCodes + fsas - 1) / fsas
		for _, f := range c.FSAs {
			for _, u := range ascending(rng, min(per, postalCodes-len(c.Postal)), 2600) {
				c.Postal = append(c.Postal, store.PostalRow{
					Code: postcode.PostalCode(f.FSA)*2600 + postcode.PostalCode(u), City: f.City, Municipality: fmt.Sprintf("Town %d", rng.IntN(6)),
					Province: 1, Zone: 1, Location: point(),
				})
			}
		}
	}
	return c
}

// ascending draws n different numbers below the limit, in order.
func ascending(rng *rand.Rand, n, limit int) []int {
	var list []int
	for i := range limit {
		if rng.IntN(limit-i) < n-len(list) {
			list = append(list, i)
		}
	}
	return list
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

func create(t testing.TB, path string) *store.Writer {
	t.Helper()
	w, err := sqlite.Create(path)
	check(t, err)
	return w
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (c *country) tables(t testing.TB, w *store.Writer) {
	t.Helper()
	check(t, w.SetStates(c.States))
	check(t, w.SetCBSAs(c.CBSAs))
	check(t, w.SetDivisions(c.Divisions))
	check(t, w.SetCounties(c.Counties))
	check(t, w.SetZones(c.Zones))
}

func (c *country) addZIPs(t testing.TB, w *store.Writer) {
	t.Helper()
	for i := range c.ZIPs {
		check(t, w.AddZIP(c.ZIPs[i], c.ZIPDetails[i]))
	}
}

func (c *country) addCanada(t testing.TB, w *store.Writer) {
	t.Helper()
	for i := range c.FSAs {
		check(t, w.AddFSA(c.FSAs[i], c.FSADetails[i]))
	}
	for i := range c.Postal {
		check(t, w.AddPostalCode(c.Postal[i]))
	}
}

func (c *country) addZIP4(t testing.TB, w *store.Writer) {
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
