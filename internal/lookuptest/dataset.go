// Package lookuptest makes a small dataset for tests of the packages that read
// one. Its places are real and their coordinates rounded; streets, counts and
// dates are invented.
package lookuptest

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// Built is the date of the dataset.
var Built = time.Date(2026, time.June, 30, 0, 0, 0, 0, time.UTC)

// ZoneSource is the source of all time zones of the dataset.
const ZoneSource = "test boundaries 2025b"

// Path writes the dataset, with more in it, into a folder of the test and returns its
// path.
func Path(tb testing.TB, more ...func(*storewrite.Writer) error) string {
	tb.Helper()
	return Build(tb, append([]func(*storewrite.Writer) error{write}, more...)...)
}

// Build writes a dataset in steps into a folder of the test and returns its path.
func Build(tb testing.TB, steps ...func(*storewrite.Writer) error) string {
	tb.Helper()
	w := Create(tb)
	for _, step := range steps {
		if err := step(w.Writer); err != nil {
			tb.Fatal(errors.Join(err, w.Abort()))
		}
	}
	return w.Path()
}

// A Writer writes a dataset in a folder of a test, which ends with the first failure.
type Writer struct {
	*storewrite.Writer
	Manifest dataset.Manifest
	tb       testing.TB
	path     string
}

// Create begins a dataset.
func Create(tb testing.TB) *Writer {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "postgeo.db")
	w, err := storewrite.Create(path)
	checktest.Check(tb, err)
	m := dataset.Manifest{Version: "2026-06-30", Built: Built, Builder: "lookuptest", Layers: []string{"identity"}}
	return &Writer{w, m, tb, path}
}

// Path finishes the dataset and returns its path.
func (w *Writer) Path() string {
	w.tb.Helper()
	Must(w.tb)(w.Finish(w.Manifest))
	return w.path
}

// Open finishes the dataset and opens it.
func (w *Writer) Open() *store.Dataset {
	w.tb.Helper()
	return OpenFile(w.tb, w.Path())
}

// Must is [checktest.Check] for one test.
func Must(tb testing.TB) func(error) {
	return func(err error) {
		tb.Helper()
		checktest.Check(tb, err)
	}
}

// Packed returns the packed form of an index.
func Packed(tb testing.TB, b interface{ AppendBinary([]byte) ([]byte, error) }) []byte {
	tb.Helper()
	data, err := b.AppendBinary(nil)
	checktest.Check(tb, err)
	return data
}

func write(w *storewrite.Writer) error {
	for _, set := range []func() error{
		func() error { return w.SetStates(states) },
		func() error { return w.SetCBSAs(cbsas) },
		func() error { return w.SetDivisions(divisions) },
		func() error { return w.SetCounties(counties) },
		func() error { return w.SetZones(zones) },
	} {
		if err := set(); err != nil {
			return err
		}
	}
	for _, z := range zips() {
		if err := w.AddZIP(z.ZIPRow, z.ZIPDetail); err != nil {
			return err
		}
	}
	for _, f := range fsas() {
		if err := w.AddFSA(f.FSARow, f.FSADetail); err != nil {
			return err
		}
	}
	for _, p := range postalCodes() {
		if err := w.AddPostalCode(p); err != nil {
			return err
		}
	}
	for _, r := range zip4s() {
		if err := w.AddZIP4(r); err != nil {
			return err
		}
	}
	return writeAreas(w)
}

// The positions in the tables below, from 1.
const (
	stateAE store.StateID = iota + 1
	stateAK
	stateCA
	stateDC
	stateGU
	stateNY
	statePR
	provinceNL
	provinceON
	provinceQC
)

