package builder_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/mirrortest"
)

// outline is a square with the attributes of its file.
type outline struct {
	west, south, east, north float64
	values                   []string
}

// zippedShapes writes outlines as a zipped shapefile.
func zippedShapes(t *testing.T, name string, attributes []string, outlines []outline) []byte {
	t.Helper()
	return zippedShapesIn(t, name, mirrortest.NAD83, attributes, outlines)
}

// zippedShapesIn does so in a coordinate system. Missing values are blank.
func zippedShapesIn(t *testing.T, name, system string, attributes []string, outlines []outline) []byte {
	t.Helper()
	var shapes []mirrortest.Shape
	for _, o := range outlines {
		bound := orb.Bound{Min: orb.Point{o.west, o.south}, Max: orb.Point{o.east, o.north}}
		shapes = append(shapes, mirrortest.Shape{Geometry: bound.ToPolygon(), Values: append(slices.Clip(o.values), make([]string, max(0, len(attributes)-len(o.values)))...)})
	}
	return mirrortest.Shapefile(name, system, strings.Join(attributes, " "), shapes...)
}

// outlines adds the files of the place layer.
func (w *world) outlines(counties, places, cousubs, fsas []outline) {
	const cb, canada = "www2.census.gov/geo/tiger/GENZ2024/shp/", "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
	attributes := []string{"GEOID", "NAME", "NAMELSAD", "LSAD", "ALAND", "AWATER"}
	far := outline{west: 10, south: 10, east: 11, north: 11, values: []string{"0000000", "Far", "Far", "25"}}
	for name, list := range map[string][]outline{"cb_2024_us_county_500k": counties, "cb_2024_us_place_500k": places, "cb_2024_us_cousub_500k": cousubs} {
		w.others[cb+name+".zip"] = zippedShapes(w.t, name, attributes, append(list, far))
	}
	w.others[canada+"lfsa000b21a_e.zip"] = zippedShapes(w.t, "lfsa000b21a_e", []string{"CFSAUID", "LANDAREA"}, fsas)
	w.others[canada+"lcsd000b21a_e.zip"] = zippedShapes(w.t, "lcsd000b21a_e", []string{"CSDUID", "CSDNAME", "LANDAREA"}, []outline{
		{west: -78, south: 43, east: -76, north: 45, values: []string{"3506001", "Mapleton"}},
	})
}

