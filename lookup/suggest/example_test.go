package suggest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/lookup/suggest"
)

func Example() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	types, err := suggest.ParseTypes([]string{"place", "county"})
	if err != nil {
		log.Fatal(err)
	}
	r, err := db.Suggest(context.Background(), "los angeles", suggest.Options{Include: types, Limit: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range r.Matches {
		fmt.Println(m.Type, m.Name, m.State, len(m.AssociatedZIPs) == 0)
	}
	// Output:
	// place Los Angeles CA false
	// county Los Angeles County CA true
}

func ExampleParseTypes() {
	types, err := suggest.ParseTypes([]string{"zip", "county"})
	fmt.Println(types, err)
	// Output: [zip county] <nil>
}
