package address_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
)

func ExampleFields_Key() {
	fields := address.Fields{Street: "350 5th Ave", City: "New York", State: "NY", ZIP: "10118"}
	fmt.Printf("%q\n", fields.Key())
	// Output: "350 5th Ave\x1f\x1fNew York\x1fNY\x1f10118\x1f"
}

func ExampleFields_Set() {
	var fields address.Fields
	fmt.Println(fields.Set("city", " New York "), fields.Set("town", ""), fields.City)
	// Output: true false New York
}

func ExampleFields_String() {
	fields := address.Fields{Street: "350 5th Ave", City: "New York", State: "NY", ZIP: "10118"}
	fmt.Println(fields.String())
	// Output: 350 5th Ave, New York, NY 10118
}

func ExampleNoMatchError() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var verdict address.Verdict
	_, err = db.MatchAddress(context.Background(), "200 Randolph St, Chicago, IL 60601", address.Options{Verdict: &verdict})
	var none *address.NoMatchError
	if errors.As(err, &none) {
		for _, c := range none.Candidates {
			fmt.Println(c.Address)
		}
	}
	fmt.Println(verdict.Action)
	// Output:
	// 200 W RANDOLPH ST, CHICAGO IL 60601-8072
	// 200 E RANDOLPH ST, CHICAGO IL 60601-8057
	// confirm
}
