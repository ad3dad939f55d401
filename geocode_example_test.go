package postgeo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
)

// The sample has few addresses. Others fall back to the ZIP Code.
func ExampleDB_Geocode() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
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
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
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
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
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
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	r, err := db.Reverse(context.Background(), geo.MustLatLng(40.7484, -73.9857), geocode.ReverseOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Precision, r.Formatted)
	// Output: point 350 5TH AVE, New York, NY 10118
}
