package builder_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// bounded is a world whose two counties make a state, with ZIPs on both sides
// of a border of time zones.
func bounded(t *testing.T) *world {
	w := newWorld(t)
	square := func(west, south, east, north float64, values ...string) outline {
		return outline{west, south, east, north, values}
	}
	w.outlines(
		[]outline{square(-84, 39, -82.5, 41, "39901", "Amber", "Amber County", "06"), square(-82.5, 39, -81, 41, "39903", "Birch", "Birch County", "06")},
		nil, nil, []outline{square(-78, 43, -76, 45, "K9Q", "35000"), square(-70, 43, -69, 45, "G9Q", "1")},
	)
	w.others["www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_state_500k.zip"] = zippedShapes(t, "cb_2024_us_state_500k", []string{"GEOID", "NAME", "ALAND", "AWATER", "LSAD"}, []outline{
		square(-84, 39, -81, 41, "39", "Ohio", "50000000000", "7000000000"), square(10, 10, 11, 11, "99", "Far", "1", "1"),
	})
	w.others[statCanBounds+"lcd_000b21a_e.zip"] = zippedShapes(t, "lcd_000b21a_e", []string{"CDUID", "CDNAME", "PRUID", "LANDAREA"}, []outline{
		square(-79, 43, -77, 45, "3599", "West", "35"), square(-77, 43, -75, 45, "3598", "East", "35"), square(-70, 43, -69, 45, "9901", "Far", "99"),
		square(-71, 46, -70, 47, "2499", "Nord", "24"), square(-68, 46, -67, 47, "24", "Short", "24"),
	})
	w.others["www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip"] = zippedShapes(t, "cb_2020_us_zcta520_500k", []string{"GEOID20", "ALAND20", "AWATER20"}, []outline{
		square(-83.2, 39.9, -83, 40.1, "43901", "379000000", "0"),
		square(-83, 39.9, -82.6, 40.1, "43902", "757000000", "1000000"),
		square(-82.6, 39.9, -82.5, 40.1, "43903", "1", "1"),
		square(-82.5, 39.9, -82.4, 40.1, "43904", "1", "1"),
		square(-81.5, 39.9, -81.4, 40.1, "43905", "189000000", "1000000"),
	})
	w.zones = `{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"tzid":"America/Chicago"},"geometry":{"type":"Polygon","coordinates":[[[-90,30],[-82.9,30],[-82.9,50],[-90,50],[-90,30]]]}},
		{"type":"Feature","properties":{"tzid":"America/New_York"},"geometry":{"type":"Polygon","coordinates":[[[-82.9,30],[-82,30],[-82,42],[-82.9,42],[-82.9,30]]]}},
		{"type":"Feature","properties":{"tzid":"America/Toronto"},"geometry":{"type":"Polygon","coordinates":[[[-80,42.5],[-76.5,42.5],[-76.5,50],[-80,50]]]}},
		{"type":"Feature","properties":{"tzid":"Asia/Tokyo"},"geometry":{"type":"Polygon","coordinates":[[[130,30],[140,30],[140,40],[130,30]]]}}]}`
	w.zip("43902", "Bigburg", "OH", "901", 40, -82.7)
	w.zip("43903", "Boxes", "OH", "901", 40, -82.55)
	w.zip("43905", "Coast", "OH", "903", 40, -81.45)
	w.zip("43906", "Nowhere", "OH", "903", 40, -81.2)
	w.uds = []string{"43903,2015,Post Office or large volume customer,Boxes,Ohio,OH,43902,43902"}
	return w
}

const statCanBounds = "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"

// sameRing reports whether closed rings are equal except for their first
// vertex.
func sameRing(a, b orb.Ring) bool {
	for i := range len(a) - 1 {
		if slices.Equal(append(slices.Clone(a[i:len(a)-1]), a[:i+1]...), b) {
			return true
		}
	}
	return false
}

func (b *built) zoneShares(list []store.ZoneShare) string {
	var parts []string
	for _, s := range list {
		parts = append(parts, fmt.Sprintf("%s %v", b.Zone(s.Zone).Name, s.Percent))
	}
	return strings.Join(parts, ", ")
}

func zipOf(t *testing.T, code string) postcode.ZIP {
	t.Helper()
	z, ok := postcode.ParseZIP(code)
	if !ok {
		t.Fatalf("bad ZIP %s", code)
	}
	return z
}

