package lookup_test

import (
	stdcmp "cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
)

// A tile is an area between two meridians and two parallels, in degrees.
type tile struct {
	code                     string
	west, south, east, north float64
	class                    store.Class
}

// ring returns the corners of a tile, with longitudes from -180 to 180.
func (t tile) ring() orb.MultiPolygon {
	lng := func(x float64) float64 {
		if x > 180 {
			return x - 360
		}
		return x
	}
	w, e := lng(t.west), lng(t.east)
	return orb.MultiPolygon{{{{w, t.south}, {e, t.south}, {e, t.north}, {w, t.north}, {w, t.south}}}}
}

// tiles writes a dataset of ZIPs and FSAs whose areas are tiles.
func tiles(t *testing.T, list []tile) *lookup.Reader {
	t.Helper()
	must := lookuptest.Must(t)
	w := lookuptest.Create(t)
	must(w.SetStates([]store.State{{Country: store.US, Abbr: "KS", Name: "Kansas", FIPS: "20"}, {Country: store.CA, Abbr: "NU", Name: "Nunavut"}}))
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b tile) int { return strings.Compare(a.code, b.code) })
	var zips, fsas spatial.PolygonIndexBuilder
	zipLayer, fsaLayer := storewrite.AreaLayer[postcode.ZIP]{Sources: []string{"test"}}, storewrite.AreaLayer[postcode.FSA]{Sources: []string{"test"}}
	for _, tt := range list {
		at := geo.MustLatLng((tt.south+tt.north)/2, tt.ring()[0][0][0][0])
		if z, ok := postcode.ParseZIP(tt.code); ok {
			class := store.General
			if tt.class != 0 {
				class = tt.class
			}
			must(w.AddZIP(store.ZIPRow{ZIP: z, City: "Town of " + tt.code, State: 1, Class: class, Location: at}, store.ZIPDetail{}))
			must(zips.Add(tt.ring()))
			zipLayer.Keys = append(zipLayer.Keys, z)
			continue
		}
		f, _ := postcode.ParseFSA(tt.code)
		must(w.AddFSA(store.FSARow{FSA: f, City: "Town of " + tt.code, Province: 2, Location: at}, store.FSADetail{}))
		must(fsas.Add(tt.ring()))
		fsaLayer.Keys = append(fsaLayer.Keys, f)
	}
	zipLayer.Packed = lookuptest.Packed(t, &zips)
	must(w.SetZIPAreas(zipLayer))
	if len(fsaLayer.Keys) > 0 {
		fsaLayer.Packed = lookuptest.Packed(t, &fsas)
		must(w.SetFSAAreas(fsaLayer))
	}
	d := w.Open()
	return lookuptest.Reader(t, d)
}

// around returns a tile and others about it, from a south-west corner and with
// sides of so many degrees. A gap separates those in the east and south.
func around(lng, lat, width, height, gap float64) []tile {
	at := func(code string, x, y float64) tile {
		t := tile{code: code, west: lng + x*width, south: lat + y*height, east: lng + (x+1)*width, north: lat + (y+1)*height}
		if x > 0 {
			t.west, t.east = t.west+gap, t.east+gap
		}
		return t
	}
	return []tile{
		at("50000", 0, 0), at("50001", -1, 0), at("50002", 1, 0), at("X0A", 0, 1), at("50004", 0, -1),
		at("50005", -1, 1), at("50006", -2, 0), at("50007", 0, 2), at("50008", 3, 0),
		{code: "50009", west: lng, south: lat - height, east: lng + width, north: lat, class: store.POBox},
	}
}

