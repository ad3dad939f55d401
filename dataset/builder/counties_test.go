package builder_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store"
)

// TestCounties checks the decisions about a ZIP's county.
func TestCounties(t *testing.T) {
	w := newWorld(t)
	w.county("VA", "51901", "Elm County", 37, -78)
	w.county("VA", "51902", "Elm city", 37.5, -78)
	w.county("AK", "02901", "Fjord City and Borough", 58, -134)
	w.county("NM", "35901", "Doña Elm County", 32, -106)
	w.county("CT", "09901", "Brook Planning Region", 41.5, -72.5)
	w.county("CT", "09902", "Shore Planning Region", 41.2, -72.5)
	w.county("SD", "46102", "Oglala Lakota County", 43, -102)
	w.county("AK", "02063", "Chugach Census Area", 61, -146)
	w.county("AK", "02066", "Copper River Census Area", 62, -144)

	w.supplied("22901", "STANDARD", "0", "A", "", "VA", "Elm County", "", 37, -78)
	w.supplied("22902", "STANDARD", "0", "B", "", "VA", "Elm City", "", 37.5, -78)
	w.supplied("99801", "STANDARD", "0", "C", "", "AK", "City and Borough of Fjord", "", 58, -134)
	w.supplied("88001", "STANDARD", "0", "D", "", "NM", "Dona Elm County", "", 32, -106)
	// an abolished county's name or code gives way to the nearest ZIP's county
	w.zip("06101", "E", "CT", "901", 41.5, -72.5)
	w.zip("06102", "F", "CT", "902", 41.2, -72.5)
	w.zip("06103", "G", "CT", "003", 41.49, -72.5)
	w.supplied("06104", "STANDARD", "0", "H", "", "CT", "Hartford County", "", 41.21, -72.5)
	w.zip("57770", "I", "SD", "113", 43, -102)
	w.zip("99686", "J", "AK", "261", 61.1, -146.1)
	w.zip("99588", "K", "AK", "261", 62.1, -144.1)
	// the sources disagree: the county of the table
	w.zip("43980", "L", "OH", "901", 40.02, -82.01)
	w.supplied("43980", "STANDARD", "0", "L", "", "OH", "Birch County", "", 40.02, -82.01)
	w.zip("43981", "M", "OH", "903", 40, -82)
	w.supplied("43982", "UNIQUE", "0", "Amberton", "", "OH", "", "", 0, 0) // no point, no county: that of its city
	w.supplied("43983", "UNIQUE", "0", "Nowhere", "", "OH", "", "", 0, 0)
	w.supplied("00802", "STANDARD", "0", "St Elm", "", "VI", "", "", 18.3, -64.9)
	w.supplied("96910", "STANDARD", "0", "Elm", "", "GU", "", "", 13.4, 144.8)
	b := w.build()
	for code, want := range map[string]string{
		"22901": "51901", "22902": "51902", "99801": "02901", "88001": "35901", "06103": "09901", "06104": "09902", "57770": "46102",
		"99686": "02063", "99588": "02066", "43980": "39903", "43982": "39901", "43983": "", "00802": "78030", "96910": "66010",
	} {
		if row, _ := b.zip(code); b.county(row.County) != want {
			t.Errorf("%s is in county %q, want %q", code, b.county(row.County), want)
		}
	}
}

// TestCountyOfRecord checks that two of three sources decide, else the
// residents, and that without residents the supplied table does.
func TestCountyOfRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const amber, birch = "39901", "39903"
	for _, c := range []struct {
		name            string
		geoNames        string // three digits
		supplied        string
		amber, birch    int // people
		want            string
		wantDisagreeing int64
	}{
		{"all agree", "901", "Amber County", 9, 1, amber, 0},
		{"residents with the supplied table", "903", "Amber County", 9, 1, amber, 1},
		{"residents with GeoNames", "903", "Amber County", 1, 9, birch, 1},
		{"two sources against the residents", "901", "Amber County", 1, 9, amber, 1},
		{"residents against one source", "901", "", 1, 9, birch, 1},
		{"residents alone", "", "", 1, 9, birch, 0},
		{"nobody lives there", "903", "Amber County", 0, 0, amber, 1},
		{"nobody lives there, the point lies in the other county", "901", "Birch County", 0, 0, birch, 1},
		{"a name that is no county", "903", "Elm County", 1, 9, birch, 0},
	} {
		w := countied(t)
		w.geoNames = nil
		w.zip("43902", "Town", "OH", c.geoNames, 40.05, -82.59)
		w.supplied("43902", "STANDARD", "0", "Town", "", "OH", c.supplied, "", 40.05, -82.59)
		w.other("www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt", "",
			"STATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE",
			fmt.Sprintf("39,901,000100,1,%d,+40.050000,-082.550000", c.amber),
			fmt.Sprintf("39,903,000100,1,%d,+40.050000,-082.450000", c.birch),
			"39,903,000100,2,1000,+40.500000,-082.450000") // outside the ZIP
		b := w.build("boundaries")
		if row, _ := b.zip("43902"); b.county(row.County) != c.want {
			t.Errorf("%s: county %s, want %s", c.name, b.county(row.County), c.want)
		}
		if got := b.count(b.report.Rules, "county of record that not all sources name"); got != c.wantDisagreeing {
			t.Errorf("%s: %d disagreements, want %d", c.name, got, c.wantDisagreeing)
		}
	}
}

