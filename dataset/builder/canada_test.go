package builder_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// TestFSAs checks the rules about forward sortation areas.
func TestFSAs(t *testing.T) {
	w := newWorld(t)
	w.canada = append(w.canada,
		"CA\tH0H\tReserved (Santa Claus)\tQuebec\tQC\t\t\t\t\t90\t0\t",
		"CA\tX0A\tOuter Nunavut (Iqaluit)\tNunavut Territory\tNU\t\t\t\t\t79.6\t-76.7\t5",
		"CA\tL9Q\tFirst\tOntario\tON\t\t\t\t\t44\t-79\t4",
		"CA\tL9Q\tSecond\tOntario\tON\t\t\t\t\t45\t-79\t4",
		"CA\tX1Q\tElm\tNorthwest Territory\tNT\t\t\t\t\t62\t-114\t4",
		"CA\tV9Q\tElm\tBritish Columbia\tBC\t\t\t\t\t12\t-123\t4",
		"CA\tZ9Q\tElm\tNowhere\tZZ\t\t\t\t\t45\t-79\t4",
	)
	w.population = []string{
		`"2021","Canada","x","1","36991981","","16284235","","14978941",""`,
		`"2021","K9Q","x","2","1200","","600","","550",""`,
		`"2021","L9Q","x","3","..","","600","","",""`,
		`"2021","K9Q","x","4","9","","9","","9",""`,
		`"2021","Q1Q","x","5","9","","9","","9",""`,
	}
	b := w.build()
	if row, _ := b.fsa("H0H"); row.Location.IsValid() || row.City != "North Pole" || row.Zone != 0 {
		t.Errorf("H0H is %+v, want no point", row)
	}
	if row, _ := b.fsa("X0A"); row.Location.Lat() > 64 {
		t.Errorf("X0A is at %v, want Iqaluit", row.Location)
	}
	if row, _ := b.fsa("L9Q"); row.City != "First" {
		t.Errorf("of a duplicate %q was kept, want the first", row.City)
	}
	if row, _ := b.fsa("X1Q"); b.State(row.Province).Name != "Northwest Territories" {
		t.Errorf("X1Q is in %q", b.State(row.Province).Name)
	}
	if row, _ := b.fsa("V9Q"); row.Location.IsValid() {
		t.Errorf("V9Q kept a point outside Canada, %v", row.Location)
	}
	_, d := b.fsa("K9Q")
	want := &store.FSADetail{
		AreaCodes: []uint16{249, 683, 705}, Population: new(int32(1200)), Dwellings: new(int32(600)), DwellingsOccupied: new(int32(550)),
		Quality: store.Quality{PointSource: "GeoNames", PopulationYear: 2021, PopulationSource: "statcan-98100019"},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("K9Q (-want +got):\n%s", diff)
	}
	if _, d := b.fsa("L9Q"); d.Population != nil || d.Dwellings == nil || d.DwellingsOccupied != nil {
		t.Errorf("L9Q has %+v, want dwellings alone", d)
	}
	for reason, want := range map[string]int64{
		"duplicate FSA, the first is kept": 1, "unknown province": 1, "statcan-98100019: duplicate FSA": 1,
	} {
		if got := b.count(b.report.Refused, reason); got != want {
			t.Errorf("refused as %q: %d, want %d", reason, got, want)
		}
	}
}