func TestBoundaries(t *testing.T) {
	b := bounded(t).build("boundaries")
	var got []string
	for _, z := range b.ZIPAreas().Keys() {
		got = append(got, fmt.Sprintf("%s: %s", z, b.zoneShares(b.ZoneShares(store.CodeOfZIP(z)))))
	}
	want := []string{"43901: America/Chicago 100", "43902: America/New_York 75, America/Chicago 25", "43905: "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ZIPs with outlines (-want +got):\n%s", diff)
	}
	k9q, _ := postcode.ParseFSA("K9Q")
	if shares := b.zoneShares(b.ZoneShares(store.CodeOfFSA(k9q))); b.FSAAreas().Len() != 1 || shares != "America/Toronto 100" {
		t.Errorf("%d FSAs with outlines, K9Q in %q; want 1, in Toronto's zone", b.FSAAreas().Len(), shares)
	}
	ohio, _ := b.StateByAbbr(store.US, "OH")
	at := geo.MustLatLng(40, -82.8)
	if id, ok := b.StateAreas().Containing(at); !ok || id != ohio {
		t.Errorf("%v is in state %d, want Ohio", at, id)
	}
	if id, ok := b.CountyAreas().Containing(at); !ok || b.county(id) != "39901" || b.CountyAreas().Len() != 2 {
		t.Errorf("%v is in county %q of %d, want 39901 of 2", at, b.county(id), b.CountyAreas().Len())
	}
	if id, ok := b.ZIPAreas().Containing(at); !ok || id != zipOf(t, "43902") {
		t.Errorf("%v is in ZIP %v, want 43902", at, id)
	}
	if id, ok := b.ZoneAreas().Containing(at); !ok || b.Zone(id).Name != "America/New_York" || b.ZoneAreas().Len() != 3 {
		t.Errorf("%v is in zone %q of %d, want America/New_York of 3", at, b.Zone(id).Name, b.ZoneAreas().Len())
	}
	if got := b.ZIPAreas().SourceOf(zipOf(t, "43902")); got != "cb_2020_us_zcta520_500k" {
		t.Errorf("the outline of 43902 is from %q", got)
	}
	on := store.StateID(0)
	for _, id := range b.StateAreas().Keys() {
		if b.State(id).Abbr == "ON" {
			on = id
		}
	}
	ring := orb.Ring{{-75, 43}, {-75, 45}, {-77, 45}, {-79, 45}, {-79, 43}, {-77, 43}, {-75, 43}}
	if i, ok := b.StateAreas().Find(on); !ok || b.StateAreas().SourceOf(on) != "lcd_000b21a_e" || b.StateAreas().Len() != 3 {
		t.Errorf("%d states and provinces with outlines, want Ohio, Ontario and Quebec of two files", b.StateAreas().Len())
	} else if got := b.StateAreas().Index().Polygons(i); len(got) != 1 || len(got[0]) != 1 || !sameRing(got[0][0], ring) {
		t.Errorf("Ontario is %v, want its two divisions as one", got)
	}
	for text, n := range map[string]int64{
		"unknown province": 1, "bad CDUID": 1,
		"outline of a code that is not a ZIP": 1, "not an FSA of the dataset": 1, "unknown state": 1,
	} {
		if got := b.count(b.report.Refused, text); got != n {
			t.Errorf("%d times %q, want %d", got, text, n)
		}
	}
	for text, n := range map[string]int64{"compared with layers and not stored": 1, "an automatic radius takes a default density": 1, "time zones: rings that were open": 1, "shares of less than the whole area": 2, "less than half in its state": 0} {
		if got := b.count(b.report.Rules, text); got != n {
			t.Errorf("%d times %q, want %d", got, text, n)
		}
	}
	for text, n := range map[string]int64{
		"general ZIPs without an outline, points in a search by area": 1, "general ZIPs without a population": 4, "outlines of ZIPs and FSAs without shares of time zones": 1,
		"square miles of states that no outline of a ZIP covers": 21_451, // 97.7 % of 21,964
	} {
		found := int64(0)
		for _, g := range b.report.Gaps {
			if g.Name == text {
				found = g.Count
			}
		}
		if found != n {
			t.Errorf("%d %s, want %d", found, text, n)
		}
	}
}

// Without the layer nothing of it is stored, and outlines that are too coarse
// give no shares.
func TestBoundariesLeftOut(t *testing.T) {
	w := bounded(t)
	if b := w.build("places", "timezones"); b.ZIPAreas().Len()+b.ZoneAreas().Len() != 0 || b.ZoneShares(store.CodeOfZIP(zipOf(t, "43902"))) != nil {
		t.Error("outlines without the boundaries layer")
	}
	w.others["ACTUAL.csv"] = []byte("path,vintage,rows,official_rows,fit_for_shares,note\nwww2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip,2020,1,1,no,coarse\n")
	b := w.build("boundaries")
	if b.ZIPAreas().Len() != 3 || b.ZoneShares(store.CodeOfZIP(zipOf(t, "43902"))) != nil || b.count(b.report.Rules, "no shares of time zones") != 1 {
		t.Errorf("%d outlines, shares %v; want 3 without shares and the report to say so", b.ZIPAreas().Len(), b.ZoneShares(store.CodeOfZIP(zipOf(t, "43902"))))
	}
}

