package suggest_test

import (
	"fmt"

	"github.com/postgeo/postgeo/lookup/suggest"
)

func ExampleTypes() {
	types, err := suggest.ParseTypes([]string{"county", "zip"})
	fmt.Println(types, types.Has(suggest.County), types.Has(suggest.State), err)
	// Output: zip,county true false <nil>
}

func ExampleParseTypes() {
	types, err := suggest.ParseTypes([]string{"zip", "county"})
	fmt.Println(types, err)
	// Output: zip,county <nil>
}