// countied is a world of two counties, divided at 82.5° W, whose outlines end
// at 41° N, and of ZIPs on both sides.
func countied(t *testing.T) *world {
	w := bounded(t)
	w.geoNames, w.uds = nil, nil
	var zips []outline
	add := func(code, county string, west, south, east, north float64) {
		w.zip(code, "Town", "OH", county, (south+north)/2, west+0.01)
		zips = append(zips, outline{west, south, east, north, []string{code, "1", "1"}})
	}
	add("43901", "901", -83.2, 40, -83, 40.1)            // one county
	add("43902", "901", -82.6, 40, -82.4, 40.1)          // halves
	add("43903", "901", -82.6, 40.1, -82.4995, 40.2)     // 0.5 % in the second
	add("43904", "901", -82.6, 40.2, -82.4985, 40.3)     // 1.5 %
	add("43905", "901", -82.6, 40.9, -82.4, 41.1)        // half of it in no county, a quarter in each of two
	add("43907", "903", -83.2, 40.3, -83, 40.4)          // in another county than in the sources
	add("43908", "901", -83.2, 40.5, -83, 40.6)          // one county
	add("43909", "901", -83.2, 40.995, -83, 41.1)        // mostly in no county
	add("43910", "901", -82.501, 40, -82.4, 40.1)        // 1 % in its own county
	add("43911", "901", -83.2, 40.899, -83, 41.001)      // 99 % covered
	add("43912", "901", -82.5095, 40.4, -82.4995, 40.41) // 43 m of it in the second
	add("43913", "901", -82.6, 40.7, -82.4, 40.8)        // halves, a PO Box ZIP
	w.supplied("43913", "PO BOX", "0", "Town", "", "OH", "Amber County", "", 40.75, -82.59)
	w.zip("43906", "Nowhere", "OH", "903", 40, -81.2)
	w.others["www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip"] = zippedShapes(t, "cb_2020_us_zcta520_500k", []string{"GEOID20", "ALAND20", "AWATER20"}, zips)
	return w
}

func (b *built) multiCounty() map[string]string {
	got := map[string]string{}
	for row := range b.ZIPs() {
		got[row.ZIP.String()] = map[store.Tri]string{store.Yes: "yes", store.No: "no", store.Unknown: "unknown"}[row.MultiCounty]
	}
	return got
}

func TestMultiCounty(t *testing.T) {
	want := map[string]string{
		"43901": "no", "43902": "yes", "43903": "no", "43904": "yes", "43905": "yes", "43906": "unknown",
		"43907": "yes", "43908": "no", "43909": "unknown", "43910": "yes", "43911": "no", "43912": "yes", "43913": "yes",
	}
	b := countied(t).build("boundaries")
	if diff := cmp.Diff(want, b.multiCounty()); diff != "" {
		t.Errorf("ZIPs of several counties (-want +got):\n%s", diff)
	}
	if row, _ := b.zip("43907"); b.county(row.County) != "39903" {
		t.Errorf("43907 is in county %s, want that of the sources, 39903", b.county(row.County))
	}
	for text, n := range map[string]int64{
		"ZIP of several counties, by the outlines": 7, "ZIP of one county, by the outlines": 4, "do not cover that of the ZIP": 1,
		"holds less than 1 %": 2,
	} {
		if got := b.count(b.report.Rules, text); got != n {
			t.Errorf("%d times %q, want %d", got, text, n)
		}
	}
	for code, state := range countied(t).build().multiCounty() {
		if state != "unknown" {
			t.Errorf("without outlines %s of several counties is %q", code, state)
		}
	}
}

// TestEvidence reads back which sources decided the county and the class of a
// ZIP.
func TestEvidence(t *testing.T) {
	w := bounded(t)
	w.zip("43907", "Outvoted", "OH", "901", 40.2, -82.0)
	w.zip("43909", "Agreed", "OH", "903", 40.4, -82.0)
	w.zip("20599", "Federal", "OH", "901", 40.0, -83.5)
	w.supplied("43907", "PO BOX", "0", "Outvoted", "", "OH", "Birch County", "614", 40.2, -82.0)
	w.supplied("43909", "STANDARD", "0", "Agreed", "", "OH", "Birch County", "614", 40.4, -82.0)
	w.other("www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt", "", "STATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE",
		"39,903,000100,1,300,+40.000000,-082.700000", // in the outline of 43902, which GeoNames has in 39901
	)
	b := w.buildWith(builder.Options{Layers: []string{"boundaries"}})
	votes := func(list ...store.CountySource) []store.CountySource { return list }
	tests := []struct {
		code, county string
		class        store.Class
		basis        string
		votes        []store.CountySource
	}{
		{"43907", "39903", store.POBox, "zip-database", votes( // without a majority the table decides
			store.CountySource{Source: "zip-database", FIPS: "39903", Chosen: true},
			store.CountySource{Source: "geonames-us", FIPS: "39901"},
		)},
		{"43909", "39903", store.General, "zip-database", nil},
		{"43902", "39903", store.General, store.ClassInferred, votes(
			store.CountySource{Source: "geonames-us", FIPS: "39901"},
			store.CountySource{Source: "residents", FIPS: "39903", Chosen: true},
		)},
		{"20599", "39901", store.Unique, "prefix", nil},
	}
	for _, tt := range tests {
		t.Run(tt.code, func(t *testing.T) {
			row, detail := b.zip(tt.code)
			type evidence struct {
				County string
				Class  store.Class
				Basis  string
				Votes  []store.CountySource
			}
			want := evidence{tt.county, tt.class, tt.basis, tt.votes}
			got := evidence{b.County(row.County).FIPS, row.Class, detail.Quality.ClassBasis, detail.Quality.Counties}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("evidence (-want +got):\n%s", diff)
			}
		})
	}
}