var states = []store.State{
	{Country: store.US, Abbr: "AE", Name: "Armed Forces Europe"},
	{Country: store.US, Abbr: "AK", Name: "Alaska", FIPS: "02", Region: "West", Division: "Pacific"},
	{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06", Region: "West", Division: "Pacific"},
	{Country: store.US, Abbr: "DC", Name: "District of Columbia", FIPS: "11", Region: "South", Division: "South Atlantic"},
	{Country: store.US, Abbr: "GU", Name: "Guam", FIPS: "66"},
	{Country: store.US, Abbr: "NY", Name: "New York", FIPS: "36", Region: "Northeast", Division: "Middle Atlantic"},
	{Country: store.US, Abbr: "PR", Name: "Puerto Rico", FIPS: "72"},
	{Country: store.CA, Abbr: "NL", Name: "Newfoundland and Labrador"},
	{Country: store.CA, Abbr: "ON", Name: "Ontario"},
	{Country: store.CA, Abbr: "QC", Name: "Quebec"},
}

const (
	countyAleutians store.CountyID = iota + 1
	countyLosAngeles
	countyWashington
	countyNewYork
	countyGuam
	countyAdjuntas
)

var counties = []store.County{
	{FIPS: "02016", Name: "Aleutians West Census Area", State: stateAK},
	{FIPS: "06037", Name: "Los Angeles County", State: stateCA, CBSA: 1, Division: 1},
	{FIPS: "11001", Name: "District of Columbia", State: stateDC},
	{FIPS: "36061", Name: "New York County", State: stateNY, CBSA: 2},
	{FIPS: "66010", Name: "Guam", State: stateGU},
	{FIPS: "72001", Name: "Adjuntas Municipio", State: statePR},
}

var cbsas = []store.CBSA{
	{
		Code: "31080", Title: "Los Angeles-Long Beach-Anaheim, CA", Metropolitan: true,
		CSA: "348", CSATitle: "Los Angeles-Long Beach, CA",
	},
	{Code: "35620", Title: "New York-Newark-Jersey City, NY-NJ", Metropolitan: true},
}

var divisions = []store.Division{{Code: "31084", Title: "Los Angeles-Long Beach-Glendale, CA", CBSA: 1}}

const (
	zoneAdak store.ZoneID = iota + 1
	zoneLosAngeles
	zoneNewYork
	zonePuertoRico
	zoneStJohns
	zoneToronto
	zoneGuam
)

var zones = []store.Zone{
	tzif.Row("America/Adak", ZoneSource),
	tzif.Row("America/Los_Angeles", ZoneSource),
	tzif.Row("America/New_York", ZoneSource),
	tzif.Row("America/Puerto_Rico", ZoneSource),
	tzif.Row("America/St_Johns", ZoneSource),
	tzif.Row("America/Toronto", ZoneSource),
	tzif.Row("Pacific/Guam", ZoneSource),
}

type zip struct {
	store.ZIPRow
	store.ZIPDetail
}

func zips() []zip {
	return []zip{
		{store.ZIPRow{
			ZIP: 601, City: "Adjuntas", State: statePR, County: countyAdjuntas, Class: store.General,
			Zone: zonePuertoRico, Location: geo.MustLatLng(18.18, -66.75), MultiCounty: store.Yes,
		}, store.ZIPDetail{
			AreaCodes: []uint16{787, 939}, LandArea: ptr[int64](166_659_789), WaterArea: ptr[int64](0),
			Elevation: ptr(0.0), Medicare: &store.Medicare{SSA: "40010", RatingArea: 1},
			Business: &store.Business{Year: 2016, Establishments: 2, EmploymentFlag: "A"},
		}},
		{store.ZIPRow{ZIP: 9012, City: "APO", State: stateAE, Class: store.Military}, store.ZIPDetail{}},
		{store.ZIPRow{
			ZIP: 10001, City: "New York", State: stateNY, County: countyNewYork, Class: store.General,
			Zone: zoneNewYork, Location: geo.MustLatLng(40.75, -74), Municipality: "New York", MultiCounty: store.No,
		}, store.ZIPDetail{AreaCodes: []uint16{212, 646}, Elevation: ptr(9.6)}},
		{store.ZIPRow{
			ZIP: 20500, City: "Washington", State: stateDC, County: countyWashington, Class: store.Unique,
			Zone: zoneNewYork, Location: geo.MustLatLng(38.9, -77.04), Municipality: "Washington", MultiCounty: store.No,
		}, store.ZIPDetail{AreaCodes: []uint16{202}}},
		{store.ZIPRow{
			ZIP: 90209, City: "Beverly Hills", State: stateCA, County: countyLosAngeles, Class: store.POBox,
			Zone: zoneLosAngeles, Location: geo.MustLatLng(34.07, -118.4), MultiCounty: store.No,
		}, store.ZIPDetail{ZIP4Count: ptr[int32](0), Medicare: &store.Medicare{SSA: "05200"}}},
		{store.ZIPRow{
			ZIP: 90210, City: "Beverly Hills", State: stateCA, County: countyLosAngeles, Class: store.General,
			Zone: zoneLosAngeles, Location: geo.MustLatLng(34.1, -118.41), Municipality: "Beverly Hills", MultiCounty: store.No,
		}, store.ZIPDetail{
			AreaCodes: []uint16{310, 424}, Elevation: ptr(79.6),
			LandArea: ptr[int64](25_000_000), WaterArea: ptr[int64](123_456),
			FacilityCode: "P", CityDelivery: "Y", IntroDate: "1963-07-01", ZIP4Count: ptr[int32](4),
			DeliveryPoints: &store.DeliveryPoints{
				TotalActive: 9100, Business: 1100, Residential: 8000, POBox: 0, MultiFamily: ptr[int32](2100),
			},
			Aliases: []store.CityAlias{
				{City: "Beverly Hls", MailingName: "Y", IntroDate: "1963-07-01"},
				{City: "Trousdale Estates", MailingName: "N"},
				{City: "Bel Air Estates"},
			},
			Population: ptr[int32](21_741),
			Medicare:   &store.Medicare{SSA: "05200", RatingArea: 16},
			Business: &store.Business{
				Year: 2020, Establishments: 2568, Employees: ptr[int32](33_310),
				PayrollQ1: ptr[int64](583_253_000), PayrollAnnual: ptr[int64](2_346_263_000),
			},
			Quality: store.Quality{
				PointSource: "block-group centers 2020", OutlineSource: AreaSource, OutlineAreaRatio: 1.0412, ClassBasis: store.ClassInferred,
				Counties: []store.CountySource{{Source: "residents", FIPS: "06037", Chosen: true}, {Source: "geonames-us", FIPS: "06999"}},
			},
		}},
		{store.ZIPRow{
			ZIP: 96910, City: "Hagåtña", State: stateGU, County: countyGuam, Class: store.General,
			Zone: zoneGuam, Location: geo.MustLatLng(13.47, 144.75),
		}, store.ZIPDetail{AreaCodes: []uint16{671}}},
		{store.ZIPRow{
			ZIP: 99546, City: "Adak", State: stateAK, County: countyAleutians, Class: store.General,
			Zone: zoneAdak, Location: geo.MustLatLng(51.88, -176.65), MultiCounty: store.No,
		}, store.ZIPDetail{AreaCodes: []uint16{907}, Elevation: ptr(-1.5)}},
	}
}

type fsa struct {
	store.FSARow
	store.FSADetail
}

func fsas() []fsa {
	return []fsa{
		{store.FSARow{
			FSA: parse(postcode.ParseFSA, "A1C"), City: "St. John's", Province: provinceNL, Zone: zoneStJohns,
			Location: geo.MustLatLng(47.56, -52.71), Municipality: "St. John's",
		}, store.FSADetail{
			AreaCodes: []uint16{709}, Population: ptr[int32](11_000), Dwellings: ptr[int32](7_000),
			DwellingsOccupied: ptr[int32](6_000), LandArea: ptr[int64](9_000_000),
			Quality: store.Quality{
				OutlineAreaRatio: 10.0312, PopulationYear: 2021,
				Notes: []string{"The outline includes inland water; the stated area is land only."},
			},
		}},
		{store.FSARow{
			FSA: parse(postcode.ParseFSA, "H0H"), City: "Reserved (Santa Claus)", Province: provinceQC,
		}, store.FSADetail{}},
		{store.FSARow{
			FSA: parse(postcode.ParseFSA, "K1A"), City: "Ottawa", Province: provinceON, Zone: zoneToronto,
			Location: geo.MustLatLng(45.42, -75.7), Municipality: "Ottawa",
		}, store.FSADetail{
			AreaCodes: []uint16{343, 613}, Population: ptr[int32](0), PostalCodes: ptr[int32](1),
		}},
	}
}

func postalCodes() []store.PostalRow {
	return []store.PostalRow{
		{
			Code: parse(postcode.ParsePostalCode, "K1A 0B1"), City: "Ottawa", Province: provinceON, Zone: zoneToronto,
			Location: geo.MustLatLng(45.4215, -75.6972), Municipality: "Ottawa",
		},
		{
			Code: parse(postcode.ParsePostalCode, "N9A 1A1"), City: "Windsor", Province: provinceON, Zone: zoneToronto,
			Location: geo.MustLatLng(42.32, -83.03),
		},
	}
}

func zip4s() []store.ZIP4Record {
	rodeo := store.ZIP4Record{
		ZIP: 90210, Low: 1234, High: 1234, RecordType: 'S', CarrierRoute: "C012", PreDir: "N", Street: "RODEO",
		Suffix: "DR", AddrLow: "0000000400", AddrHigh: "0000000498", OddEven: 'E', State: "CA", CountyFIPS: "037",
		Location: geo.MustLatLng(34.068, -118.4015),
	}
	alternate := rodeo
	alternate.Alternate, alternate.Street = true, "RODEO DRIVE SHOPS"
	tower := rodeo
	tower.Low, tower.High, tower.RecordType, tower.Building = 1235, 1235, 'H', "RODEO TOWER"
	tower.AddrLow, tower.AddrHigh, tower.OddEven = "0000000421", "0000000421", 'O'
	tower.SecAbbr, tower.SecLow, tower.SecHigh, tower.SecOddEven = "STE", "00000200", "00000200", 'E'
	tower.Location = geo.LatLng{}
	box := store.ZIP4Record{
		ZIP: 90210, Low: 9001, High: 9003, RecordType: 'P', CarrierRoute: "B001", Street: "PO BOX",
		AddrLow: "0000000001", AddrHigh: "0000000300", OddEven: 'B', State: "CA", CountyFIPS: "037",
	}
	zeros := box // a box whose number begins with a zero
	zeros.Low, zeros.High, zeros.AddrLow, zeros.AddrHigh = 145, 145, "-0145", "-0145"
	general := store.ZIP4Record{
		ZIP: 90210, Low: 9998, High: 9998, RecordType: 'G', CarrierRoute: "G001", State: "CA", CountyFIPS: "037",
	}
	return []store.ZIP4Record{alternate, rodeo, tower, box, zeros, general}
}

func ptr[T any](v T) *T { return &v }

// parse is for the constants above.
func parse[T any](f func(string) (T, bool), s string) T {
	v, ok := f(s)
	if !ok {
		panic("lookuptest: " + s)
	}
	return v
}

// Bare writes a dataset of one ZIP Code, 90210, into a folder of the test and
// returns its path. Its only layer is identity: it has no streets, areas or
// surveys unless more adds them.
func Bare(tb testing.TB, more ...func(*storewrite.Writer) error) string {
	tb.Helper()
	return Build(tb, append([]func(*storewrite.Writer) error{func(w *storewrite.Writer) error {
		row := store.ZIPRow{ZIP: 90210, City: "Beverly Hills", State: 1, Class: store.General, Zone: 1, Location: geo.MustLatLng(34.0901, -118.4065)}
		return errors.Join(
			w.SetStates([]store.State{{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06"}}),
			w.SetZones([]store.Zone{tzif.Row("America/Los_Angeles", ZoneSource)}),
			w.AddZIP(row, store.ZIPDetail{}),
		)
	}}, more...)...)
}

// Extend writes a copy of a dataset with more in it and opens it.
func Extend(tb testing.TB, base *store.Dataset, more func(*storewrite.Writer) error) *store.Dataset {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "extended.db")
	w, err := storewrite.Extend(path, base)
	checktest.Check(tb, err)
	if err := more(w); err != nil {
		tb.Fatal(errors.Join(err, w.Abort()))
	}
	checktest.Check(tb, w.Finish(base.Manifest()))
	return OpenFile(tb, path)
}
