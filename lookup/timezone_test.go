package lookup_test

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/tzif"
	"github.com/postgeo/postgeo/lookup"
)

// built is the date of the datasets of these tests.
var built = time.Date(2026, time.June, 30, 0, 0, 0, 0, time.UTC)

// location returns the clock rules of a zone.
func location(t testing.TB, name string) *time.Location {
	t.Helper()
	if !slices.Contains(tzif.Names(), name) { // not in the sample
		loc, err := time.LoadLocation(name)
		check(t, err)
		return loc
	}
	z := tzif.Row(name, "")
	loc, err := z.Location()
	check(t, err)
	return loc
}

// TestNewZone compares the zones of testdata/zones.txt at times.
func TestNewZone(t *testing.T) {
	lookuptest.Table(t, "zones.txt", *update, func(text string) string {
		name, when, _ := strings.Cut(text, " ")
		at, err := time.Parse(time.RFC3339, when)
		check(t, err)
		z := lookup.NewZone(location(t, name), at)
		if z.IANAName != name || z.ObservesDST != (z.Abbreviation != z.AbbreviationDST) {
			t.Errorf("%s: %+v contradicts itself", text, z)
		}
		return fmt.Sprintf("%s, %s %v, %s %v", z.Name, z.Abbreviation, z.UTCOffset, z.AbbreviationDST, z.UTCOffsetDST)
	})
	kathmandu := time.FixedZone("Asia/Kathmandu", 20700)
	want := lookup.Zone{"Asia/Kathmandu", "Asia/Kathmandu", "Asia/Kathmandu", "Asia/Kathmandu", 5.75, 5.75, false} // outside the table
	if diff := cmp.Diff(want, lookup.NewZone(kathmandu, built)); diff != "" {
		t.Errorf("a fixed zone (-want +got):\n%s", diff)
	}
}

// TestReaderFollowsTheTime asks one reader for times in any order: what it
// remembers never answers for another time.
func TestReaderFollowsTheTime(t *testing.T) {
	w := lookuptest.Create(t)
	var rows []store.Zone
	for _, name := range tzif.Names() {
		rows = append(rows, tzif.Row(name, "test"))
	}
	lookuptest.Must(t)(w.SetZones(rows))
	r := lookuptest.Reader(t, w.Open())
	random := rand.New(rand.NewPCG(3, 4))
	for i, row := range rows {
		loc := location(t, row.Name)
		at := time.Date(2007, time.January, 1, 0, 0, 0, 0, time.UTC)
		for range 300 {
			switch random.IntN(4) {
			case 0:
				at = at.Add(time.Duration(random.Int64N(int64(24 * time.Hour))))
			case 1:
				at = at.AddDate(0, 0, random.IntN(200))
			case 2: // around a change of the clocks, or a year before one
				if _, next := store.ClockPeriod(at.In(loc)); !next.IsZero() {
					at = next.AddDate(-random.IntN(2), 0, 0).Add(time.Duration(random.IntN(3)-1) * time.Second)
				}
			default:
				at = time.Unix(1167609600+random.Int64N(9e8), 0)
			}
			got := r.TimeZone(store.ZoneID(i+1), at)
			if diff := cmp.Diff(lookup.NewZone(loc, at), got.Zone); diff != "" {
				t.Fatalf("%s at %s (-want +got):\n%s", row.Name, at.UTC(), diff)
			}
		}
	}
}

// Every zone of the boundary file has an English name, letters for an
// abbreviation and offsets of the Americas or the Pacific.
func TestZonesOfTheBoundaries(t *testing.T) {
	for _, name := range boundaryZones(t) {
		z := lookup.NewZone(location(t, name), built.AddDate(1, 0, 0)) // all provinces keep one rule
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
	check(t, err)
	defer f.Close()
	var collection struct {
		Features []struct {
			Properties struct{ TZID string }
		}
	}
	check(t, json.NewDecoder(f).Decode(&collection))
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
	check(t, err)
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
