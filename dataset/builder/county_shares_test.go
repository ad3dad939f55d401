package builder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/store"
)

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
