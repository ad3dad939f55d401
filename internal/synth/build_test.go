package synth_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// plain removes accents, apostrophes and lower case, which names of the postal
// products do not have.
func plain(name string) string {
	s, _, _ := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), name)
	return strings.ToLower(strings.ReplaceAll(s, "'", ""))
}

// TestBuilderFindsTheCountryAgain builds a dataset from the mirror and
// compares it with the country: the defects of the tables must not show.
func TestBuilderFindsTheCountryAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	w := newWorld(t)
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "invented.db")
	cityState := filepath.Join(t.TempDir(), "ctystate.txt")
	var names bytes.Buffer
	if _, err := w.WriteCityState(ctx, &names); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cityState, names.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := builder.Build(ctx, builder.Options{
		Output: path, Mirror: w.dir, Offline: true, Cache: t.TempDir(), Layers: []string{"all"}, Version: "invented", Sample: true,
		USPSCityState: cityState,
	}); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Verify(ctx); err != nil {
		t.Error(err)
	}
	zips := 0
	for _, z := range w.ZIPs {
		row, ok := d.ZIP(z.Code)
		if ok == z.Decommissioned {
			t.Errorf("ZIP %v: found %v, given up %v", z.Code, ok, z.Decommissioned)
		}
		if !ok {
			continue
		}
		zips++
		if plain(row.City) != plain(z.City) || row.Class != z.Class || d.State(row.State).Abbr != w.States[z.State].Abbr {
			t.Errorf("ZIP %v is %s, %s, class %c; want %s, %s, %c", z.Code, row.City, d.State(row.State).Abbr, row.Class, z.City, w.States[z.State].Abbr, z.Class)
		}
		county, zone := "", ""
		if z.County != -1 {
			county, zone = w.Counties[z.County].FIPS, w.Zones[z.Zone]
		}
		if got := d.County(row.County).FIPS; got != county {
			t.Errorf("ZIP %v is in county %q, want %q", z.Code, got, county)
		}
		if got := d.Zone(row.Zone).Name; got != zone {
			t.Errorf("ZIP %v has time zone %q, want %q", z.Code, got, zone)
		}
		if row.Location.IsValid() != z.Point.IsValid() || z.Point.IsValid() && geo.Distance(row.Location, z.Point) > 20 {
			t.Errorf("ZIP %v is at %v, want %v", z.Code, row.Location, z.Point)
		}
		if want := z.InBoth; (row.MultiCounty == store.Yes) != want {
			t.Errorf("ZIP %v lies in several counties: %v, want %v", z.Code, row.MultiCounty, want)
		}
		detail, err := d.ZIPDetail(ctx, z.Code)
		if err != nil {
			t.Fatal(err)
		}
		if row.County != 0 && d.State(row.State).FIPS != "" && (detail.Business == nil || detail.Business.Establishments < 1) {
			t.Errorf("ZIP %v has the businesses %+v, want some", z.Code, detail.Business)
		}
		switch state := w.States[z.State].Abbr; {
		case county == "" || state == "AS" || state == "MP": // neither table has them
			if detail.Medicare != nil {
				t.Errorf("ZIP %v has %+v, want no Medicare", z.Code, detail.Medicare)
			}
		case detail.Medicare == nil || detail.Medicare.RatingArea == 0 || (detail.Medicare.SSA == "") != (state == "GU" || state == "VI"):
			t.Errorf("ZIP %v in %s has %+v, want both codes", z.Code, state, detail.Medicare)
		}
		if general := z.Class == store.General && z.HasArea; general != (detail.LandArea != nil) || general && *detail.LandArea != z.Area.Land {
			t.Errorf("ZIP %v has land %v, want %d", z.Code, detail.LandArea, z.Area.Land)
		}
	}
	if d.NumZIPs() != zips || d.NumFSAs() != len(w.FSAs) || d.NumPostalCodes() != len(w.PostalCodes) {
		t.Errorf("%d ZIPs, %d FSAs, %d postal codes; want %d, %d, %d", d.NumZIPs(), d.NumFSAs(), d.NumPostalCodes(), zips, len(w.FSAs), len(w.PostalCodes))
	}
	for _, f := range w.FSAs {
		if s := f.Code.String(); s == "K1A" || s == "X0A" {
			continue // the builder has the real points
		}
		row, ok := d.FSA(f.Code)
		if !ok || d.State(row.Province).Abbr != w.States[f.State].Abbr || d.Zone(row.Zone).Name != w.Zones[f.Zone] {
			t.Errorf("FSA %v: found %v, %+v", f.Code, ok, row)
		}
		if row.Municipality != w.Municipalities[f.Municipality].Name {
			t.Errorf("FSA %v is in %q, want %q", f.Code, row.Municipality, w.Municipalities[f.Municipality].Name)
		}
	}
	for _, p := range w.PostalCodes {
		row, ok := d.PostalCode(p.Code)
		if !ok || geo.Distance(row.Location, p.Point) > 20 {
			t.Errorf("postal code %v: found %v, at %v, want %v", p.Code, ok, row.Location, p.Point)
		}
	}
}
