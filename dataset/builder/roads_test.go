package builder_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
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

// TestAddressPoints builds with addresses in every layout.
func TestAddressPoints(t *testing.T) {
	w := newWorld(t)
	w.supplied("43901", "STANDARD", "0", "Other Name", "", "OH", "Birch County", "", 40.01, -83.01)
	w.fsa("K1A", "Ottawa", "ON", 45.4, -75.7)
	var o builder.Options
	for _, p := range points {
		o.AddressPoints = append(o.AddressPoints, w.file(p.name, record(p.text)))
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
	for reason, want := range map[string]int64{"address-points: bad number": 1, "address-points-3: bad": 1} {
		if got := b.count(b.report.Refused, reason); got != want {
			t.Errorf("refused as %q: %d, want %d", reason, got, want)
		}
	}
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
	w := newWorld(t)
	b := w.buildWith(builder.Options{Streets: []string{"oh", "39001"}})
	if n := b.count(b.report.Rules, "an optional source is not available"); n < 2 {
		t.Errorf("%d counties are reported as missing", n)
	}
	out := filepath.Join(t.TempDir(), "x.db")
	_, err := builder.Build(t.Context(), builder.Options{Mirror: w.write(), Output: out, Streets: []string{"Ohio"}})
	if err == nil || !strings.Contains(err.Error(), `unknown state or county "OHIO"`) {
		t.Errorf("an unknown state: %v", err)
	}
}

// TestExtendRoads adds two files of points to a dataset, one after the other.
func TestExtendRoads(t *testing.T) {
	w := newWorld(t)
	w.supplied("43901", "STANDARD", "0", "Other Name", "", "OH", "Birch County", "", 40.01, -83.01)
	path := w.build().path
	for i, p := range points[:2] {
		out := filepath.Join(t.TempDir(), "more.db")
		_, err := builder.Extend(t.Context(), path, builder.Options{Mirror: w.write(), Output: out, AddressPoints: []string{w.file(p.name, record(p.text))}})
		check(t, err)
		d := lookuptest.OpenFile(t, out)
		want := []int{2, 4}[i] // the second file has a number of the first one
		if got := d.RoadCoverage(store.CodeOfZIP(43901)); got.Points != want {
			t.Errorf("after %s: %+v, expected %d points", p.name, got, want)
		}
		if last := d.Manifest().Sources[len(d.Manifest().Sources)-1]; last.ID != []string{"address-points", "address-points-2"}[i] {
			t.Errorf("the last source is %s", last.ID)
		}
		path = out
	}
	if _, err := builder.Extend(t.Context(), path, builder.Options{Output: filepath.Join(t.TempDir(), "x.db")}); err == nil {
		t.Error("an extension without anything to add succeeds")
	}
}
