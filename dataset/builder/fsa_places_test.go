package builder_test

import (
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
)

// TestFSAsAmongPeople checks that an FSA lies among its dissemination areas,
// and that a rural one is named after the settlement with most residents.
func TestFSAsAmongPeople(t *testing.T) {
	w := newWorld(t)
	square := func(west, south, east, north float64, values ...string) outline {
		return outline{west, south, east, north, values}
	}
	w.fsa("K8Q", "Near", "ON", 45.9, -77.9)
	w.fsa("K7Q", "Close", "ON", 45.32, -76.5)
	w.fsa("P0Q", "North (Elm)", "ON", 50.5, -85.5)
	w.outlines(
		[]outline{square(-84, 39, -82.5, 41, "39901", "Amber", "Amber County", "06")}, nil, nil,
		[]outline{square(-78, 45, -77, 46, "K8Q", "8600"), square(-77, 45, -76, 46, "K7Q", "8600"), square(-86, 48, -80, 51, "P0Q", "99999")},
	)
	w.others[statCanBounds+"lcsd000b21a_e.zip"] = zippedShapes(t, "lcsd000b21a_e", []string{"CSDUID", "CSDNAME", "LANDAREA"}, []outline{
		square(-86, 48, -85, 49, "3599001", "Elm"), square(-81, 50, -80, 51, "3599002", "Oak"), square(-85, 49, -81, 50, "3599003", "Rough"),
		square(-82, 50, -81, 51, "3599004", "Reserve 7"),
	})
	w.other("statcan.local/csd_2021_attributes.csv", "", "CSDUID,CSDNAME,CSDTYPE,CDUID,CMAUID,PRUID,PR,POP2021",
		"3599001,Elm,T,3599,,35,ON,1000", "3599002,Oak,T,3599,,35,ON,2000", "3599003,Rough,RM,3599,,35,ON,9000", "3599004,Reserve 7,IRI,3599,,35,ON,5000")
	w.daPoints = []string{
		"35990007,45.3,-76.5", "35990001,45.2,-77.6", "35990002,45.4,-77.4", // K8Q
		"35990003,48.5,-85.5", "35990004,50.5,-80.5", "35990005,50.7,-80.3", "35990006,49.5,-83",
	}
	b := w.build("places")
	for _, want := range []struct {
		code, city string
		at         geo.LatLng
	}{
		{"K8Q", "Near", geo.MustLatLng(45.3, -77.5)},
		{"K7Q", "Close", geo.MustLatLng(45.3, -76.5)},
		{"P0Q", "Oak", geo.MustLatLng(50.6, -80.4)},
	} {
		fsa, _ := postcode.ParseFSA(want.code)
		row, ok := b.FSA(fsa)
		if !ok || row.City != want.city || row.Location != want.at {
			t.Errorf("%s is %s at %v, want %s at %v", want.code, row.City, row.Location, want.city, want.at)
		}
	}
	if got := b.count(b.report.Rules, "city of a rural FSA"); got != 1 {
		t.Errorf("%d FSAs named after their largest place, want 1", got)
	}
}
