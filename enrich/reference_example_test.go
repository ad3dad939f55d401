package enrich_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
)

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
