package lookup_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
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