// The user's outlines come before those of ZCTAs.
func TestZIPPolygons(t *testing.T) {
	w := bounded(t)
	file := filepath.Join(t.TempDir(), "mine.geojson")
	text := `{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"zip_code":"43902"},"geometry":{"type":"Polygon","coordinates":[[[-82.8,40],[-82.7,40],[-82.7,40.1],[-82.8,40.1],[-82.8,40]]]}},
		{"type":"Feature","properties":{"zip_code":"43902"},"geometry":{"type":"Polygon","coordinates":[[[-82.6,40],[-82.5,40],[-82.5,40.1],[-82.6,40.1],[-82.6,40]]]}},
		{"type":"Feature","properties":{"zip_code":"43906"},"geometry":{"type":"Polygon","coordinates":[[[-84.3,40],[-83.9,40],[-83.9,40.1],[-84.3,40.1],[-84.3,40]]]}}]}`
	check(t, os.WriteFile(file, []byte(text), 0o644))
	b := w.buildWith(builder.Options{Layers: []string{"boundaries"}, ZIPPolygons: file})
	sources := map[string]string{}
	for _, zip := range b.ZIPAreas().Keys() {
		sources[zip.String()] = b.ZIPAreas().SourceOf(zip)
	}
	const zctas = "cb_2020_us_zcta520_500k"
	if diff := cmp.Diff(map[string]string{"43901": zctas, "43902": "mine", "43905": zctas, "43906": "mine"}, sources); diff != "" {
		t.Errorf("sources of the outlines (-want +got):\n%s", diff)
	}
	i, _ := b.ZIPAreas().Find(zipOf(t, "43902"))
	if got := b.ZIPAreas().Index().Polygons(i); len(got) != 2 {
		t.Errorf("43902 has %d polygons, want the two of the user's file", len(got))
	}
	if n := b.count(b.report.Rules, "less than half in its state"); n != 1 {
		t.Errorf("%d ZIPs mostly outside their state, want 43906", n)
	}
	_, err := builder.Build(t.Context(), builder.Options{Mirror: w.write(), Output: filepath.Join(t.TempDir(), "o.db"), ZIPPolygons: file})
	if err == nil || !strings.Contains(err.Error(), "without the layer boundaries") {
		t.Errorf("error %v, want one about the layer", err)
	}
}

// TestNationalBoundaries compares the outlines of the whole country with areas
// that others have measured.
func TestNationalBoundaries(t *testing.T) {
	b := openNational(t)
	for _, n := range []struct {
		name      string
		got       int
		low, high int
	}{
		{"ZIPs", b.ZIPAreas().Len(), 25_900, 26_100},
		{"FSAs", b.FSAAreas().Len(), 1_610, 1_618},
		{"states and provinces", b.StateAreas().Len(), 69, 69},
		{"counties", b.CountyAreas().Len(), 3_222, 3_222},
		{"time zones", b.ZoneAreas().Len(), 50, 57},
	} {
		if n.got < n.low || n.got > n.high {
			t.Errorf("%d %s with outlines, want %d to %d", n.got, n.name, n.low, n.high)
		}
	}
	for _, z := range b.ZIPAreas().Keys() {
		if row, _ := b.ZIP(z); row.Class != store.General {
			t.Errorf("%s is a point, and has an outline", z)
		}
		sum := float32(0)
		for _, s := range b.ZoneShares(store.CodeOfZIP(z)) {
			sum += s.Percent
		}
		if math.Abs(float64(sum)-100) > 1e-3 {
			t.Errorf("the shares of %s add up to %v", z, sum)
		}
	}
	for code, want := range map[string]string{"90210": "America/Los_Angeles 100", "10001": "America/New_York 100"} {
		if got := b.zoneShares(b.ZoneShares(store.CodeOfZIP(zipOf(t, code)))); got != want {
			t.Errorf("%s lies in %s, want %s", code, got, want)
		}
	}
	if n, ok := b.Population(store.CodeOfZIP(zipOf(t, "90210"))); !ok || n != 19_004 {
		t.Errorf("90210 has %d people, want the 19,004 of 2024", n)
	}
	for _, at := range []struct {
		name      string
		point     geo.LatLng
		abbr, zip string // "" no area
		fips      string
	}{
		{"Attu, west of the antimeridian", geo.MustLatLng(52.91, 173.17), "AK", "", ""}, // the generalized county stops before it
		{"Adak, east of it", geo.MustLatLng(51.87, -176.64), "AK", "", "02016"},         // the shared data lack the ZCTA
		{"Beverly Hills", geo.MustLatLng(34.09, -118.41), "CA", "90210", "06037"},
		{"the sea", geo.MustLatLng(30, -50), "", "", ""},
		{"Monterrey", geo.MustLatLng(25.67, -100.31), "", "", ""},
	} {
		abbr, zip, fips := "", "", ""
		if id, ok := b.StateAreas().Containing(at.point); ok {
			abbr = b.State(id).Abbr
		}
		if z, ok := b.ZIPAreas().Containing(at.point); ok {
			zip = z.String()
		}
		if id, ok := b.CountyAreas().Containing(at.point); ok {
			fips = b.county(id)
		}
		if got, want := [3]string{abbr, zip, fips}, [3]string{at.abbr, at.zip, at.fips}; got != want {
			t.Errorf("%s lies in %q, want %q", at.name, got, want)
		}
	}
}

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
