package postgeo_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// outlined opens a dataset with an outline of a ZIP, of an FSA and of a state.
func outlined(t *testing.T, zip, fsa, state orb.Ring) *postgeo.DB {
	t.Helper()
	must := lookuptest.Must(t)
	pack := func(r orb.Ring) []byte {
		t.Helper()
		var b spatial.PolygonIndexBuilder
		must(b.Add(orb.MultiPolygon{{r}}))
		data := lookuptest.Packed(t, &b)
		return data
	}
	path := filepath.Join(t.TempDir(), "outlined.db")
	w, err := storewrite.Create(path)
	must(err)
	must(w.SetStates([]store.State{{Country: store.CA, Abbr: "ON", Name: "Ontario"}, {Country: store.US, Abbr: "AK", Name: "Alaska", FIPS: "02"}}))
	for _, z := range []postcode.ZIP{99546, 99547} {
		must(w.AddZIP(store.ZIPRow{ZIP: z, City: "Adak", State: 2, Class: store.General, Location: geo.MustLatLng(51.88, -176.65)}, store.ZIPDetail{}))
	}
	falls, ok := postcode.ParseFSA("L2E")
	if !ok {
		t.Fatal("L2E is no FSA")
	}
	must(w.AddFSA(store.FSARow{FSA: falls, City: "Niagara Falls", Province: 1, Location: geo.MustLatLng(43.1, -79.1)}, store.FSADetail{}))
	must(w.SetZIPAreas(storewrite.AreaLayer[postcode.ZIP]{Sources: []string{"test"}, Keys: []postcode.ZIP{99546}, Packed: pack(zip)}))
	must(w.SetFSAAreas(storewrite.AreaLayer[postcode.FSA]{Sources: []string{"test"}, Keys: []postcode.FSA{falls}, Packed: pack(fsa)}))
	must(w.SetStateAreas(storewrite.AreaLayer[store.StateID]{Sources: []string{"test"}, Keys: []store.StateID{2}, Packed: pack(state)}))
	must(w.Finish(dataset.Manifest{Version: "test", Layers: []string{"identity", "boundaries"}}))
	db, err := postgeo.Open(path)
	must(err)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestOutline(t *testing.T) {
	zip := orb.Ring{{179, 51}, {181, 51}, {181, 52}, {179, 51}}
	fsa := orb.Ring{{-79.2, 43}, {-79, 43}, {-79, 43.2}, {-79.2, 43}}
	state := orb.Ring{{-180, 50}, {-130, 50}, {-130, 70}, {-180, 50}}
	db := outlined(t, zip, fsa, state)
	for code, want := range map[string]orb.Ring{
		"99546": zip, "99546-1234": zip, "L2E": fsa, "l2e6s4": fsa, // of the area that a code lies in
		"99547": nil, "90210": nil, "K1A": nil, "K1A 0B1": nil, "51.5,180": nil,
	} {
		t.Run(code, func(t *testing.T) {
			var outline orb.MultiPolygon
			if want != nil {
				outline = orb.MultiPolygon{{want}}
			}
			got, err := db.CodeOutline(t.Context(), code)
			if diff := cmp.Diff(outline, got); diff != "" || err != nil {
				t.Errorf("%v, outline (-want +got):\n%s", err, diff)
			}
			from := ""
			if want != nil {
				from = "test"
			}
			if source, err := db.CodeOutlineSource(t.Context(), code); source != from || err != nil {
				t.Errorf("the outline is from %q, %v; want %q", source, err, from)
			}
		})
	}
	if _, err := db.CodeOutline(t.Context(), "9021"); !errors.Is(err, postgeo.ErrInvalidCode) {
		t.Errorf("an outline of no code: %v; want ErrInvalidCode", err)
	}
	if _, err := db.CodeOutlineSource(t.Context(), "9021"); !errors.Is(err, postgeo.ErrInvalidCode) {
		t.Errorf("the source of no code: %v; want ErrInvalidCode", err)
	}

	states := map[string]orb.MultiPolygon{}
	for s, err := range db.StateOutlines(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		states[s.State] = s.Outline
	}
	if diff := cmp.Diff(map[string]orb.MultiPolygon{"AK": {{state}}}, states); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	for range db.StateOutlines(t.Context()) {
		break // ends the sequence
	}

	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.CodeOutline(t.Context(), "99546"); !errors.Is(err, postgeo.ErrClosed) {
		t.Errorf("an outline after Close: %v; want ErrClosed", err)
	}
	for s, err := range db.StateOutlines(t.Context()) {
		if !errors.Is(err, postgeo.ErrClosed) {
			t.Errorf("the outline of %q after Close: %v; want ErrClosed", s.State, err)
		}
	}
}
