package suggest_test

import (
	"fmt"

	"github.com/postgeo/postgeo/lookup/suggest"
)

func ExampleParseTypes() {
	types, err := suggest.ParseTypes([]string{"zip", "county"})
	fmt.Println(types, err)
	// Output: [zip county] <nil>
}
