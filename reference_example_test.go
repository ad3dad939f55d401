package postgeo_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/lookup"
)

// sampleFile writes the sample where a real dataset would be.
func sampleFile() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "postgeo")
	if err != nil {
		log.Fatal(err)
	}
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, "postgeo.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		log.Fatal(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

func ExampleOpen() {
	path, remove := sampleFile()
	defer remove()
	db, err := postgeo.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	r, err := db.QuickLookup(context.Background(), "98101", lookup.QuickOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.City, r.State)

	_, err = postgeo.Open("no-such-file.db")
	fmt.Println(err != nil)
	// Output:
	// Seattle WA
	// true
}

func ExampleOpen_options() {
	path, remove := sampleFile()
	defer remove()
	// Aggregates of the survey may keep 16 MiB of columns in memory.
	db, err := postgeo.Open(path, postgeo.OpenOptions{ACSMemory: 16 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println(db.Info().Sample)
	// Output: true
}

// A program embeds its dataset with
//
//	//go:embed postgeo.db
//	var files embed.FS
//
// and opens it as the file postgeo.db of files.
func ExampleOpenFS() {
	db, err := postgeo.OpenFS(sample.FS(), sample.Name, postgeo.OpenOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println(db.Info().Sample)
	// Output: true
}

// A server reads the whole dataset before it reports that it is ready.
func ExampleDB_Prepare() {
	db := sampleDB()
	defer db.Close()
	if err := db.Prepare(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(db.Ping(context.Background()))
	// Output: <nil>
}

// Coordinates are resolved with areas of codes.
func ExampleDB_HasAreas() {
	db := sampleDB()
	defer db.Close()
	fmt.Println(db.HasAreas(context.Background()))
	// Output: true <nil>
}

func ExampleDB_StateOutlines() {
	db := sampleDB()
	defer db.Close()
	box := geo.Box{SouthWest: geo.MustLatLng(40.5, -74.3), NorthEast: geo.MustLatLng(40.9, -73.7)}
	for s, err := range db.StateOutlines(context.Background(), box) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.State)
	}
	// Unordered output:
	// NJ
	// NY
}

func ExampleDB_ACSYears() {
	db := sampleDB()
	defer db.Close()
	ctx := context.Background()
	zips, err := db.ACSYears(ctx, acs.ZCTA) // newest first
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(zips[0], len(zips), "years")
	tracts, err := db.ACSYears(ctx, acs.Tract)
	fmt.Println(tracts, err)
	_, unknown := lookup.ParseOptions([]string{"acs_social_2024", "acs_social_2031"}, zips...)
	fmt.Println(unknown)
	// Output:
	// 2024 14 years
	// [2024 2023 2022] <nil>
	// [acs_social_2031]
}

func ExampleDB_ACSProfile() {
	db := sampleDB()
	defer db.Close()
	// All four profiles of a year, of a ZIP Code or of a tract by its 11 digits.
	res, err := db.ACSProfile(context.Background(), "10001", []acs.Tag{{Profile: acs.Demographic, Year: 2019}}, acs.Options{})
	if err != nil {
		log.Fatal(err)
	}
	block := &res.Years[0]
	people := block.Metric(acs.MustField("demographic.sex_and_age.total_population"))
	fmt.Println(block.GeoID, acs.Vintage(block.Year), people.Column(), people.Estimate.IsNumber())
	// Output: 8600000US10001 2015-2019 DP05_0001E true
}

// A program that runs for long watches the file that it answers from.
func ExampleDB_VerifyPages() {
	path, remove := sampleFile()
	defer remove()
	db, err := postgeo.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	fmt.Println(db.Ping(ctx), db.Moved()) // every second

	if err := db.VerifyPages(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("verified")
	// Output:
	// <nil> <nil>
	// verified
}

func ExampleDB_MatchAddressFields() {
	db := sampleDB()
	defer db.Close()
	fields := address.Fields{Street: "350 5th ave", Unit: "500", City: "new york", State: "NY"}
	m, err := db.MatchAddressFields(context.Background(), fields, address.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Data.FormattedAddress)
	// Output: 350 5TH AVE STE 500, NEW YORK NY 10118-8064
}

func ExampleDB_CodesIn() {
	db := sampleDB()
	defer db.Close()
	county, _ := lookup.ParseLayer("county")
	in, err := db.CodesIn(context.Background(), county, "09190", lookup.CodesInOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(in.Area.Name)
	for _, c := range in.Codes {
		fmt.Println(c.City, *c.PctOfZIP)
	}
	// Output:
	// Western Connecticut Planning Region
	// Stamford 99.4
	// Stamford 100
}

func ExampleDB_FamiliesAt() {
	db := sampleDB()
	defer db.Close()
	fam, _, err := db.FamiliesAt(context.Background(), geo.MustLatLng(34.09, -118.41), lookup.Options{Include: lookup.Include{Census: true, CongressionalDistrict: true}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fam.Census.Current.County[0].Name)
	fmt.Println(fam.CongressionalDistrict.Current.Primary.State, fam.CongressionalDistrict.Current.Primary.Basis)
	// Output:
	// Los Angeles County
	// CA contains_point
}

func ExampleDB_Neighbors() {
	db := sampleDB()
	defer db.Close()
	n, err := db.Neighbors(context.Background(), "90210", lookup.NeighborOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range n.Codes {
		if c.City == "West Hollywood" {
			fmt.Println(n.Code, "touches", c.Code, c.City)
		}
	}
	// Output:
	// 90210 touches 90069 West Hollywood
}

func ExampleDB_ZIP3() {
	db := sampleDB()
	defer db.Close()
	r, err := db.ZIP3(context.Background(), "902")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Code, r.SafeHarbor)
	// Output:
	// 902 902
}

func ExampleDB_Crosswalk() {
	db := sampleDB()
	defer db.Close()
	for row, err := range db.Crosswalk(context.Background(), "zip", "county", lookup.CrosswalkOptions{State: "CT", Weight: lookup.WeightPeople}) {
		if err != nil {
			log.Fatal(err)
		}
		if row.To == "09120" {
			fmt.Println(row.From, row.To, row.ToName, *row.PctOfFrom)
		}
	}
	// Output:
	// 06604 09120 Greater Bridgeport Planning Region 100
	// 06605 09120 Greater Bridgeport Planning Region 100
}

func ExampleDB_Apportion() {
	db := sampleDB()
	defer db.Close()
	clients := map[string]float64{"06037": 1000}
	got, err := db.Apportion(context.Background(), clients, "county", "cd", lookup.CrosswalkOptions{Weight: lookup.WeightPeople})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(got.Values, got.Outside, got.Weight)
	// Output:
	// map[0628:31 0629:96 0630:168 0632:81 0634:130 0636:161 0637:183 0642:80 0643:49 0644:20] 1 people
}

func ExampleDB_AreaOutline() {
	db := sampleDB()
	defer db.Close()
	county, _ := lookup.ParseLayer("county")
	area, outline, err := db.AreaOutline(context.Background(), county, "06037")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(area.Name, len(outline) > 0)
	// Output:
	// Los Angeles County true
}

func ExampleDB_AreaIDsAt() {
	db := sampleDB()
	defer db.Close()
	county, _ := lookup.ParseLayer("county")
	points := []geo.LatLng{geo.MustLatLng(34.09, -118.41), geo.MustLatLng(0, 0)}
	for geoid, err := range db.AreaIDsAt(context.Background(), county, slices.Values(points)) {
		fmt.Printf("%q %v\n", geoid, err)
	}
	// Output:
	// "06037" <nil>
	// "" <nil>
}
