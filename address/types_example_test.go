package address_test

import (
	"fmt"

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
