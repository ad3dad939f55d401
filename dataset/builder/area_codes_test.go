package builder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAreaCodes checks which codes of the supplied table a ZIP keeps, and which
// overlays it gains. Those of the other country and of no place are refused.
func TestAreaCodes(t *testing.T) {
	w := newWorld(t)
	w.county("NY", "36061", "New York County", 40.8, -74)
	w.county("NY", "36047", "Kings County", 40.6, -74)
	w.county("NY", "36099", "Elm County", 42, -75)
	w.county("FL", "12095", "Oak County", 28.5, -81.4)
	w.county("FL", "12009", "Brevard County", 28.3, -80.8)
	for zip, codes := range map[string]string{
		"10001": "212,332,347,646,718,917,929", "10009": "212", "10002": "", "11201": "718,212", "12901": "845,201", "32801": "407", "32901": "321", "32809": "689",
		"43950": "614,289,800,614,911,380,12", "43951": "440",
	} {
		state, county := "NY", "New York County"
		switch zip[:3] {
		case "112":
			county = "Kings County"
		case "129":
			county = "Elm County"
		case "328":
			state, county = "FL", "Oak County"
		case "329":
			state, county = "FL", "Brevard County"
		case "439":
			state, county = "OH", "Amber County"
		}
		w.supplied(zip, "STANDARD", "0", "Town", "", state, county, codes, 40, -74)
	}
	w.supplied("07001", "STANDARD", "0", "Town", "", "NJ", "", "201", 40, -74)
	w.supplied("07002", "STANDARD", "0", "Town", "", "NJ", "", "201", 40, -74)
	b := w.build()
	manhattan := []uint16{212, 332, 646, 917}
	for zip, want := range map[string][]uint16{
		"10001": manhattan, "10009": manhattan,
		"10002": manhattan, // as the others of the county
		"11201": {347, 718, 917, 929},
		"12901": {329, 845},      // 201 is New Jersey's
		"32801": {321, 407, 689}, // 321 overlays 407,
		"32901": {321},           // and has an area of its own
		"32809": {321, 407, 689}, // 689 only overlays
		"43950": {380, 614},
		"43951": {436, 440},
	} {
		if _, detail := b.zip(zip); !cmp.Equal(want, detail.AreaCodes) {
			t.Errorf("%s has %v, want %v", zip, detail.AreaCodes, want)
		}
	}
	for reason, want := range map[string]int64{"of Canada": 1, "of no place": 2, "that is none": 1, "of another state": 1, "of other counties": 4} {
		if got := b.count(b.report.Refused, reason); got != want {
			t.Errorf("refused as area code %q: %d, want %d", reason, got, want)
		}
	}
}
