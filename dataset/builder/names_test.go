package builder_test

import (
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
)

// TestNames checks the spelling of cities.
func TestNames(t *testing.T) {
	w := newWorld(t)
	w.place("OH", "3990001", "DeKalb village")
	w.place("OH", "3990002", "La Grange CDP")
	w.place("OH", "3990003", "O'Hara city")
	w.place("OH", "3990004", "Lee's Crossing town")
	w.place("OH", "3990005", "Española city")
	w.place("OH", "3990006", "Port-au-Lac city")
	w.place("OH", "3990007", "St. Anne's Bay village")
	w.place("OH", "3990008", "McAster CDP")
	w.place("OH", "3990009", "Fond du Bois city")
	w.cousubs = append(w.cousubs, "OH|3990190001|x|x|LeRoy township|A|1|0|0|0|40|-83")
	tests := []struct{ given, want string }{
		{"Dekalb", "DeKalb"},
		{"DEKALB", "DeKalb"},
		{"La Grange", "La Grange"},
		{"Lagrange", "Lagrange"}, // other words: not the same name
		{"O Hara", "O'Hara"},
		{"Ohara", "O'Hara"},
		{"Lees Crossing", "Lee's Crossing"},
		{"Espanola", "Espanola"}, // the Postal Service has no accents
		{"Port Au Lac", "Port-au-Lac"},
		{"Saint Annes Bay", "Saint Anne's Bay"},
		{"Mc Aster", "McAster"},
		{"Fond Du Bois", "Fond du Bois"},
		{"Leroy", "LeRoy"},
		{"Mccomber", "McComber"}, // from here by rule, no place has the name
		{"Mc Comber", "McComber"},
		{"MACON FALLS", "Macon Falls"},
		{"Isle Of The Winds", "Isle of the Winds"},
		{"The Village", "The Village"},
		{"O Bannon", "O'Bannon"},
		{"D Arcy", "D'Arcy"},
		{"Round O", "Round O"},
		{"Jbphh", "JBPHH"},
		{"Elm Afb", "Elm AFB"},
		{"Fe Warren Afb", "FE Warren AFB"},
		{"St Elmo", "St. Elmo"},
		{"St. Elmo", "St. Elmo"},
		{"Elm St Univ", "Elm St Univ"},
		{"Village O The Elms", "Village O the Elms"},
		{"Macdill Afb", "MacDill AFB"},
		{"Saint Elmo", "Saint Elmo"},
		{"WINSTON-ELM", "Winston-Elm"},
		{"Coeur d'Elm", "Coeur d'Elm"},
		{"LaSalle Elm", "LaSalle Elm"},
	}
	for i, test := range tests {
		w.zip(fmt.Sprint(43100+i), test.given, "OH", "901", 40, -83)
	}
	b := w.build()
	for i, test := range tests {
		if row, _ := b.zip(fmt.Sprint(43100 + i)); row.City != test.want {
			t.Errorf("%q is spelt %q, want %q", test.given, row.City, test.want)
		}
	}
}

