package lookup_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

func TestCoordinatesWithoutAreas(t *testing.T) {
	r := lookuptest.Reader(t, lookuptest.Create(t).Open())
	_, err := r.Quick(t.Context(), "34.1,-118.41", lookup.QuickOptions{})
	var nf *envelope.Failure
	if !errors.As(err, &nf) || nf.Kind != envelope.KindUnavailable || !errors.Is(operation.InBatch(err), err) || (envelope.Links{}).Error(err).Message != "Coordinates 34.1,-118.41 cannot be resolved: this dataset holds no boundaries." {
		t.Errorf("%v", err)
	}
	p, err := r.Locate(t.Context(), "34.1,-118.41")
	if err != nil || p.Location != geo.MustLatLng(34.1, -118.41) || p.City != "" {
		t.Errorf("%+v, %v", p, err)
	}
}

// The zone that a quick record has comes first among the zones of the full
// one, even if another has more of the area.
func TestZoneOfThePointComesFirst(t *testing.T) {
	r := newReader(t)
	rec, err := r.Full(t.Context(), "10001", lookup.Options{Include: lookup.Include{Timezone: true}})
	check(t, err)
	var got []string
	for _, z := range rec.Timezone.Zones {
		got = append(got, z.IANAName)
	}
	want := []string{"America/New_York", "America/Toronto"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("zones (-want +got):\n%s", diff)
	}
}

// Where areas overlap, the smaller one has the point, of equal ones that of
// the lower code, and a ZIP has it before an FSA.
func TestOverlappingAreas(t *testing.T) {
	r := tiles(t, []tile{
		{code: "10001", east: 10, north: 10},
		{code: "10002", west: 2, south: 2, east: 4, north: 4},
		{code: "10003", west: 2, south: 2, east: 4, north: 4},
		{code: "10004", west: 10, east: 20, north: 10},
		{code: "K1A", west: 3, south: 9, east: 5, north: 12}, // half of it in 10001
	})
	for _, c := range []struct{ name, in, code string }{
		{"one area", "8,8", "10001"},
		{"three areas", "3,3", "10002"},
		{"both countries", "9.5,4", "10001"},
		{"Canada alone", "11,4", "K1A"},
		{"the edge of both countries' areas", "10,4", "10001"},
		{"an outer edge", "5,0", "10001"},
		{"neither", "11,9", ""},
	} {
		code, err := r.Containing(t.Context(), lookup.MustParseCode(c.in).LatLng())
		if code.String() != c.code || (err == nil) != (c.code != "") {
			t.Errorf("%s: %s, %v; want %s", c.name, code, err, c.code)
		}
	}
	for _, in := range []string{"0,10", "5,10", "10,10"} { // on the edge of two ZIPs
		code, err := r.Containing(t.Context(), lookup.MustParseCode(in).LatLng())
		if err != nil || code.Type() != lookup.ZIP {
			t.Errorf("%s: %s, %v", in, code, err)
		}
	}
}

// TestContainingOfGeneralCodes checks the code around a point in the area of a ZIP Code for
// boxes: the smallest general area that holds it, else one with it on the edge.
func TestContainingOfGeneralCodes(t *testing.T) {
	r := tiles(t, []tile{
		{code: "50000", west: -100, south: 38, east: -99, north: 39},
		{code: "50001", west: -99.8, south: 38.2, east: -99.2, north: 38.8},
		{code: "50002", west: -99.6, south: 38.4, east: -99.5, north: 38.5}, // the smallest, with its east edge in the boxes
		{code: "50003", west: -90, south: 38, east: -89.9, north: 38.1},
		{code: "50008", west: -99.51, south: 38.44, east: -99.49, north: 38.46, class: store.POBox},
		{code: "50009", west: -89.95, south: 38.05, east: -89.85, north: 38.06, class: store.POBox},
	})
	for _, tt := range []struct {
		lat, lng float64
		want     string
	}{
		{38.3, -99.3, "50001"},
		{38.45, -99.505, "50002"}, // in the boxes and all general areas
		{38.45, -99.495, "50001"}, // in the boxes, beside the smallest
		{38.45, -99.5, "50001"},   // on the edge of the smallest
		{38.055, -89.9, "50003"},  // in no general area, on the edge of one
	} {
		code, err := r.Containing(t.Context(), geo.MustLatLng(tt.lat, tt.lng))
		if err != nil || code.String() != tt.want {
			t.Errorf("around %v,%v: %v, %v; want %s", tt.lat, tt.lng, code, err, tt.want)
		}
	}
}
