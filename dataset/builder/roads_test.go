package builder_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// points are invented addresses in several layouts.
var points = []struct{ name, text string }{
	{"nad.txt", "Add_Number,AddNum_Suf,St_PreDir,St_Name,St_PosTyp,State,Zip_Code,Longitude,Latitude,Placement\n" +
		"100,,North,Main,Street,OH,43901,-83.01,40.01,Structure - Rooftop\n102,A,North,Main,Street,OH,43901,-83.011,40.01,Unknown\n" +
		"0,,,Nowhere,Street,OH,43901,-83.01,40.01,Unknown\n"},
	{"oa.csv", "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n-83.01,40.02,100,N MAIN ST,,,,,43901,,\n-83.02,40.02,\"5,7\",ELM AV,,,,,,,\n"},
	{"oa.geojson", `{"type":"Feature","properties":{"number":"12-14","street":"ELM AVE","postcode":"43901"},"geometry":{"type":"Point","coordinates":[-83.03,40.02]}}` + "\n" +
		`{"type":"Feature","properties":{"number":"9","street":"ELM AVE","postcode":"43901"},"geometry":null}` + "\n"},
	{"city.geojson", `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"ST_NUMBER":20,"ST_NAME":"OAK","ST_TYPE":"LN","ZIP":43901},` +
		`"geometry":{"type":"Point","coordinates":[-83.04,40.02]}}]}`},
	{"oda.csv", "latitude,longitude,source_id,id,group_id,street_no,street,str_name,str_type,str_dir,unit,city,postal_code,full_addr,city_pcs,str_name_pcs,str_type_pcs,str_dir_pcs,csduid,csdname,pruid,provider\n" +
		"45.401,-75.701,1,a,1,12,Birch Road,Birch,Road,,,,,12 Birch Road,,BIRCH,RD,,3506008,Ottawa,35,Ottawa\n"},
	{"register.csv", "CIVIC_NO,CIVIC_NO_SUFFIX,OFFICIAL_STREET_NAME,OFFICIAL_STREET_TYPE,OFFICIAL_STREET_DIR,MAIL_POSTAL_CODE,BG_X,BG_Y\n7,,Pine,AVE,W,K1A0B1,7485000,1250000\n"},
}

// other is a row of the supplied table.
const other = `supplied 43901 STANDARD 0 "Other Name" "" OH "Birch County" "" 40.01 -83.01`