// TestFSANames checks the city of an FSA by its description.
func TestFSANames(t *testing.T) {
	tests := []struct{ code, place, province, want string }{
		{"R3Q", "Elmburg (Oak / Ash)", "MB", "Elmburg"},
		{"V3Q", "Elmburg North", "BC", "Elmburg"},
		{"T9Q", "Elmburg Park Northeast", "AB", "Elmburg Park"},
		{"T0Q", "Eastern Plains (St. Elm)", "AB", "St. Elm"},
		{"E3Q", "Elmburg South New Brunswick Provincial Government", "NB", "Elmburg"},
		{"A1Q", "St. Elm's Northwest Newfoundland & Labrador Provincial Government", "NL", "St. Elm's"},
		{"E2Q", "Elmburg, Oakburg", "NB", "Elmburg"},
		{"A1Z", "Conception Bay South", "NL", "Conception Bay South"},
		{"M5Q", "Old Elm (Oak)", "ON", "Toronto"},
		{"H2Q", "Plateau Elm", "QC", "Montreal"},
		{"H3Z", "Westmount East", "QC", "Westmount"},
		{"H7Q", "Elm-des-Rapides", "QC", "Laval"},
		{"R2Q", "East St. Elm", "MB", "East St. Elm"},
		{"J0Q", "Montérégie (Saint-Orme-Sur-Riviere)", "QC", "Saint-Orme-sur-Riviere"},
		{"J1Q", "Saint-Orme-D'Acton", "QC", "Saint-Orme-d'Acton"},
		{"G1Q", "St-Etienne-De-L'Orme", "QC", "Saint-Étienne-de-l'Orme"},
		{"G2Q", "Orme-a-la-Croix East", "QC", "Orme-à-la-Croix"},
		{"G3Q", "La Prairie", "QC", "La Prairie"},
		{"G4Q", "Le-Grand-Orme-Des", "QC", "Le-Grand-Orme-Des"},
		{"H9R", "Dollard-Des-Ormeaux East", "QC", "Dollard-des-Ormeaux"},
		{"H9Q", "Baie-D'Urfé", "QC", "Baie-D'Urfé"},
		{"K8Q", "Orme-De-Bois", "ON", "Orme-De-Bois"},
		{"N5Q", "Downtown Elmburg South & West", "ON", "Elmburg"},
	}
	w := newWorld(t)
	for _, test := range tests {
		w.fsa(test.code, test.place, test.province, 50, -90)
	}
	b := w.build()
	for _, test := range tests {
		if row, _ := b.fsa(test.code); row.City != test.want {
			t.Errorf("%s %q is %q, want %q", test.code, test.place, row.City, test.want)
		}
	}
}

// TestPOBoxInItsCity checks when the point of a PO Box ZIP gives way to that of
// the city of its name.
func TestPOBoxInItsCity(t *testing.T) {
	w := newWorld(t)
	place := func(geoid, name string, land int64, lat, lng float64) {
		w.places = append(w.places, fmt.Sprintf("OH|%s|x|x|%s|25|A|%d|0|0|0|%v|%v", geoid, name, land, lat, lng))
	}
	box := func(code, city string, lat, lng float64) {
		w.supplied(code, "PO BOX", "0", city, "", "OH", "Amber County", "", lat, lng)
	}
	place("3990101", "Oakton city", 1e7, 40.5, -83.5)
	place("3990102", "Elmton village", 1e7, 40.1, -83.1)
	place("3990103", "Elmton CDP", 1e7, 41.1, -83.1)
	place("3990104", "Bigburg city", 2e9, 40, -84) // 25 km across
	place("3990105", "Wetport city", 1e7, 40, -82)
	w.zip("43802", "Wetport", "OH", "901", 40, -82.5)
	w.zcta("43802", 1, 1, 40.05, -82.5)
	w.zcta("43811", 1, 1, 43, -83.5)
	w.zcta("43812", 1, 1, 40.9, -83.5)

	box("43810", "Oakton", 40.9, -83.5)  // 28 miles off
	box("43811", "Oakton", 40.55, -83.5) // in the city, its ZCTA 170 miles away
	box("43812", "Oakton", 43, -83.5)    // the ZCTA is not used, as the city is known
	box("43813", "Elmton", 40.5, -83.1)  // two places of the name
	box("43814", "Bigburg", 40.3, -84)   // 21 miles from the middle of a large city
	box("43815", "Wetport", 40, -82.5)   // 26 miles off, by the area of another ZIP of the city
	w.supplied("43816", "STANDARD", "0", "Oakton", "", "OH", "Amber County", "", 40.9, -83.5)
	b := w.build()
	for code, want := range map[string]geo.LatLng{
		"43810": geo.MustLatLng(40.5, -83.5), "43811": geo.MustLatLng(40.55, -83.5), "43812": geo.MustLatLng(40.5, -83.5),
		"43813": geo.MustLatLng(40.5, -83.1), "43814": geo.MustLatLng(40.3, -84), "43815": geo.MustLatLng(40, -82.5),
		"43816": geo.MustLatLng(40.9, -83.5),
	} {
		if row, _ := b.zip(code); row.Location != want {
			t.Errorf("%s is at %v, want %v", code, row.Location, want)
		}
	}
	if got := b.count(b.report.Rules, "takes the city's point"); got != 2 {
		t.Errorf("%d points gave way to the city's, want 2", got)
	}
}

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
