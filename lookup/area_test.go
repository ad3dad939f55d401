package lookup_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
)

func TestCoordinatesAreCodes(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct{ name, in, code, zone string }{
		{"inside", "34.1,-118.41", "90210", "America/Los_Angeles"},
		{"nearer to the point of another ZIP", "34.07,-118.41", "90210", "America/Los_Angeles"},
		{"on a corner", "34.05,-118.5", "90210", "America/Los_Angeles"},
		{"in the area that a unique ZIP cannot have", "40.75,-74.05", "10001", "America/New_York"},
		{"Canada", "45.4,-75.7", "K1A", "America/Toronto"},
		{"outside every zone's area", "47.55,-52.7", "A1C", "America/St_Johns"},
		{"east of the antimeridian", "51.9,-179", "99546", "America/Adak"},
		{"west of the antimeridian", "51.9,179.95", "99546", "America/Adak"},
		{"Mexico", "19.4,-99.1", "", ""},
		{"the sea", "0,0", "", ""},
		{"the pole", "90,0", "", ""},
	} {
		quick, err := r.Quick(t.Context(), c.in, lookup.QuickOptions{Timezone: true})
		full, fullErr := r.Full(t.Context(), c.in, lookup.Options{})
		if c.code == "" {
			var nf *envelope.Failure
			if !errors.As(err, &nf) || (envelope.Links{}).Error(err).Code != envelope.NotFoundCoordsNoBoundary || nf.Kind != envelope.KindNotFound || fullErr == nil {
				t.Errorf("%s: %v, %v", c.name, err, fullErr)
			}
			continue
		}
		if err != nil || fullErr != nil {
			t.Errorf("%s: %v, %v", c.name, err, fullErr)
			continue
		}
		if quick.Code != c.code || quick.Timezone.IANAName != c.zone {
			t.Errorf("%s: %s in %s, want %s in %s", c.name, quick.Code, quick.Timezone.IANAName, c.code, c.zone)
		}
		if quick.Identity != full.Identity {
			t.Errorf("%s: quick and full identity differ: %+v, %+v", c.name, quick.Identity, full.Identity)
		}
		codes := []envelope.Code{quick.Notices[0].Code, quick.Notices[1].Code}
		if diff := cmp.Diff([]envelope.Code{envelope.CoordinatesUsed, envelope.ReverseGeocode}, codes); diff != "" || len(full.Notices) < 2 {
			t.Errorf("%s: notices (-want +got):\n%s", c.name, diff)
		}
	}
}

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

func TestCenters(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct{ in, code, city string }{
		{"90210-1234", "90210", "Beverly Hills"},
		{"90210-9999", "90210", "Beverly Hills"},
		{"k1a", "K1A", "Ottawa"},
		{"k1a0b1", "K1A 0B1", "Ottawa"},
		{"45.4,-75.7", "", "Ottawa"},
		{"0,0", "", ""},
	} {
		p, err := r.Center(t.Context(), c.in)
		if err != nil || p.Code != c.code || p.City != c.city || !p.Location.IsValid() {
			t.Errorf("%s: %+v, %v; want %s in %s", c.in, p, err, c.code, c.city)
		}
	}
	p, err := r.Center(t.Context(), "90210-1234")
	if err != nil || p.Location != geo.MustLatLng(34.1, -118.41) {
		t.Errorf("a ZIP+4 is not at its ZIP: %v, %v", p.Location, err)
	}
	if _, err := r.Center(t.Context(), "K1A 9Z9"); !errors.Is(err, envelope.ErrNotFound) {
		t.Errorf("an unknown postal code: %v", err)
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
	box := func(west, south, east, north float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
	}
	var zips, fsas spatial.PolygonIndexBuilder
	zipLayer, fsaLayer := storewrite.AreaLayer[postcode.ZIP]{Sources: []string{"test"}}, storewrite.AreaLayer[postcode.FSA]{Sources: []string{"test"}}
	w := lookuptest.Create(t)
	must := lookuptest.Must(t)
	must(w.SetStates([]store.State{{Country: store.US, Abbr: "NY"}, {Country: store.CA, Abbr: "ON"}}))
	for _, z := range []struct {
		zip  postcode.ZIP
		area orb.MultiPolygon
	}{
		{10001, box(0, 0, 10, 10)},
		{10002, box(2, 2, 4, 4)},
		{10003, box(2, 2, 4, 4)},
		{10004, box(10, 0, 20, 10)},
	} {
		must(w.AddZIP(store.ZIPRow{ZIP: z.zip, State: 1, Class: store.General, Location: geo.MustLatLng(1, 1)}, store.ZIPDetail{}))
		must(zips.Add(z.area))
		zipLayer.Keys = append(zipLayer.Keys, z.zip)
	}
	k1a := postcode.FSAOf("K1A")
	must(w.AddFSA(store.FSARow{FSA: k1a, Province: 2, Location: geo.MustLatLng(1, 1)}, store.FSADetail{}))
	must(fsas.Add(box(3, 9, 5, 12))) // half of it in 10001
	fsaLayer.Keys = append(fsaLayer.Keys, k1a)
	zipLayer.Packed = lookuptest.Packed(t, &zips)
	fsaLayer.Packed = lookuptest.Packed(t, &fsas)
	must(w.SetZIPAreas(zipLayer))
	must(w.SetFSAAreas(fsaLayer))
	d := w.Open()
	r := lookuptest.Reader(t, d)
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
