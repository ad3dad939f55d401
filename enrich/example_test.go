package enrich_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
)

func Example() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{"city", "fips=county_fips"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, code := range []string{"90210", "k1a0b1", "99999"} {
		values, out, err := e.Row(context.Background(), code, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s, %s=%q, %s=%q\n", code, out.Status, e.Columns()[0].Name, values[0].String(), e.Columns()[1].Name, values[1].String())
	}
	// Output:
	// 90210: matched, city="Beverly Hills", fips="06037"
	// k1a0b1: matched, city="Ottawa", fips=""
	// 99999: not_found, city="", fips=""
}

func ExampleNewPlaces() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	stores := []enrich.Place{
		{Key: "34.0195,-118.4912", Cells: []string{"S1", "Santa Monica"}},
		{Key: "10118", Cells: []string{"S2", "Fifth Avenue"}},
	}
	places, err := enrich.NewPlaces(context.Background(), db, []string{"id", "store"}, func(yield func(enrich.Place, error) bool) {
		for _, s := range stores {
			if !yield(s, nil) {
				return
			}
		}
	}, enrich.PlaceOptions{Kind: enrich.Code})
	if err != nil {
		log.Fatal(err)
	}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.City, Places: places, Add: []string{"nearest_place.id", "nearest_place.store"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, customer := range []string{"Beverly Hills, CA", "New York, NY"} {
		values, out, err := e.Row(context.Background(), customer, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(customer, out.Status, values[0], values[1])
	}
	// Output:
	// Beverly Hills, CA matched S1 Santa Monica
	// New York, NY matched S2 Fifth Avenue
}

func ExampleCheck() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println(enrich.Check(db, []string{"city", "conty_fips"}))
	// Output: enrich: unknown field "conty_fips"; similar: county_fips, nearest.county_fips, radius.matches.county_fips, quality.county_sources.county_fips
}

func ExampleEnricher_EachPlace() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Coordinates, Add: []string{"census.tract.geoid"}})
	if err != nil {
		log.Fatal(err)
	}
	points := []geo.LatLng{geo.MustLatLng(34.0901, -118.4065), geo.MustLatLng(34.0902, -118.4066)}
	ctx, tracts := context.Background(), map[string]string{} // by areas, which both share
	err = e.EachPlace(ctx, points, func(i int, areas []byte) error {
		if _, ok := tracts[string(areas)]; !ok {
			values, _, err := e.Row(ctx, points[i].String(), nil)
			if err != nil {
				return err
			}
			tracts[string(areas)] = values[0].String()
		}
		return nil
	})
	fmt.Println(len(tracts), err)
	// Output: 1 <nil>
}

func ExampleCatalog() {
	for _, f := range enrich.Catalog() {
		if f.Path == "county_fips" {
			fmt.Println(f.Path, f.Type)
		}
	}
	fmt.Println(len(enrich.Catalog()) > 2000)
	// Output:
	// county_fips string
	// true
}

func ExampleValue() {
	values := []enrich.Value{
		enrich.ValueOf("00601"), enrich.ValueOf(7), enrich.ValueOf(2.5), enrich.ValueOf(true),
		enrich.ValueOf(json.RawMessage(`{"a":1}`)), enrich.ValueOf([]byte("wkb")), enrich.ValueOf([]enrich.Value{enrich.ValueOf(1), enrich.ValueOf(2)}),
		{},
	}
	for _, v := range values {
		fmt.Printf("%v %q %t\n", v.Type(), v.String(), v.IsNull())
	}
	fmt.Println(values[2].Float(), values[3].Bool(), len(values[5].Bytes()))
	// Output:
	// string "00601" false
	// int "7" false
	// float "2.5" false
	// bool "true" false
	// json "{\"a\":1}" false
	// bytes "776b62" false
	// list "1; 2" false
	//  "" true
	// 2.5 true 3
}

// Rows with keys in several columns.
func ExampleJoinFields() {
	fmt.Printf("%q\n", enrich.JoinFields(address.Fields{Street: "350 5th Ave", City: "New York", State: "NY", ZIP: "10118"}))
	// Output: "350 5th Ave\x1f\x1fNew York\x1fNY\x1f10118\x1f"
}

func ExampleJoinAddress() {
	fmt.Println(enrich.JoinAddress("350 5th Ave", "New York", "NY", "10118"))
	fmt.Println(enrich.JoinCoordinates("34.1", "-118.415"))
	// Output:
	// 350 5th Ave, New York, NY, 10118
	// 34.1,-118.415
}

func ExampleEnricher_RowBy() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Kinds: []enrich.Kind{enrich.Coordinates}, Add: []string{"city"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range [][3]string{{"90210", "", ""}, {"", "40.7484", "-73.9857"}} {
		keys := []enrich.Key{{Kind: enrich.Code, Text: row[0]}, {Kind: enrich.Coordinates, Text: enrich.JoinCoordinates(row[1], row[2])}}
		values, outcome, err := e.RowBy(context.Background(), keys, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(values[0], outcome.Status)
	}
	// Output:
	// Beverly Hills matched
	// New York matched
}
