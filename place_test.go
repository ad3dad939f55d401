package postgeo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// TestWhere compares the results of equal places in several forms.
func TestWhere(t *testing.T) {
	db := sampleDB()
	defer db.Close()
	text := "10001" // a variable, as from a file
	for name, places := range map[string][2]postgeo.Where{
		"code":       {text, lookup.MustParseCode("10001").String()},
		"postal":     {"k1a0b1", lookup.MustParseCode("K1A 0B1").String()},
		"point":      {"34.0901,-118.4065", postgeo.At(geo.MustLatLng(34.0901, -118.4065))},
		"parsed":     {"34.0901,-118.4065", lookup.PointCode(geo.MustLatLng(34.0901, -118.4065)).String()},
		"long point": {"34.0901,0.000000000001", postgeo.At(geo.MustLatLng(34.0901, 1e-12+1e-60))},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := db.DistanceMatrix(t.Context(), places[:1], []postgeo.Where{"90210"}, radius.DistanceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := db.DistanceMatrix(t.Context(), places[1:], []postgeo.Where{"90210"}, radius.DistanceOptions{})
			if diff := cmp.Diff(want.Miles, got.Miles); diff != "" || err != nil {
				t.Errorf("%q and %q differ, %v (-text +constructed):\n%s", places[0], places[1], err, diff)
			}
		})
	}
}

// TestSnapshotOptions verifies that a snapshot has the clock of its DB.
func TestSnapshotOptions(t *testing.T) {
	calls := 0
	db, err := postgeo.OpenSample(postgeo.OpenOptions{Now: func() time.Time { calls++; return time.Now() }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := db.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.QuickLookup(t.Context(), "10001", lookup.QuickOptions{Timezone: true}); err != nil || calls != 1 {
		t.Errorf("the clock was read %d times, %v; want once", calls, err)
	}
}

func ExampleAt() {
	db := sampleDB()
	defer db.Close()
	rec, err := db.QuickLookup(context.Background(), postgeo.At(geo.MustLatLng(34.0901, -118.4065)), lookup.QuickOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.Code, rec.City)
	// Output: 90210 Beverly Hills
}

// A parsed code is a place, and many places are a sequence.
func ExampleWhere() {
	db := sampleDB()
	defer db.Close()
	code, err := lookup.ParseCode("90210-1234")
	if err != nil {
		log.Fatal(err)
	}
	places := []postgeo.Where{code.Parent().String(), "10001", postgeo.At(geo.MustLatLng(34.0901, -118.4065))}
	for rec, err := range db.QuickLookupBatch(context.Background(), slices.Values(places), lookup.QuickOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rec.Code, rec.City)
	}
	// Output:
	// 90210 Beverly Hills
	// 10001 New York
	// 90210 Beverly Hills
}

// TestLocate compares the points of places with those of their records.
func TestLocate(t *testing.T) {
	db := sampleDB()
	defer db.Close()
	for _, place := range []postgeo.Where{"90210", "K1A", "K1A 0B1"} {
		rec, err := db.QuickLookup(t.Context(), place, lookup.QuickOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := db.Locate(t.Context(), place); got != rec.Location || !got.IsValid() || err != nil {
			t.Errorf("%s is at %v, %v; want %v", place, got, err, rec.Location)
		}
	}
	at := geo.MustLatLng(34.1, -118.41)
	if got, err := db.Locate(t.Context(), postgeo.At(at)); got != at || err != nil {
		t.Errorf("%v is at %v, %v", at, got, err)
	}
	if _, err := db.Locate(t.Context(), "00000"); !errors.Is(err, postgeo.ErrNotFound) {
		t.Errorf("an unknown code: %v", err)
	}
}

// A coordinate is its own point; the record of the code around it has the code's.
func ExampleDB_Locate() {
	db := sampleDB()
	defer db.Close()
	for _, place := range []postgeo.Where{"34.1,-118.41", "90210"} {
		at, err := db.Locate(context.Background(), place)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(at)
	}
	// Output:
	// 34.1,-118.41
	// 34.094589,-118.411155
}
