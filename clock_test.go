package postgeo_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/tzif"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// TestClocksAreTheDatasets runs itself on hosts with other clock rules and with
// none: every answer stays the same.
func TestClocksAreTheDatasets(t *testing.T) {
	const child = "POSTGEO_CLOCK_CHILD"
	if os.Getenv(child) != "" {
		fmt.Println("zones:", zonesOfAllCodes(t))
		return
	}
	want := zonesOfAllCodes(t)
	wrong := t.TempDir() // all clocks as in Guam
	for _, name := range tzif.Names() {
		path := filepath.Join(wrong, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(path), 0o755))
		check(t, os.WriteFile(path, []byte(tzif.Zone("Pacific/Guam")), 0o600))
	}
	program, err := os.Executable()
	check(t, err)
	for _, host := range []string{wrong, t.TempDir()} {
		cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestClocksAreTheDatasets$")
		cmd.Env = append(os.Environ(), child+"=1", "ZONEINFO="+host, "TZ=Pacific/Guam")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "zones: "+want) {
			t.Errorf("with the host's clock rules in %s: %v\n%s\nwant %s", host, err, out, want)
		}
	}
}

// zonesOfAllCodes returns a digest of the time zones of all codes of the sample
// at three times.
func zonesOfAllCodes(t *testing.T) string {
	t.Helper()
	db := sampletest.Open(t)
	sum, n := sha256.New(), 0
	for _, kind := range []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal} {
		for code, err := range db.Codes(t.Context(), kind) {
			check(t, err)
			for _, at := range []string{"2026-10-31", "2026-11-02", "2027-01-15"} {
				day, err := time.Parse(time.DateOnly, at)
				check(t, err)
				r, err := db.Lookup(t.Context(), code, lookup.Options{Include: lookup.Include{Timezone: true}, At: day})
				check(t, err)
				text, err := json.Marshal(r.Timezone)
				check(t, err)
				_, err = sum.Write(text)
				check(t, err)
				if r.Timezone != nil {
					n++
				}
			}
		}
	}
	if n == 0 {
		t.Fatal("no code of the sample has a time zone")
	}
	return fmt.Sprintf("%x of %d", sum.Sum(nil), n)
}

// TestClock compares the answers of a DB with a clock with those of the same time in options.
// British Columbia drops winter time on 2026-11-01, so that later times differ.
func TestClock(t *testing.T) {
	at := time.Date(2020, time.January, 15, 0, 0, 0, 0, time.UTC)
	clocked, err := postgeo.OpenSample(postgeo.OpenOptions{Now: func() time.Time { return at }})
	check(t, err)
	defer clocked.Close()
	db, ctx := sampletest.Open(t), t.Context()
	square := orb.Polygon{{{-123.2, 49.2}, {-123, 49.2}, {-123, 49.4}, {-123.2, 49.4}, {-123.2, 49.2}}}
	for name, ask := range map[string]func(db *postgeo.DB, at time.Time) (any, error){
		"QuickLookup": func(db *postgeo.DB, at time.Time) (any, error) {
			return db.QuickLookup(ctx, "V6B", lookup.QuickOptions{Timezone: true, At: at})
		},
		"Lookup": func(db *postgeo.DB, at time.Time) (any, error) {
			return db.Lookup(ctx, "V6B", lookup.Options{Include: lookup.Include{Timezone: true}, At: at})
		},
		"Distance": func(db *postgeo.DB, at time.Time) (any, error) {
			return db.Distance(ctx, "V6B", "V6B", radius.DistanceOptions{At: at})
		},
		"Radius": func(db *postgeo.DB, at time.Time) (any, error) {
			return db.Radius(ctx, "V6B", radius.Options{Max: 1, Mode: radius.Spatial, Include: radius.Include{Timezone: true}, At: at})
		},
		"Nearest": func(db *postgeo.DB, at time.Time) (any, error) {
			return db.Nearest(ctx, "V6B", radius.NearestOptions{Mode: radius.Spatial, Timezone: true, At: at})
		},
		"InPolygon": func(db *postgeo.DB, at time.Time) (any, error) {
			return db.InPolygon(ctx, square, radius.PolygonOptions{Mode: radius.Spatial, Timezone: true, At: at})
		},
	} {
		got, err := ask(clocked, time.Time{})
		check(t, err)
		want, err := ask(db, at)
		check(t, err)
		other, err := ask(db, at.AddDate(8, 0, 0))
		check(t, err)
		if jsonOf(t, got) != jsonOf(t, want) || jsonOf(t, got) == jsonOf(t, other) {
			t.Errorf("%s: %s; want %s and not %s", name, jsonOf(t, got), jsonOf(t, want), jsonOf(t, other))
		}
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	check(t, err)
	return string(text)
}

func ExampleOpenSample_options() {
	at := time.Date(2026, time.November, 2, 0, 0, 0, 0, time.UTC)
	db, err := postgeo.OpenSample(postgeo.OpenOptions{Now: func() time.Time { return at }})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	r, err := db.QuickLookup(context.Background(), "V6B", lookup.QuickOptions{Timezone: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Timezone.Abbreviation, r.Timezone.UTCOffset, r.Timezone.ObservesDST)
	// Output: MST -7 false
}