// TestAddressPoints builds with addresses in every layout.
func TestAddressPoints(t *testing.T) {
	w := newWorld(t, "small")
	w.do(other)
	w.do("fsa K1A Ottawa ON 45.4 -75.7")
	var o builder.Options
	for _, p := range points {
		o.AddressPoints = append(o.AddressPoints, named(t, p.name, p.text))
	}
	b := w.buildWith(o)
	got := map[string][]string{}
	for a := range b.RoadAreas() {
		for r, err := range b.AllRoads(t.Context(), a) {
			check(t, err)
			for _, p := range r.Points {
				got[r.String()] = append(got[r.String()], p.Number.String()+" "+p.Origin.Source)
			}
		}
	}
	want := map[string][]string{
		"N MAIN ST":  {"100 address-points", "102A address-points"},
		"ELM AVE":    {"5 address-points-2", "7 address-points-2", "12 address-points-3", "14 address-points-3", "12-14 address-points-3"},
		"OAK LN":     {"20 address-points-4"},
		"BIRCH RD":   {"12 address-points-5"},
		"PINE AVE W": {"7 address-points-6"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roads (-want +got):\n%s", diff)
	}
	b.expects("refused 1 address-points: bad number\nrefused 1 address-points-3: bad")
	var sources []string
	for _, s := range b.Manifest().Sources {
		if strings.HasPrefix(s.ID, "address-points") {
			sources = append(sources, s.ID)
		}
	}
	if len(sources) != len(points) {
		t.Errorf("the manifest has the sources %v", sources)
	}
}

// TestStreetsOfCounties checks the choice of counties, and that counties without a
// file are reported.
func TestStreetsOfCounties(t *testing.T) {
	w := newWorld(t, "small")
	b := w.buildWith(builder.Options{Streets: []string{"oh", "39001"}})
	if n := b.count(b.report.Rules, "an optional source is not available"); n < 2 {
		t.Errorf("%d counties are reported as missing", n)
	}
	w.fails(`unknown state or county "OHIO"`, builder.Options{Streets: []string{"Ohio"}})
}

// TestExtendRoads adds two files of points to a dataset, one after the other.
func TestExtendRoads(t *testing.T) {
	w := newWorld(t, "small")
	w.do(other)
	b := w.build()
	for i, p := range points[:2] {
		more, err := b.extend(builder.Options{Mirror: w.write(), AddressPoints: []string{named(t, p.name, p.text)}})
		check(t, err)
		want := []int{2, 4}[i] // the second file has a number of the first one
		if got := more.RoadCoverage(store.CodeOfZIP(43901)); got.Points != want {
			t.Errorf("after %s: %+v, expected %d points", p.name, got, want)
		}
		if last := more.Manifest().Sources[len(more.Manifest().Sources)-1]; last.ID != []string{"address-points", "address-points-2"}[i] {
			t.Errorf("the last source is %s", last.ID)
		}
		b = more
	}
	if _, err := b.extend(builder.Options{}); err == nil {
		t.Error("an extension without anything to add succeeds")
	}
}

// TestAddressesInOutlines adds points without a code to a new dataset and to a finished one.
// They have the code of the outline around them, not that of the nearest point: A0A is the
// zero FSA.
func TestAddressesInOutlines(t *testing.T) {
	w := newWorld(t, "bounded")
	w.do(`drop fsaarea countyarea
		countyarea 10 10 11 11 0000000 Far
		fsa A0A Bay NL 44.99 -76.99
		fsa A0B Cove NL 43.01 -75.01
		fsaarea -77 43 -75 45 A0A 35000`)
	points := func(number string) builder.Options {
		text := "LON,LAT,NUMBER,STREET,REGION,POSTCODE\n-75.1,43.1," + number + ",ELM AV,NL,\n"
		return builder.Options{Mirror: w.write(), Layers: []string{"boundaries"}, AddressPoints: []string{named(t, "points.csv", text)}}
	}
	more := points("7")
	more.Layers = nil
	b, err := w.buildWith(points("5")).extend(more)
	check(t, err)
	a0a, _ := postcode.ParseFSA("A0A")
	if got := b.RoadCoverage(store.CodeOfFSA(a0a)); got.Points != 2 {
		t.Errorf("A0A has %d points, want 2", got.Points)
	}
}

// TestAddressFeatures builds with a county of TIGER/Line, to whose ZIP Code the
// test's own state is given.
func TestAddressFeatures(t *testing.T) {
	path := "../../../shared/data/address/tl_2021_30059_addrfeat.zip"
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there; the test needs the shared data beside the repository", path)
	}
	w := newWorld(t, "small")
	w.do(`supplied 59645 STANDARD 0 "Other Name" "" OH "Birch County" "" 40.01 -83.01`)
	b := w.buildWith(builder.Options{AddrFeat: []string{path}})
	zip, _ := postcode.ParseZIP("59645")
	records, err := b.Streets(t.Context(), zip, "CENTRAL", nil)
	if err != nil || len(records) == 0 || b.HasZIP4(zip) {
		t.Fatalf("%d records of Central Ave, %v; want some, without add-ons", len(records), err)
	}
	for _, r := range records {
		if !r.NoPlus4 || r.Street != "CENTRAL" || !r.Location.IsValid() || r.State != "OH" {
			t.Errorf("%+v", r)
		}
	}
	all := 0
	for _, err := range b.StreetRecords(t.Context(), zip) {
		if all++; err != nil {
			t.Fatal(err)
		}
	}
	if b.count(b.report.Refused, "tiger-addrfeat: unknown ZIP Code") == 0 || b.RoadCoverage(store.CodeOfZIP(zip)).Ranges != all {
		t.Error("ranges of the county's other ZIP Codes are not refused")
	}
}