// TestNeighborsOfTiles checks the neighbors of a tile, all but those behind others, and
// the lengths of their borders. It does so in places where longitudes change
// sign or meridians are close.
func TestNeighborsOfTiles(t *testing.T) {
	for _, tt := range []struct {
		name               string
		lng, lat           float64
		width, height, gap float64
		tolerance          geo.Meters
		apart              bool // the gap is wider than the tolerance
	}{
		{name: "Kansas", lng: -99.9, lat: 38.2, width: 0.1, height: 0.1},
		{name: "gap of 44 m", lng: -99.9, lat: 38.2, width: 0.1, height: 0.1, gap: 0.0005},
		{name: "gap of 88 m", lng: -99.9, lat: 38.2, width: 0.1, height: 0.1, gap: 0.001, apart: true},
		{name: "gap of 88 m within 100 m", lng: -99.9, lat: 38.2, width: 0.1, height: 0.1, gap: 0.001, tolerance: 100},
		{name: "gap of 88 m within 80 m", lng: -99.9, lat: 38.2, width: 0.1, height: 0.1, gap: 0.001, tolerance: 80, apart: true},
		{name: "gap of 880 m within 1 km", lng: -99.9, lat: 38.2, width: 0.1, height: 0.1, gap: 0.01, tolerance: 1000},
		{name: "south", lng: 20.05, lat: -70.1, width: 0.2, height: 0.1},
		{name: "gap in the south", lng: 20.05, lat: -70.1, width: 0.2, height: 0.1, gap: 0.0012},
		{name: "equator and first meridian", lng: -0.05, lat: -0.05, width: 0.1, height: 0.1},
		{name: "antimeridian in the middle", lng: 179.95, lat: 51.3, width: 0.1, height: 0.1},
		{name: "antimeridian in the west", lng: -180, lat: 51.3, width: 0.1, height: 0.1},
		{name: "antimeridian in the east", lng: 179.9, lat: 51.3, width: 0.1, height: 0.1},
		{name: "antimeridian in a gap", lng: 179.8999, lat: 51.3, width: 0.1, height: 0.1, gap: 0.0006},
		{name: "gap at 88.9 degrees", lng: 10, lat: 88.6, width: 2, height: 0.1, gap: 0.015},
		{name: "beyond 89 degrees", lng: 10, lat: 89.2, width: 4, height: 0.1, gap: 0.02},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := around(tt.lng, tt.lat, tt.width, tt.height, tt.gap)
			for i := range list {
				if list[i].west < -180 {
					list[i].west, list[i].east = list[i].west+360, list[i].east+360
				}
			}
			r := tiles(t, list)
			n, err := r.Neighbors(t.Context(), "50000", lookup.NeighborOptions{Tolerance: tt.tolerance})
			check(t, err)
			want := map[string]bool{"50001": false, "50002": false, "X0A": false, "50004": false, "50005": true} // corners
			if tt.apart {
				delete(want, "50002")
			}
			got := map[string]bool{}
			for _, c := range n.Codes {
				got[c.Code] = c.Corner
				if c.City != "Town of "+c.Code || (c.State == "NU") != (c.Code == "X0A") || (c.CodeType == lookup.FSA) != (c.Code == "X0A") {
					t.Errorf("%+v", c)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("neighbors and corners (-want +got):\n%s", diff)
			}
			corner := func(i int) geo.LatLng {
				p := list[0].ring()[0][0][i]
				return geo.MustLatLng(p[1], p[0])
			}
			// Each edge of the tile, the southern one first.
			var edges [4]geo.Meters
			var border geo.Meters
			for i := range edges {
				edges[i] = geo.Distance(corner(i), corner(i+1))
				border += edges[i]
			}
			tolerance := lookup.DefaultTolerance
			if tt.tolerance > 0 {
				tolerance = tt.tolerance
			}
			if math.Abs(n.BorderMi-float64(border.Miles())) > 0.02 || n.ToleranceM != tolerance || n.Code != "50000" || n.CodeType != lookup.ZIP {
				t.Errorf("%+v, want a border of %v miles", n, border.Miles())
			}
			for _, c := range n.Codes {
				if c.PctOfBorder < 0.1 || math.Abs(c.PctOfBorder-100*c.SharedMi/n.BorderMi) > 0.15 {
					t.Errorf("%s: %v %%, %v of %v miles", c.Code, c.PctOfBorder, c.SharedMi, n.BorderMi)
				}
				if at := slices.Index([]string{"50004", "50002", "X0A", "50001"}, c.Code); at >= 0 {
					// A shared edge, and on either side up to a tolerance.
					least, most := edges[at]-2*tolerance, edges[at]+4*tolerance
					if miles := geo.Miles(c.SharedMi); miles < least.Miles()-0.01 || miles > most.Miles()+0.01 {
						t.Errorf("%s: %v miles in common, want %v to %v", c.Code, c.SharedMi, least.Miles(), most.Miles())
					}
				}
			}
			if !slices.IsSortedFunc(n.Codes, func(a, b lookup.Neighbor) int { return stdcmp.Compare(b.SharedMi, a.SharedMi) }) {
				t.Errorf("not by length: %+v", n.Codes)
			}
		})
	}
}

