package lookup_test

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// built is the date of the datasets of these tests.
var built = time.Date(2026, time.June, 30, 0, 0, 0, 0, time.UTC)

func TestNewZone(t *testing.T) {
	for _, want := range []lookup.Zone{
		{"America/Los_Angeles", "Pacific Time", "PST", "PDT", -8, -7, true},
		{"America/New_York", "Eastern Time", "EST", "EDT", -5, -4, true},
		{"America/Adak", "Hawaii-Aleutian Time", "HST", "HDT", -10, -9, true},
		{"America/Anchorage", "Alaska Time", "AKST", "AKDT", -9, -8, true},
		{"America/Phoenix", "Mountain Time", "MST", "MST", -7, -7, false},
		{"America/Regina", "Central Time", "CST", "CST", -6, -6, false},
		{"America/Whitehorse", "Yukon Time", "MST", "MST", -7, -7, false},
		{"America/Puerto_Rico", "Atlantic Time", "AST", "AST", -4, -4, false},
		{"America/Halifax", "Atlantic Time", "AST", "ADT", -4, -3, true},
		{"America/St_Johns", "Newfoundland Time", "NST", "NDT", -3.5, -2.5, true},
		{"Pacific/Honolulu", "Hawaii-Aleutian Time", "HST", "HST", -10, -10, false},
		{"Pacific/Guam", "Chamorro Standard Time", "ChST", "ChST", 10, 10, false},
		{"Pacific/Pago_Pago", "American Samoa Time", "SST", "SST", -11, -11, false},
		{"Pacific/Palau", "Palau Time", "PWT", "PWT", 9, 9, false},
		{"Pacific/Wake", "Wake Island Time", "WAKT", "WAKT", 12, 12, false},
		{"Asia/Kathmandu", "Asia/Kathmandu", "GMT+5:45", "GMT+5:45", 5.75, 5.75, false}, // outside the table
	} {
		got, err := lookup.NewZone(want.IANAName, built)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.IANAName, diff)
		}
	}
}

// The date decides the rules: Yukon gave up daylight saving time in November
// 2020, Phoenix had it last in 1967.
func TestNewZoneFollowsTheDate(t *testing.T) {
	for _, c := range []struct {
		zone string
		year int
		dst  bool
		utc  float64
	}{
		{"America/Whitehorse", 2018, true, -8},
		{"America/Whitehorse", 2022, false, -7},
		{"America/Phoenix", 1967, true, -7},
		{"America/Phoenix", 1980, false, -7},
	} {
		z, err := lookup.NewZone(c.zone, time.Date(c.year, time.January, 1, 0, 0, 0, 0, time.UTC))
		if err != nil || z.ObservesDST != c.dst || z.UTCOffset != c.utc {
			t.Errorf("%s in %d = %+v, %v; want DST %v and %v hours", c.zone, c.year, z, err, c.dst, c.utc)
		}
	}
}

// A dataset of 2000 does not bring back the clocks of 2000, when Yukon had
// daylight saving time.
func TestOldDatasetHasTodaysRules(t *testing.T) {
	for _, when := range []time.Time{time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC), built} {
		path := filepath.Join(t.TempDir(), "old.db")
		w, err := dataset.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		point := geo.MustLatLng(60.7, -135.1)
		fsa, _ := dataset.ParseFSA("Y1A")
		if err := errors.Join(
			w.SetStates([]dataset.State{{Country: dataset.CA, Abbr: "YT", Name: "Yukon"}}),
			w.SetZones([]dataset.Zone{{Name: "America/Whitehorse", Source: "test"}}),
			w.AddFSA(dataset.FSARow{FSA: fsa, City: "Whitehorse", Province: 1, Zone: 1, Location: point}, dataset.FSADetail{}),
			w.Finish(dataset.Manifest{Version: "1", Built: when, Builder: "test"}),
		); err != nil {
			t.Fatal(err)
		}
		d, err := dataset.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := lookup.NewReader(d)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := r.Quick(t.Context(), "Y1A", lookup.QuickOptions{Timezone: true})
		if err != nil || rec.Timezone.UTCOffset != -7 || rec.Timezone.ObservesDST {
			t.Errorf("a dataset of %s says %+v, %v; want UTC-7 all the year", when, rec.Timezone, err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNewZoneRefuses(t *testing.T) {
	for _, name := range []string{"", "Local", "America/Atlantis", "../etc/passwd", "/etc/localtime"} {
		if z, err := lookup.NewZone(name, built); err == nil {
			t.Errorf("NewZone(%q) = %+v, want an error", name, z)
		}
	}
}

// Every zone of the boundary file has an English name, letters for an
// abbreviation and offsets of the Americas or the Pacific.
func TestZonesOfTheBoundaries(t *testing.T) {
	for _, name := range boundaryZones(t) {
		z, err := lookup.NewZone(name, built)
		if err != nil {
			t.Error(err)
			continue
		}
		if z.Name == name || !strings.HasSuffix(z.Name, " Time") {
			t.Errorf("%s has the name %q", name, z.Name)
		}
		for _, abbr := range []string{z.Abbreviation, z.AbbreviationDST} {
			if strings.ContainsAny(abbr, "+-0123456789") || len(abbr) < 3 {
				t.Errorf("%s has the abbreviation %q", name, abbr)
			}
		}
		if z.ObservesDST != (z.UTCOffset != z.UTCOffsetDST) || z.ObservesDST != (z.Abbreviation != z.AbbreviationDST) {
			t.Errorf("%s contradicts itself: %+v", name, z)
		}
		if math.Abs(z.UTCOffset) > 12 || math.Mod(z.UTCOffset*2, 1) != 0 {
			t.Errorf("%s is %v hours from UTC", name, z.UTCOffset)
		}
	}
}

// boundaryZones returns the names in the mirror's time zone boundaries.
func boundaryZones(t *testing.T) []string {
	t.Helper()
	path := filepath.Join(sharedData(t), "mirror/github.com/evansiroky/timezone-boundary-builder/releases/download/2025b/timezones.geojson.zip")
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Skipf("time zone boundaries: %v", err)
	}
	defer archive.Close()
	f, err := archive.Open("combined.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var collection struct {
		Features []struct {
			Properties struct{ TZID string }
		}
	}
	if err := json.NewDecoder(f).Decode(&collection); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, feature := range collection.Features {
		names = append(names, feature.Properties.TZID)
	}
	if len(names) < 50 {
		t.Fatalf("%s has only %d zones", path, len(names))
	}
	return names
}

// sharedData returns the folder of source data beside the repository, or
// skips the test.
func sharedData(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("POSTGEO_SHARED"); dir != "" {
		return filepath.Join(dir, "data")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Skip("no go.mod above the test's folder")
		}
	}
	data := filepath.Join(dir, "..", "shared", "data")
	if _, err := os.Stat(data); err != nil {
		t.Skipf("no source data beside the repository: %v", err)
	}
	return data
}

func ExampleNewZone() {
	z, err := lookup.NewZone("America/St_Johns", time.Date(2026, time.June, 30, 0, 0, 0, 0, time.UTC))
	fmt.Println(z.Name, z.Abbreviation, z.UTCOffset, z.AbbreviationDST, z.UTCOffsetDST, err)
	// Output: Newfoundland Time NST -3.5 NDT -2.5 <nil>
}
