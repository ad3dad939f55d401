package tzif_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/tzif"
)

// TestZone looks at clocks around the changes of a zone's rules.
func TestZone(t *testing.T) {
	for _, tt := range []struct {
		zone, at string
		abbr     string
		hours    float64
		dst      bool
	}{
		{"America/New_York", "2026-03-08T06:59:59Z", "EST", -5, false},
		{"America/New_York", "2026-03-08T07:00:00Z", "EDT", -4, true},
		{"America/New_York", "2040-11-04T06:00:00Z", "EST", -5, false},
		{"America/St_Johns", "2010-03-14T03:31:00Z", "NDT", -2.5, true},
		{"America/St_Johns", "2012-03-11T05:29:59Z", "NST", -3.5, false},
		{"America/Vancouver", "2026-11-01T08:59:59Z", "PDT", -7, true},
		{"America/Vancouver", "2026-11-01T09:00:00Z", "MST", -7, false},
		{"America/Vancouver", "2027-07-01T00:00:00Z", "MST", -7, false},
		{"America/Edmonton", "2027-01-15T00:00:00Z", "CST", -6, false},
		{"America/Winnipeg", "2027-01-15T00:00:00Z", "EST", -5, false},
		{"America/Phoenix", "2026-07-01T00:00:00Z", "MST", -7, false},
		{"Pacific/Guam", "2026-07-01T00:00:00Z", "ChST", 10, false},
	} {
		at, err := time.Parse(time.RFC3339, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		got := at.In(location(t, tt.zone))
		if abbr, seconds := got.Zone(); abbr != tt.abbr || float64(seconds)/3600 != tt.hours || got.IsDST() != tt.dst {
			t.Errorf("%s at %s: %s, %d seconds, DST %v; want %s, %v hours, %v", tt.zone, tt.at, abbr, seconds, got.IsDST(), tt.abbr, tt.hours, tt.dst)
		}
	}
}

// TestAgainstTZDatabase compares every zone with the one that the tz database
// project compiled.
func TestAgainstTZDatabase(t *testing.T) {
	released := tzdata(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range tzif.Names() {
		theirs, err := time.LoadLocationFromTZData(name, released(name))
		if err != nil {
			t.Fatal(err)
		}
		ours := location(t, name)
		for range 1000 {
			const from, until = 1167609600, 2082758400 // 2007 to 2035
			at := time.Unix(from+random.Int64N(until-from), 0)
			abbr, seconds := at.In(ours).Zone()
			wantAbbr, want := at.In(theirs).Zone()
			if abbr != wantAbbr || seconds != want || at.In(ours).IsDST() != at.In(theirs).IsDST() {
				t.Errorf("%s at %s: %s, %d seconds; want %s, %d", name, at.UTC(), abbr, seconds, wantAbbr, want)
				break
			}
		}
	}
}

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := (&store.Zone{Name: name, Rules: tzif.Zone(name)}).Location()
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// tzdata returns the TZif files of the release in the shared mirror, or skips
// the test.
func tzdata(t *testing.T) func(name string) []byte {
	t.Helper()
	root := os.Getenv("POSTGEO_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, "data", "mirror", "github.com", "python", "tzdata", "archive", "refs", "tags", "2026.6.tar.gz")
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("tz database: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for archive := tar.NewReader(z); ; {
		member, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, name, ok := strings.Cut(member.Name, "/zoneinfo/"); ok {
			if files[name], err = io.ReadAll(archive); err != nil {
				t.Fatal(err)
			}
		}
	}
	return func(name string) []byte { return files[name] }
}