// TestNeighborTolerances checks the limits of the tolerance.
func TestNeighborTolerances(t *testing.T) {
	r := tiles(t, around(-99.9, 38.2, 0.1, 0.1, 0))
	for tolerance, ok := range map[geo.Meters]bool{
		0: true, 1: true, lookup.MaxTolerance: true, lookup.MaxTolerance + 1: false, -1: false, geo.Meters(math.Inf(1)): false, geo.Meters(math.NaN()): false,
	} {
		n, err := r.Neighbors(t.Context(), "50000", lookup.NeighborOptions{Tolerance: tolerance})
		if ok != (err == nil) || !ok && !errors.Is(err, envelope.ErrInvalidParam) {
			t.Errorf("%v: %+v, %v", tolerance, n, err)
		}
		if e := envelope.AsFailure(err); e != nil && e.Input != fmt.Sprint(float64(tolerance)) {
			t.Errorf("%v: the input is %q", tolerance, e.Input)
		}
	}
}

// TestNeighbors compares the common borders of ZIP Codes and of counties with those in the
// other direction.
func TestNeighbors(t *testing.T) {
	db := sampletest.Open(t)
	for _, tt := range []struct {
		code   string
		least  int
		opt    lookup.NeighborOptions
		within float64 // miles
	}{{"90210", 3, lookup.NeighborOptions{}, 0.15}, {"36061", 2, lookup.NeighborOptions{Layer: lookup.LayerCounty, Tolerance: 100}, 0}} {
		areas := tt.opt.Layer != ""
		n, err := db.Neighbors(t.Context(), tt.code, tt.opt)
		check(t, err)
		if n.Layer != tt.opt.Layer || n.Code != tt.code || (n.CodeType == "") != areas || len(n.Codes) < tt.least {
			t.Errorf("%+v", n)
		}
		sum := 0.0
		for _, c := range n.Codes {
			sum += c.PctOfBorder
			back, err := db.Neighbors(t.Context(), c.Code, tt.opt)
			check(t, err)
			i := slices.IndexFunc(back.Codes, func(o lookup.Neighbor) bool { return o.Code == tt.code })
			if i < 0 || math.Abs(back.Codes[i].SharedMi-c.SharedMi) > tt.within {
				t.Errorf("%s touches %s along %v miles, which touches it along %+v", tt.code, c.Code, c.SharedMi, back.Codes)
			}
			if c.Layer != tt.opt.Layer || (c.CodeType == "") != areas || areas && c.Name == "" || !c.Location.IsValid() {
				t.Errorf("%+v", c)
			}
		}
		if sum > 105 {
			t.Errorf("the borders of %s add up to %.1f %%", tt.code, sum)
		}
		if _, err := db.Neighbors(t.Context(), "99999", tt.opt); !errors.Is(err, postgeo.ErrNotFound) {
			t.Errorf("an absent area: %v", err)
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := db.Neighbors(canceled, tt.code, tt.opt); !errors.Is(err, context.Canceled) {
			t.Errorf("a canceled context: %v", err)
		}
	}
	for input, want := range map[string]string{"90210-1001": "90210", "K1A 0B1": "K1A", " 90210 ": "90210"} {
		if n, err := db.Neighbors(t.Context(), input, lookup.NeighborOptions{}); err != nil || n.Code != want {
			t.Errorf("%q gives the neighbours of %+v, %v; want %s", input, n, err, want)
		}
	}
	if n, err := newReader(t).Neighbors(t.Context(), "90209", lookup.NeighborOptions{}); err != nil || len(n.Codes) > 0 || n.BorderMi != 0 {
		t.Errorf("a ZIP without an area has %+v, %v", n, err)
	}
}
