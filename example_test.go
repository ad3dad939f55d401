package postgeo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

func ExampleOpenSample() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println("sample:", db.Info().Sample)
	// Output: sample: true
}

func ExampleDB_QuickLookup() {
	db := sampleDB()
	defer db.Close()
	opt := lookup.QuickOptions{Timezone: true}
	rec, err := db.QuickLookup(context.Background(), "90210", opt)
	if err != nil {
		log.Fatal(err)
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
	db := sampleDB()
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
	db := sampleDB()
	defer db.Close()
	opt := lookup.Options{Include: lookup.Include{Timezone: true}}
	rec, err := db.Lookup(context.Background(), "90210", opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.AreaCodes, rec.Metro.MSAName, rec.ZIPInfo.ClassificationName)
	// Output: [310 424] Los Angeles-Long Beach-Anaheim, CA General
}

// A result's JSON is what the server sends.
func ExampleDB_Distance() {
	db := sampleDB()
	defer db.Close()
	res, err := db.Distance(context.Background(), "0,0", "0,90", radius.DistanceOptions{})
	if err != nil {
		log.Fatal(err)
	}
	js, err := json.Marshal(res.Distance)
	fmt.Println(string(js), res.Bearing, err)
	// Output: {"miles":6225.37,"km":10018.75} 90 <nil>
}

func ExampleDB_QuickLookupBatch() {
	db := sampleDB()
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
	db := sampleDB()
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
		log.Fatal(err)
	}
	defer db.Close()
	if err := db.Swap(context.Background(), "renewed.db"); errors.Is(err, os.ErrNotExist) {
		fmt.Println("there is no newer file; the old one still answers")
	}
	rec, err := db.QuickLookup(context.Background(), "M5V", lookup.QuickOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.City)
	// Output:
	// there is no newer file; the old one still answers
	// Toronto
}

