package builder_test

import (
	"fmt"
	"testing"
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
