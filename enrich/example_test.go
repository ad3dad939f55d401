package enrich_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
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

func ExampleCheck() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println(enrich.Check(db, []string{"city", "conty_fips"}))
	// Output: enrich: no answer has a field "conty_fips"; near it are county_fips, radius.matches.county_fips
}
