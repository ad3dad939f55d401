package postgeo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

func ExampleOpenSample() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	fmt.Println("sample:", db.Info().Sample)
	// Output: sample: true
}

func ExampleDB_QuickLookup() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	opt := lookup.QuickOptions{Timezone: true}
	rec, err := db.QuickLookup(context.Background(), "90210", opt)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rec.City, rec.State, rec.County)
	fmt.Println(rec.Timezone.Name, rec.Timezone.UTCOffset)
	// Output:
	// Beverly Hills CA Los Angeles County
	// Pacific Time -8
}

// A code that does not exist and an input that is no code are different
// errors. [envelope.FaultOf] returns their code and message in the HTTP contract.
func ExampleDB_QuickLookup_errors() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	for _, code := range []string{"00000", "9021"} {
		_, err := db.QuickLookup(context.Background(), code, lookup.QuickOptions{})
		if f := envelope.FaultOf(err); f != nil {
			fmt.Println(errors.Is(err, postgeo.ErrNotFound), f.Code, f.Message)
		}
	}
	// Output:
	// true NOT_FOUND_ZIP ZIP code 00000 not found.
	// false VALIDATION_INVALID_ZIP Invalid ZIP code format: '9021'. Expected 5 digits, or ZIP+4 as 12345-6789.
}

func ExampleDB_Lookup() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	opt := lookup.Options{Include: lookup.Include{Timezone: true}}
	rec, err := db.Lookup(context.Background(), "90210", opt)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rec.AreaCodes, rec.Metro.MSAName, rec.ZIPInfo.ClassificationName)
	// Output: [310 424] Los Angeles-Long Beach-Anaheim, CA General
}

// A result's JSON is what the server sends.
func ExampleDB_Distance() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	res, err := db.Distance(context.Background(), "0,0", "0,90", radius.DistanceOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	js, err := json.Marshal(res.Distance)
	fmt.Println(string(js), res.Bearing, err)
	// Output: {"miles":6225.37,"km":10018.75} 90 <nil>
}

func ExampleDB_QuickLookupBatch() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	codes := slices.Values([]string{"10001", "k1a0b1", "00000"})
	for rec, err := range db.QuickLookupBatch(context.Background(), codes, lookup.QuickOptions{}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(rec.Code, rec.City, rec.State)
	}
	// Output:
	// 10001 New York NY
	// K1A 0B1 Ottawa ON
	// postgeo: lookup: ZIP code "00000" not found
}

func ExampleDB_LookupBatch() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	for rec, err := range db.LookupBatch(context.Background(), slices.Values([]string{"33139", "M5V"}), lookup.Options{}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(rec.Code, rec.City, rec.AreaCodes[0])
	}
	// Output:
	// 33139 Miami Beach 305
	// M5V Toronto 416
}

func ExampleDB_Swap() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	if err := db.Swap(context.Background(), "renewed.db"); errors.Is(err, os.ErrNotExist) {
		fmt.Println("there is no newer file; the old one still answers")
	}
	rec, err := db.QuickLookup(context.Background(), "M5V", lookup.QuickOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rec.City)
	// Output:
	// there is no newer file; the old one still answers
	// Toronto
}

func ExampleDB_Radius() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	res, err := db.Radius(context.Background(), "90210", radius.Options{Max: 10, Limit: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range res.Matches[:1] {
		fmt.Println(m.Code, m.City, m.DistanceMiles)
	}
	fmt.Println(res.Search.Max, res.Summary.TotalCount)
	// Output:
	// 90210 Beverly Hills 0
	// 10 3
}

func ExampleDB_Nearest() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	res, err := db.Nearest(context.Background(), "43.09,-79.07", radius.NearestOptions{Count: 2, Mode: radius.Spatial})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range res.Matches {
		fmt.Println(m.CodeType, m.State)
	}
	// Output:
	// FSA ON
	// ZIP NY
}

func ExampleDB_InPolygon() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	island := orb.Polygon{{{-74.05, 40.68}, {-73.9, 40.68}, {-73.9, 40.9}, {-74.05, 40.9}, {-74.05, 40.68}}}
	res, err := db.InPolygon(context.Background(), island, radius.PolygonOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range res.Matches {
		if m.Code == "10001" {
			fmt.Println(m.Code, m.City, m.State)
		}
	}
	// Output: 10001 New York NY
}

func ExampleDB_DistanceMatrix() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	m, err := db.DistanceMatrix(context.Background(), []string{"0,0", "0,1"}, []string{"0,0", "1,0"}, radius.DistanceOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Miles)
	// Output: [[0 68.71] [69.17 97.49]]
}

func ExampleDB_Suggest() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	for _, typed := range []string{"beverly", "calif", "k1a0b1"} {
		r, err := db.Suggest(context.Background(), typed, suggest.Options{Limit: 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, m := range r.Matches {
			fmt.Printf("%s: %s %s, %s (%s)\n", typed, m.Type, m.Name, m.State+m.Province, m.Bucket)
		}
	}
	// Output:
	// beverly: place Beverly Hills, CA (prefix)
	// calif: state California, CA (exact alias)
	// k1a0b1: ca_postal K1A 0B1, ON (exact name)
}

func ExampleDB_Snapshot() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	// Both answers come from one dataset, whenever another goroutine calls Swap.
	s, err := db.Snapshot()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	rec, err := s.QuickLookup(context.Background(), "90210", lookup.QuickOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rec.City, "in", s.Info().Version)
	// Output: Beverly Hills in sample-2026-11
}