func ExampleDB_Radius() {
	db := sampleDB()
	defer db.Close()
	res, err := db.Radius(context.Background(), "90210", radius.Options{Max: 10, Limit: 3})
	if err != nil {
		log.Fatal(err)
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
	db := sampleDB()
	defer db.Close()
	res, err := db.Nearest(context.Background(), "43.09,-79.07", radius.NearestOptions{Count: 2, Mode: radius.Spatial})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range res.Matches {
		fmt.Println(m.CodeType, m.State)
	}
	// Output:
	// FSA ON
	// ZIP NY
}

func ExampleDB_InPolygon() {
	db := sampleDB()
	defer db.Close()
	island := orb.Polygon{{{-74.05, 40.68}, {-73.9, 40.68}, {-73.9, 40.9}, {-74.05, 40.9}, {-74.05, 40.68}}}
	res, err := db.InPolygon(context.Background(), island, radius.PolygonOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range res.Matches {
		if m.Code == "10001" {
			fmt.Println(m.Code, m.City, m.State)
		}
	}
	// Output: 10001 New York NY
}

func ExampleDB_DistanceMatrix() {
	db := sampleDB()
	defer db.Close()
	m, err := db.DistanceMatrix(context.Background(), []string{"0,0", "0,1"}, []string{"0,0", "1,0"}, radius.DistanceOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Miles)
	// Output: [[0 68.71] [69.17 97.49]]
}

func ExampleDB_Suggest() {
	db := sampleDB()
	defer db.Close()
	for _, typed := range []string{"beverly", "calif", "k1a0b1"} {
		r, err := db.Suggest(context.Background(), typed, suggest.Options{Limit: 1})
		if err != nil {
			log.Fatal(err)
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
	db := sampleDB()
	defer db.Close()
	// Both answers come from one dataset, whenever another goroutine calls Swap.
	s, err := db.Snapshot()
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	rec, err := s.QuickLookup(context.Background(), "90210", lookup.QuickOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.City, "in", s.Info().Version)
	// Output: Beverly Hills in sample-2026-11
}

// The sample has few addresses. Others fall back to the ZIP Code.
func ExampleDB_Geocode() {
	db := sampleDB()
	defer db.Close()
	r, err := db.Geocode(context.Background(), "350 5th Ave, New York, NY 10118", geocode.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Precision, r.Formatted)
	// Output: point 350 5TH AVE, New York, NY 10118
}

// The probability of each district that an address in a ZIP Code may lie in.
func ExampleDB_Geocode_likely() {
	db := sampleDB()
	defer db.Close()
	opt := geocode.Options{Include: address.Include{CongressionalDistrict: true}, Likely: true}
	r, err := db.Geocode(context.Background(), "Nowhere Blvd, Brooklyn, NY 11201", opt)
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range r.Likely.CD {
		fmt.Println(r.Precision, a.Name, a.P)
	}
	// Output:
	// zip Congressional District 10 0.74
	// zip Congressional District 7 0.26
}

func ExampleDB_GeocodeBatch() {
	db := sampleDB()
	defer db.Close()
	texts := slices.Values([]string{"1 Main St, Beverly Hills, CA 90210", "nowhere"})
	for r, err := range db.GeocodeBatch(context.Background(), texts, geocode.Options{}) {
		if errors.Is(err, postgeo.ErrNotFound) {
			fmt.Println("not found")
			continue
		}
		fmt.Println(r.Precision, r.ZIP)
	}
	// Output:
	// zip 90210
	// not found
}

func ExampleDB_Reverse() {
	db := sampleDB()
	defer db.Close()
	r, err := db.Reverse(context.Background(), geo.MustLatLng(40.7484, -73.9857), geocode.ReverseOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Precision, r.Formatted)
	// Output: point 350 5TH AVE, New York, NY 10118
}

// sampleDB opens the sample for an example; a program handles the error.
func sampleDB() *postgeo.DB {
	db, err := postgeo.OpenSample()
	if err != nil {
		panic(err)
	}
	return db
}

func ExampleDB_Boundary() {
	db := sampleDB()
	defer db.Close()
	// How far is the border of 90069 from a point in Beverly Hills?
	b, err := db.Boundary(context.Background(), "34.0736,-118.4004", "90069")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.Inside, b.Distance.Miles > 0)
	// Output: false true
}

func ExampleDB_PairsWithin() {
	db := sampleDB()
	defer db.Close()
	codes := []string{"98101", "98104", "98052", "90210"}
	for p, err := range db.PairsWithin(context.Background(), codes, geo.Miles(2).Meters()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s and %s are %.1f miles apart\n", codes[p.A], codes[p.B], float64(p.Distance.Miles()))
	}
	// Output: 98101 and 98104 are 0.7 miles apart
}

func ExampleDB_RadiusBatch() {
	db := sampleDB()
	defer db.Close()
	searches := []radius.Query{
		{Center: "98101", Options: radius.Options{Max: 1}},
		{Center: "K1A0B1", Options: radius.Options{Max: 1}},
	}
	for r, err := range db.RadiusBatch(context.Background(), slices.Values(searches)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(r.Search.Center.Code, len(r.Matches) > 0)
	}
	// Output:
	// 98101 true
	// K1A 0B1 true
}

func ExampleDB_MatchAddressBatch() {
	db := sampleDB()
	defer db.Close()
	texts := []string{"1100 congress avenue austin texas 78701", "455 Nowhere St, Beverly Hills, CA 90210"}
	for m, err := range db.MatchAddressBatch(context.Background(), slices.Values(texts), address.Options{}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(m.Data.AddressLine1, m.Data.Confidence)
	}
	// Output:
	// 1100 CONGRESS AVE high
	// postgeo: match: address "455 Nowhere St, Beverly Hills, CA 90210" not found
}

func ExampleDB_CodeOutline() {
	db := sampleDB()
	defer db.Close()
	outline, source, err := db.CodeOutline(context.Background(), "90210")
	if err != nil {
		log.Fatal(err)
	}
	box, _, err := db.CodeOutline(context.Background(), "90213") // PO boxes have no area
	fmt.Println(len(outline) > 0, source, box == nil, err)
	// Output: true cb_2020_us_zcta520_500k true <nil>
}

func ExampleDB_Info() {
	db := sampleDB()
	defer db.Close()
	info := db.Info()
	fmt.Println(info.Sample, info.Layers[0], len(info.Attributions()))
	// Output:
	// true identity 15
}

func ExampleDB_Verify() {
	db := sampleDB()
	defer db.Close()
	fmt.Println(db.Verify(context.Background()))
	// Output: <nil>
}