// TestUSPS checks the additions of the postal service's products.
func TestUSPS(t *testing.T) {
	w := newWorld(t, "small")
	w.do(`supplied 43901 STANDARD 0 "Other Name" Alias OH "Birch County" "" 40.01 -83.01
		supplied 43601 STANDARD 1 Revived "" OH "Birch County" "" 40.01 -83.01`)
	b := w.buildWith(builder.Options{
		USPSCityState: products(t, 129,
			cityState("43901", "Z11111", " ", "AMBERTON HEIGHTS", "N", "N", "Z22222", "MC AMBER", "Y", "OH", "901"),
			cityState("43901", "Z22222", " ", "MC AMBER", "P", "Y", "Z22222", "MC AMBER", "Y", "OH", "901"),
			cityState("43901", "Z33333", " ", "O BIRCH", "N", "Y", "Z22222", "MC AMBER", "Y", "OH", "903"),
			cityState("43601", "Z44444", "U", "FIRM", "P", "Y", "Z44444", "FIRM", "N", "OH", "903"),
			cityState("43602", "Z55555", "P", "NEWTOWN", "B", "Y", "Z55555", "NEWTOWN", "N", "OH", "903"),
		),
		USPSDeliveryStats: products(t, 309,
			deliveries("43901", map[int]int{22: 5, 27: 2, 42: 1, 82: 100, 102: 7, 142: 3}),
			deliveries("43901", map[int]int{87: 50}),
			deliveries("43999", map[int]int{87: 50}),
		),
		USPSZIP4: products(t, 182,
			zip4("43601", "0001", "0001", "FIRM", "B"),
			zip4("43901", "1001", "1001", "MAIN", "B"),
			zip4("43901", "1001", "1001", "OLD MAIN", "A"),
			zip4("43901", "1002", "1005", "OAK", "B"),
			zip4("43901", "12ND", "12ND", "BRIDGE", "B"),
			zip4("43999", "1001", "1001", "NOWHERE", "B"),
		),
		ZIP4Points: named(t, "points.csv", "zip,plus4,lat,lon\n43600,0001,40,-83\n43901,1001,40.5,-83.5\n43901,1003,95,-83\n43998,0001,40,-83\n"),
	})
	b.expects(`43901 City McAmber County 39901 MultiCounty yes Class General FacilityCode P CityDelivery Y ZIP4Count 5
		43901 DeliveryPoints "{TotalActive=168 Business=8 Residential=157 POBox=8}"
		43901 Aliases "{City=Amberton Heights MailingName=N}, {City=O'Birch MailingName=Y}"
		43601 Class Unique City Firm      # the product lists it
		43602 Class "PO Box" City Newtown ZIP4Count none
		refused 1 usps-zip4: unknown ZIP Code
		refused 1 usps-zip4: no delivery
		refused 1 usps-delivery-stats: unknown ZIP Code
		refused 1 zip4-points: bad`)
	zip, _ := postcode.ParseZIP("43901")
	records, err := b.ZIP4(t.Context(), zip, 1001)
	if err != nil || len(records) != 2 || records[0].Street != "MAIN" || !records[1].Alternate || records[0].Location != geo.MustLatLng(40.5, -83.5) {
		t.Errorf("43901-1001 is %+v, %v", records, err)
	}
}

// fixed writes texts into a record of blanks, each at its position from 1.
func fixed(length int, fields map[int]string) string {
	r := bytes.Repeat([]byte{' '}, length)
	for at, text := range fields {
		copy(r[at-1:], text)
	}
	return string(r)
}

// products writes a product of the postal service.
func products(t *testing.T, length int, records ...string) string {
	t.Helper()
	head := fixed(length, map[int]string{1: "C", 7: "COPYRIGHT(C)", 20: "06", 23: "26", 26: "USPS", 31: "001"})
	return named(t, fmt.Sprintf("usps%d.txt", length), head+strings.Join(records, ""))
}

func cityState(zip, key, class, name, facility, mailing, lastKey, lastName, delivery, state, county string) string {
	return fixed(129, map[int]string{
		1: "D", 2: zip, 7: key, 13: class, 14: name, 55: facility, 56: mailing, 57: lastKey, 63: lastName, 91: delivery, 92: "A", 94: "123456",
		100: state, 102: county, 105: "COUNTY",
	})
}

func zip4(zip, low, high, street, base string) string {
	return fixed(182, map[int]string{
		1: "D", 2: zip, 7: "V1ABCDEFGH", 17: "A", 18: "S", 19: "C001", 25: street, 53: "ST", 59: "0000000100", 69: "0000000198", 79: "E",
		141: low, 145: high, 149: base, 152: "123456", 158: "OH", 160: "901",
	})
}

func deliveries(zip string, counts map[int]int) string {
	fields := map[int]string{1: "D", 2: zip, 7: "V1ABCDEFGH", 17: "A", 18: "C001", 287: "123456", 293: "OH", 295: "901", 298: "Z12345", 304: "Z12345"}
	for start := 22; start <= 282; start += 5 {
		fields[start] = fmt.Sprintf("%05d", counts[start])
	}
	return fixed(309, fields)
}