// TestPostalCodes checks the sources of the points and cities of full postal
// codes.
func TestPostalCodes(t *testing.T) {
	w := newWorld(t)
	w.fsa("K0Q", "Rural Elm (Oak)", "ON", 44.5, -77.5)
	full := func(code, city string, lat, lng float64) {
		w.canadaFull = append(w.canadaFull, fmt.Sprintf("CA\t%s\t%s\tOntario\tON\t\t\t\t\t%v\t%v\t6", code, city, lat, lng))
	}
	full("K0Q 0A1", "St Elm", 44.5, -77.5)
	full("K0Q 0A2", "Ash", 44.6, -77.6)
	full("K0Q 0A2", "Twice", 44.6, -77.6)
	full("K0Q 0A3", "Far", 42, -82)
	full("K0Q 0A4", "Ash", 44.61, -77.6)
	full("K0Q 0A5", "Abroad", 30, -77.6)
	full("X9Q 0A1", "No province", 65, -100)
	full("L3Q 0A1", "Newtown", 44.3, -79.6) // an FSA that GeoNames' list lacks
	full("L3Q 0A2", "Newtown", 44.31, -79.6)
	full("L3Q 0A3", "Oldtown", 44.32, -79.6)
	w.population = []string{`"2021","L3Q","x","2","120","","60","","55",""`, `"2021","L3R","x","3","1","","1","","1",""`}
	w.fsa("N0Q", "Region (Elm)", "ON", 48, -85) // far from its codes
	for i := range 6 {
		full(fmt.Sprintf("N0Q 0A%d", i), "Elm", 43+float64(i)/100, -81)
	}
	w.fsa("N1Q", "Elm", "ON", 43.1, -81)  // 11 km from many codes
	w.fsa("N2Q", "Elm", "ON", 43.04, -81) // 4 km
	w.fsa("N3Q", "Elm", "ON", 43.1, -81)  // 11 km, but one code too few has a point
	for i := range 20 {
		for _, fsa := range []string{"N1Q", "N2Q"} {
			full(fmt.Sprintf("%s 1%c%d", fsa, 'A'+i/10, i%10), "Elm", 43, -81)
		}
		if i > 0 {
			full(fmt.Sprintf("N3Q 1%c%d", 'A'+i/10, i%10), "Elm", 43, -81)
		}
	}
	link := func(code, da, best string) {
		w.correspondence = append(w.correspondence, code+",35060001001,"+da+",505,1,1,1,1,"+best+",1,2026-06-26,2021")
	}
	link("K9Q 1A1", "35060001", "TRUE")
	link("K9Q 1A1", "35060002", "FALSE")
	link("K9Q 1A2", "35060003", "TRUE") // two old areas
	link("K9Q 1A3", "35060009", "TRUE") // an area without a point
	link("K0Q 0A1", "35060001", "TRUE") // GeoNames has it
	link("K0Q 9A9", "35060001", "TRUE") // no name: the nearest in a rural FSA
	w.daPoints = []string{"35060001,44.52,-77.5", "35060004,44,-77", "35060005,44.2,-77.2"}
	w.daLinks = []string{"35060001,35060001|35060004", "35060002,35060002", "35060003,35060004|35060005"}
	b := w.build("postal-codes")
	type code struct {
		city     string
		location geo.LatLng
	}
	for text, want := range map[string]code{
		"K0Q 0A1": {"St. Elm", geo.MustLatLng(44.5, -77.5)},
		"K0Q 0A2": {"Ash", geo.MustLatLng(44.6, -77.6)},
		"K0Q 0A3": {"Far", geo.MustLatLng(44.5, -77.5)},
		"K9Q 1A1": {"Maple", geo.MustLatLng(44.52, -77.5)},
		"K9Q 1A2": {"Maple", geo.MustLatLng(44.1, -77.1)},
		"K9Q 1A3": {"Maple", geo.MustLatLng(44, -77)},
		"K0Q 9A9": {"St. Elm", geo.MustLatLng(44.52, -77.5)},
	} {
		p, _ := postcode.ParsePostalCode(text)
		row, ok := b.PostalCode(p)
		if !ok {
			t.Errorf("%s is not in the dataset", text)
			continue
		}
		if got := (code{row.City, row.Location}); got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
		if b.State(row.Province).Abbr != "ON" {
			t.Errorf("%s is in province %q", text, b.State(row.Province).Abbr)
		}
	}
	if row, d := b.fsa("L3Q"); row.City != "Newtown" || row.Location != geo.MustLatLng(44.31, -79.6) || b.State(row.Province).Abbr != "ON" || d.Population == nil || *d.Population != 120 {
		t.Errorf("L3Q, made of its codes, is %+v", row)
	}
	if row, _ := b.fsa("N0Q"); row.Location != geo.MustLatLng(43.03, -81) {
		t.Errorf("N0Q is at %v, want the median of its codes", row.Location)
	}
	for code, want := range map[string]geo.LatLng{"N1Q": geo.MustLatLng(43, -81), "N2Q": geo.MustLatLng(43.04, -81), "N3Q": geo.MustLatLng(43.1, -81)} {
		if row, _ := b.fsa(code); row.Location != want {
			t.Errorf("%s is at %v, want %v", code, row.Location, want)
		}
	}
	if _, d := b.fsa("K9Q"); d.PostalCodes == nil || *d.PostalCodes != 3 {
		t.Errorf("K9Q has %v postal codes, want 3", d.PostalCodes)
	}
	for reason, want := range map[string]int64{"duplicate postal code": 1, "point outside Canada": 1, "postal code of no province": 1} {
		if got := b.count(b.report.Refused, reason); got != want {
			t.Errorf("refused as %q: %d, want %d", reason, got, want)
		}
	}
}

// TestFSAAreaCodes checks well-known area codes.
func TestFSAAreaCodes(t *testing.T) {
	w := newWorld(t)
	tests := map[string]uint16{
		"A1C": 709, "B3H": 902, "C1A": 902, "E3B": 506, "G1R": 418, "G9A": 819, "H2X": 514, "H7N": 450, "J8X": 819, "J4K": 450, "J1H": 819,
		"J2C": 819, "K1P": 613, "K9J": 705, "L5B": 905, "L4M": 705, "L9W": 519, "M5V": 416, "N6A": 519, "P3E": 705, "P7B": 807, "R3C": 204,
		"S7K": 306, "T2P": 403, "T5J": 780, "T8N": 780, "T4N": 403, "V6B": 604, "V8W": 250, "V1Y": 250, "V3T": 604, "X1A": 867, "Y1A": 867,
	}
	for code := range tests {
		w.fsa(code, "Elm", "ON", 50, -90)
	}
	b := w.build()
	for code, want := range tests {
		_, d := b.fsa(code)
		found := false
		for _, c := range d.AreaCodes {
			found = found || c == want
		}
		if !found {
			t.Errorf("%s has area codes %v, want %d among them", code, d.AreaCodes, want)
		}
	}
}
