package postgeo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

func ExampleDB_Codes() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	n := 0
	for code, err := range db.Codes(context.Background(), lookup.FSA) {
		if err != nil {
			log.Fatal(err)
		}
		if n++; n <= 2 {
			fmt.Println(code)
		}
	}
	// Output:
	// A1A
	// A1B
}

func ExampleDB_AreaIDs() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	for geoid, err := range db.AreaIDs(context.Background(), lookup.LayerCounty) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(geoid)
		break
	}
	// Output: 01003
}

// TestListings holds that lists ascend, that all of them is found, and what a
// closed database and a missing layer say.
func TestListings(t *testing.T) {
	db := sampletest.Open(t)
	for _, kind := range []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal} {
		var codes []string
		for code, err := range db.Codes(t.Context(), kind) {
			if err != nil {
				t.Fatal(err)
			}
			rec, err := db.QuickLookup(t.Context(), code, lookup.QuickOptions{})
			if err != nil || rec.Code != code || rec.CodeType != kind {
				t.Fatalf("%s is listed as %v: %v, %v", code, kind, rec, err)
			}
			codes = append(codes, code)
		}
		if len(codes) == 0 || !slices.IsSorted(codes) {
			t.Errorf("%d codes of type %v, ascending: %v", len(codes), kind, slices.IsSorted(codes))
		}
	}
	for code, err := range db.Codes(t.Context(), lookup.Coordinates) {
		if !errors.Is(err, postgeo.ErrInvalidParam) {
			t.Errorf("codes of the kind Coordinates: %q, %v", code, err)
		}
	}
	for _, err := range db.AreaIDs(t.Context(), "") {
		if !errors.Is(err, postgeo.ErrUnavailable) {
			t.Errorf("no layer: %v", err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, err := range db.Codes(t.Context(), lookup.ZIP) {
		if !errors.Is(err, postgeo.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	}
}

func ExampleDB_AreaIDs_box() {
	db := sampleDB()
	defer db.Close()
	box := geo.Box{SouthWest: geo.MustLatLng(40.7, -74.02), NorthEast: geo.MustLatLng(40.75, -73.98)}
	for geoid, err := range db.AreaIDs(context.Background(), lookup.LayerCounty, box) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(geoid)
	}
	// Output:
	// 34017
	// 36047
	// 36061
}

// The sample has no layer of a user; see the command dataset add.
func ExampleDB_OwnLayers() {
	db := sampleDB()
	defer db.Close()
	layers, err := db.OwnLayers(context.Background())
	fmt.Println(len(layers), err)
	// Output: 0 <nil>
}
