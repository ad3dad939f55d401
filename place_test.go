package postgeo_test

import (
	"context"
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
		"code":       {text, postgeo.CodeOf(lookup.MustParseCode("10001"))},
		"postal":     {"k1a0b1", postgeo.CodeOf(lookup.MustParseCode("K1A 0B1"))},
		"point":      {"34.0901,-118.4065", postgeo.At(geo.MustLatLng(34.0901, -118.4065))},
		"parsed":     {"34.0901,-118.4065", postgeo.CodeOf(lookup.PointCode(geo.MustLatLng(34.0901, -118.4065)))},
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
	db, err := postgeo.OpenSampleWith(postgeo.OpenOptions{Now: func() time.Time { calls++; return time.Now() }})
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

// A point is a place without being formatted.
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
func ExampleCodeOf() {
	db := sampleDB()
	defer db.Close()
	code, err := lookup.ParseCode("90210-1234")
	if err != nil {
		log.Fatal(err)
	}
	places := []postgeo.Where{postgeo.CodeOf(code.Parent()), "10001", postgeo.At(geo.MustLatLng(34.0901, -118.4065))}
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
