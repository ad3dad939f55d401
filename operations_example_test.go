package postgeo_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

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
		fmt.Println(err)
		return
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
			fmt.Println(err)
			return
		}
		fmt.Printf("%s and %s are %.1f miles apart\n", codes[p.A], codes[p.B], float64(p.Distance.Miles()))
	}
	// Output: 98101 and 98104 are 0.7 miles apart
}

func ExampleDB_RadiusBatch() {
	db := sampleDB()
	defer db.Close()
	searches := []postgeo.RadiusSearch{
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
	outline, err := db.CodeOutline(context.Background(), "90210")
	if err != nil {
		fmt.Println(err)
		return
	}
	box, err := db.CodeOutline(context.Background(), "90213") // PO boxes have no area
	fmt.Println(len(outline) > 0, box == nil, err)
	// Output: true true <nil>
}

func ExampleDB_Info() {
	db := sampleDB()
	defer db.Close()
	info := db.Info()
	fmt.Println(info.Sample, info.Layers[0], len(info.Attributions()))
	fmt.Println("newest survey:", db.LastACSYear(context.Background(), acs.ZCTA))
	// Output:
	// true identity 15
	// newest survey: 2024
}

func ExampleDB_Verify() {
	db := sampleDB()
	defer db.Close()
	fmt.Println(db.Verify(context.Background()))
	// Output: <nil>
}
