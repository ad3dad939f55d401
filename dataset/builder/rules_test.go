package builder_test

import (
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// TestPoints checks the rules about the points of ZIPs.
func TestPoints(t *testing.T) {
	w := newWorld(t)
	w.zcta("43910", 5_000_000, 1000, 40.5, -83.5)
	w.zip("43910", "General", "OH", "901", 40.6, -83.6) // too far from its small ZCTA
	w.zcta("43917", 500_000_000, 1000, 40.5, -83.5)
	w.zip("43917", "General", "OH", "901", 40.6, -83.6) // may be within its ZCTA
	w.zcta("43911", 1, 1, 40.5, -83.5)
	w.supplied("43911", "PO BOX", "0", "Box", "", "OH", "Amber County", "", 40.6, -83.6) // keeps its own
	w.zcta("43912", 1, 1, 40.5, -83.5)
	w.supplied("43912", "PO BOX", "0", "Far", "", "OH", "Amber County", "", 44, -90) // likewise, without outlines of counties
	w.zcta("43913", 1, 1, 40.5, -83.5)
	w.supplied("43913", "UNIQUE", "0", "Zero", "", "OH", "Amber County", "", 0, 0)
	w.supplied("43914", "PO BOX", "0", "Enclosed", "", "OH", "Amber County", "", 0, 0)
	w.uds = append(w.uds, "43914,2015,Post Office or large volume customer,Enclosed,,OH,43910,43910")
	w.supplied("43915", "PO BOX", "0", "Nowhere", "", "OH", "Amber County", "", 0, 0)
	w.zip("43916", "Sign", "OH", "901", 40.2, -83.2)
	w.supplied("43916", "PO BOX", "0", "Sign", "", "OH", "Amber County", "", 40.2, 83.2) // the sources disagree
	b := w.build()
	none := geo.LatLng{}
	for code, want := range map[string]geo.LatLng{
		"43910": geo.MustLatLng(40.5, -83.5), "43911": geo.MustLatLng(40.6, -83.6), "43912": geo.MustLatLng(44, -90),
		"43913": geo.MustLatLng(40.5, -83.5), "43914": geo.MustLatLng(40.5, -83.5), "43915": none, "43917": geo.MustLatLng(40.6, -83.6), "43916": geo.MustLatLng(40.2, -83.2),
	} {
		if row, _ := b.zip(code); row.Location != want {
			t.Errorf("%s is at %v, want %v", code, row.Location, want)
		}
	}
	for rule, want := range map[string]int64{
		"missing point of a post office, Gazetteer": 2, "sources disagree about the point": 1,
	} {
		if got := b.count(b.report.Rules, rule); got != want {
			t.Errorf("rule %q applied %d times, want %d", rule, got, want)
		}
	}
}

// TestClasses checks the order of the sources of a class.
func TestClasses(t *testing.T) {
	w := newWorld(t)
	w.county("DC", "11901", "District", 38.9, -77)
	w.zip("20599", "Washington", "DC", "901", 38.9, -77) // a unique prefix, no ZCTA
	w.zcta("20205", 1, 1, 38.9, -77)
	w.zip("20205", "Washington", "DC", "901", 38.9, -77)
	w.uds = []string{
		"43930,2015,Post Office or large volume customer,Boxes,,OH,43901,43901",
		"43931,2015,ZIP Code Area,Area,,OH,43931,43931",
		"20205,2015,Post Office or large volume customer,Washington,,DC,20205,20205",
		"20599,2015,Post Office or large volume customer,Washington,,DC,20205,20205",
	}
	w.zip("43930", "Boxes", "OH", "901", 40, -83)
	w.zip("43931", "Area", "OH", "901", 40, -83)
	w.zip("09999", "APO AA", "", "", 50, 8)
	b := w.build()
	want := map[string]store.Class{
		"20599": store.Unique, "20205": store.POBox, "43930": store.POBox, "43931": store.General, "09999": store.Military, "43901": store.General,
	}
	for code, class := range want {
		if row, _ := b.zip(code); row.Class != class {
			t.Errorf("%s is %s, want %s", code, row.Class.Name(), class.Name())
		}
	}
	w = newWorld(t)
	w.supplied("20599", "STANDARD", "0", "Washington", "", "DC", "", "", 38.9, -77)
	w.supplied("43932", "UNIQUE", "0", "Firm", "", "OH", "Amber County", "", 40, -83)
	w.supplied("34099", "STANDARD", "0", "Apo", "", "AE", "", "", 0, 0)
	b = w.build()
	for code, class := range map[string]store.Class{"20599": store.Unique, "43932": store.Unique, "34099": store.Military} {
		if row, _ := b.zip(code); row.Class != class {
			t.Errorf("%s is %s, want %s", code, row.Class.Name(), class.Name())
		}
	}
}

// TestInferredClasses checks the classes that follow from the types of the
// crosswalk and the shape of use.
func TestInferredClasses(t *testing.T) {
	w := newWorld(t)
	w.uds = []string{}
	add := func(code, city, kind string, land int) {
		w.zip(code, city, "OH", "901", 40, -83)
		if land > 0 {
			w.zcta(code, land, 0, 40, -83)
		}
		w.uds = append(w.uds, fmt.Sprintf("%s,2015,%s,%s,,OH,%s,%s", code, kind, city, code, code))
	}
	const area, boxes = "ZIP Code Area", "Post Office or large volume customer"
	add("44001", "Elm", area, 9_000_000)
	add("44002", "Elm", boxes, 0)   // boxes: many small firms have their mail there
	add("44003", "Elm", boxes, 0)   // one customer
	add("44004", "Elm", boxes, 0)   // one large customer
	add("44005", "Elm", area, 0)    // a campus
	add("44006", "Elm", area, 5000) // small, but full of firms
	add("44007", "Oak", area, 5000) // a village's post office
	add("44008", "Ash", boxes, 0)   // a village's post office, by the crosswalk
	add("44009", "Fir", area, 9_000_000)
	w.other(zbpPath, "zbp20totals.txt", zbpHeader,
		`"44002","ELM, OH","G",40,"J",9,"H",41,20,"ELM","OH","AMBER"`,
		`"44006","ELM, OH","G",900,"J",9,"H",41,90,"ELM","OH","AMBER"`)
	w.other(zbpPath2016, "zbp16totals.txt", zbpHeader16,
		`"44003","ELM, OH","A","D",0,"D",0,"D",0,1,"ELM","OH","AMBER"`,
		`"44004","ELM, OH","F","D",0,"D",0,"D",0,3,"ELM","OH","AMBER"`)
	counted := map[string]store.Class{
		"44001": store.General, "44002": store.POBox, "44003": store.Unique, "44004": store.Unique, "44005": store.Unique,
		"44006": store.General, "44007": store.POBox, "44008": store.POBox, "44009": store.General,
	}
	check := func(want map[string]store.Class) {
		t.Helper()
		b := w.build()
		for code, class := range want {
			if row, _ := b.zip(code); row.Class != class {
				t.Errorf("%s is %s, want %s", code, row.Class.Name(), class.Name())
			}
		}
	}
	check(counted)
	delete(w.others, zbpPath)
	delete(w.others, zbpPath2016)
	uncounted := map[string]store.Class{}
	for code := range counted {
		uncounted[code] = store.General
	}
	for _, code := range []string{"44002", "44003", "44004", "44008"} {
		uncounted[code] = store.POBox
	}
	check(uncounted)
}

// TestUDSEditions checks that a ZIP is a post office if any edition of the
// crosswalk has it so, and that the territories' codes come from all of them.
func TestUDSEditions(t *testing.T) {
	w := newWorld(t)
	w.uds = []string{"44001,2015,ZIP Code Area,Elm,,OH,44001,44001", "44002,2015,Post Office or large volume customer,Elm,,OH,44001,44001"}
	w.zip("44001", "Elm", "OH", "901", 40, -83)
	w.zip("44002", "Oak", "OH", "901", 40, -83)
	w.others["udsmapper.org/wp-content/uploads/2022/10/ZIPCodetoZCTACrosswalk2021UDS.xlsx"] = sheet([][]string{
		{"ZIP_CODE", "PO_NAME", "STATE", "ZIP_TYPE", "ZCTA", "zip_join_type"},
		{"44001", "Elm", "OH", "Post Office or large volume customer", "44001", "x"},
		{"44002", "Oak", "OH", "Zip Code Area", "44002", "x"},
		{"00699", "Playa", "PR", "Zip Code Area", "00699", "x"},
	})
	b := w.build()
	for code, class := range map[string]store.Class{"44001": store.POBox, "44002": store.POBox, "00699": store.General} {
		if row, _ := b.zip(code); row.Class != class {
			t.Errorf("%s is %s, want %s", code, row.Class.Name(), class.Name())
		}
	}
}

// TestElevation checks the order of the sources of an elevation.
func TestElevation(t *testing.T) {
	w := newWorld(t)
	w.zcta("43960", 1, 1, 40, -83)
	w.zip("43960", "Own", "OH", "901", 40, -83)
	w.zip("43961", "Enclosed", "OH", "901", 40, -83)
	w.zip("43962", "County", "OH", "901", 40, -83)
	w.zip("43963", "None", "OH", "903", 40, -82)
	w.uds = []string{"43961,2015,Post Office or large volume customer,Enclosed,,OH,43960,43960"}
	w.county("CA", "06025", "Imperial County", 33, -115)
	w.zip("92990", "Basin", "CA", "025", 33, -115)
	w.zip("43964", "Abyss", "OH", "901", 40, -83)
	w.zip("43965", "Polder", "OH", "901", 40, -83)
	w.zip("43966", "Bottom", "OH", "903", 40, -82)
	w.zctaElevation = []string{"43960,100.5", "43999,-89146.2", "92990,-60", "43964,-70", "43965,-4.5", "43998,-91", "43966,-80"}
	w.countyElevation = []string{"39901,200,Amber"}
	b := w.build()
	for code, want := range map[string]float64{"43960": 100.5, "43961": 100.5, "43962": 200, "92990": -60, "43964": 200, "43965": -4.5} {
		if _, d := b.zip(code); d.Elevation == nil || *d.Elevation != want {
			t.Errorf("elevation of %s is %v, want %v", code, d.Elevation, want)
		}
	}
	if _, d := b.zip("43963"); d.Elevation != nil {
		t.Errorf("43963 has an elevation, %v", *d.Elevation)
	}
	if got := b.count(b.report.Refused, "Average Elevation"); got != 2 {
		t.Errorf("%d impossible elevations refused, want 2", got)
	}
	if _, d := b.zip("43966"); d.Elevation != nil {
		t.Errorf("43966 is at %v m, want no elevation, as its county has none", *d.Elevation)
	}
	if got := b.count(b.report.Rules, "below the sea"); got != 2 {
		t.Errorf("%d elevations gave way to the county's, want 2", got)
	}
}