// TestOutlines checks the decisions of the place layer.
func TestOutlines(t *testing.T) {
	w := newWorld(t)
	w.county("NY", "36901", "Elm County", 42, -75)
	square := func(west, south, east, north float64, values ...string) outline {
		return outline{west, south, east, north, values}
	}
	w.fsa("K0Q", "Region (Oak)", "ON", 60, -90) // far outside its outline
	w.fsa("K8Q", "Near", "ON", 45.01, -75.5)    // a mile outside
	w.fsa("K7Q", "Shrunk", "ON", 46, -73.5)     // outside an outline many times its land area
	w.outlines(
		[]outline{square(-84, 39, -82.5, 41, "39901", "Amber", "Amber County", "06"), square(-82.5, 39, -81, 41, "39903", "Birch", "Birch County", "06")},
		[]outline{
			square(-83.1, 39.9, -83.0, 40.1, "3990001", "Amberton", "Amberton city", "25"),
			square(-83.0, 39.9, -82.9, 40.1, "3990002", "Bigburg", "Bigburg city", "25"),
			square(-82.2, 39.9, -82.0, 40.1, "3990003", "Designated", "Designated CDP", "57"),
			square(-75.1, 42, -75, 42.1, "3690001", "Elmville", "Elmville village", "47"),
		},
		[]outline{
			square(-75.5, 41.8, -74.8, 42.3, "3690190001", "Elmtown", "Elmtown town", "43"),
			square(-83.5, 39.5, -81, 41, "3990190001", "Township", "Township township", "44"),
			square(-76, 41.8, -75.5, 42.3, "3690190002", "Wilds", "Wilds UT", "46"),
		},
		[]outline{square(-78, 44, -77, 45, "K0Q", "8000.5"), square(-76, 44, -75, 45, "K8Q", "7000"), square(-74, 44, -73, 45, "K7Q", "12")},
	)
	w.zcta("43701", 1, 1, 40.0, -82.95)
	w.zip("43701", "Amberton", "OH", "901", 40.0, -83.05) // internal point in Bigburg, post office in Amberton
	w.zip("43702", "Bigburg", "OH", "901", 40.0, -82.95)
	w.zip("43703", "Designated", "OH", "903", 40.0, -82.1) // no government
	w.zip("13801", "Elm", "NY", "901", 42.05, -75.05)
	w.zip("13802", "Elm", "NY", "901", 42.2, -75.2)
	w.zip("13803", "Elm", "NY", "901", 42, -75.7)
	w.zip("43704", "Disputed", "OH", "901", 40.5, -82.0)
	w.supplied("43704", "STANDARD", "0", "Disputed", "", "OH", "Birch County", "", 40.5, -82.0)
	w.supplied("43705", "STANDARD", "0", "Uncounted", "", "OH", "", "", 40.5, -83.8)
	b := w.build("places")
	for code, want := range map[string][2]string{
		"43701": {"Amberton", "39901"}, "43702": {"Bigburg", "39901"}, "43703": {"", "39903"}, "13801": {"Elmville", "36901"},
		"13802": {"Elmtown", "36901"}, "13803": {"", "36901"}, "43704": {"", "39903"}, "43705": {"", "39901"},
	} {
		row, _ := b.zip(code)
		if got := [2]string{row.Municipality, b.county(row.County)}; got != want {
			t.Errorf("%s has municipality and county %q, want %q", code, got, want)
		}
	}
	row, d := b.fsa("K0Q")
	if want := geo.MustLatLng(44.5, -77.5); row.Location != want || row.Municipality != "Mapleton" {
		t.Errorf("K0Q is at %v in %q, want %v in Mapleton", row.Location, row.Municipality, want)
	}
	if d.LandArea == nil || *d.LandArea != 8_000_500_000 {
		t.Errorf("K0Q has a land area of %v, want 8000.5 square kilometers", d.LandArea)
	}
	for code, want := range map[string]geo.LatLng{"K7Q": geo.MustLatLng(44.5, -73.5), "K8Q": geo.MustLatLng(44.5, -75.5)} {
		if row, _ := b.fsa(code); row.Location != want {
			t.Errorf("%s is at %v, want %v, within its outline", code, row.Location, want)
		}
	}
	w.others["ACTUAL.csv"] = []byte("path,vintage,rows,official_rows,fit_for_shares,note\nwww12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/lcsd000b21a_e.zip,2021,1,1,no,coarse\n")
	b = w.build("places")
	if row, _ := b.fsa("K0Q"); row.Municipality != "" {
		t.Errorf("K0Q is in %q by an outline that is too coarse", row.Municipality)
	}
}

// record lays out a fixed-width record.
type record []byte

func newRecord(length int) record { return bytes.Repeat([]byte{' '}, length) }

func (r record) put(start int, value string) record {
	copy(r[start-1:], value)
	return r
}

func cityState(zip, key, class, name, facility, mailing, lastKey, lastName, delivery, state, county string) record {
	return newRecord(129).put(1, "D").put(2, zip).put(7, key).put(13, class).put(14, name).put(55, facility).put(56, mailing).put(57, lastKey).
		put(63, lastName).put(91, delivery).put(92, "A").put(93, " ").put(94, "123456").put(100, state).put(102, county).put(105, "COUNTY")
}

func zip4(zip, low, high, street, base string) record {
	return newRecord(182).put(1, "D").put(2, zip).put(7, "V1ABCDEFGH").put(17, "A").put(18, "S").put(19, "C001").put(25, street).put(53, "ST").
		put(59, "0000000100").put(69, "0000000198").put(79, "E").put(141, low).put(145, high).put(149, base).put(152, "123456").put(158, "OH").put(160, "901")
}

func (w *world) file(name string, records ...record) string {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), name)
	var data []byte
	for _, r := range records {
		data = append(data, r...)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func header(length int) record {
	return newRecord(length).put(1, "C").put(7, "COPYRIGHT(C)").put(20, "06").put(23, "26").put(26, "USPS").put(31, "001")
}

func deliveries(zip string, counts map[int]int) record {
	r := newRecord(309).put(1, "D").put(2, zip).put(7, "V1ABCDEFGH").put(17, "A").put(18, "C001")
	for start := 22; start <= 282; start += 5 {
		r.put(start, "00000")
	}
	for start, n := range counts {
		r.put(start, fmt.Sprintf("%05d", n))
	}
	return r.put(287, "123456").put(293, "OH").put(295, "901").put(298, "Z12345").put(304, "Z12345")
}
