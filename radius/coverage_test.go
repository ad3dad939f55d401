package radius_test

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/radius"
)

// bordersEngine opens a dataset of four states. Only Kansas has ZIP Codes. Quebec
// has an FSA without postal codes, and no outline.
func bordersEngine(t *testing.T) *radius.Engine {
	t.Helper()
	must := lookuptest.Must(t)
	w := lookuptest.Create(t)
	must(w.SetStates([]store.State{
		{Country: store.US, Abbr: "KS", Name: "Kansas", FIPS: "20"},
		{Country: store.US, Abbr: "NE", Name: "Nebraska", FIPS: "31"},
		{Country: store.CA, Abbr: "MB", Name: "Manitoba"},
		{Country: store.CA, Abbr: "QC", Name: "Quebec"},
	}))
	must(w.AddZIP(store.ZIPRow{ZIP: 50000, City: "Town", State: 1, Class: store.General, Location: geo.MustLatLng(39.9, -99)}, store.ZIPDetail{}))
	fsa, _ := postcode.ParseFSA("G0A")
	must(w.AddFSA(store.FSARow{FSA: fsa, City: "Ville", Province: 4, Location: geo.MustLatLng(39.85, -99.1)}, store.FSADetail{}))
	var outlines spatial.PolygonIndexBuilder
	for _, corner := range [][2]float64{{-100, 38}, {-100, 40}, {-98, 39}} { // Kansas, Nebraska, Manitoba
		x, y := corner[0], corner[1]
		must(outlines.Add(orb.MultiPolygon{{{{x, y}, {x + 2, y}, {x + 2, y + 2}, {x, y + 2}, {x, y}}}}))
	}
	packed := lookuptest.Packed(t, &outlines)
	must(w.SetStateAreas(storewrite.AreaLayer[store.StateID]{Sources: []string{"test"}, Keys: []store.StateID{1, 2, 3}, Packed: packed}))
	d := w.Open()
	r := lookuptest.Reader(t, d)
	return radius.NewEngine(r)
}

// TestCoverage checks the notice on states without codes that a circle touches.
// Nebraska begins 6.9 miles from the center, Manitoba 53 miles. The FSA in Quebec
// is 6.3 miles away. In spatial searches the ZIP Code lacks its outline.
func TestCoverage(t *testing.T) {
	const undrawn = "outlines of 1 ZIP Codes of this search"
	e := bordersEngine(t)
	for _, tt := range []struct {
		miles             geo.Miles
		centroid, spatial string
	}{
		{5, "", undrawn},
		{6.6, "postal codes of Quebec", undrawn},
		{10, "ZIP Codes of Nebraska; postal codes of Quebec", undrawn + "ZIP Codes of Nebraska"},
		{60, "ZIP Codes of Nebraska; postal codes of Manitoba, Quebec", undrawn + "ZIP Codes of Nebraska; FSAs of Manitoba"},
	} {
		for mode, want := range map[radius.Mode]string{radius.Centroid: tt.centroid, radius.Spatial: tt.spatial} {
			res, err := e.Search(t.Context(), "50000", radius.Options{Max: tt.miles, Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, n := range res.Notices {
				if n.Code == envelope.DataNotLoaded {
					got += strings.TrimSuffix(strings.TrimPrefix(n.Message, "Not in this dataset: "), ".")
				}
			}
			if got != want {
				t.Errorf("%v miles, %v: %q, want %q", float64(tt.miles), mode, got, want)
			}
		}
	}
}
