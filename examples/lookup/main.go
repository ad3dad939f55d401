// Command lookup looks up a ZIP Code and the ZIP Codes around it.
//
// A DB is safe for concurrent use, so a program opens one and keeps it. The sample has a few
// hundred codes. The zero lookup.Options add nothing to the record; its Include adds census
// areas, districts and survey figures. Max of a search is in miles, and matches are sorted by
// distance, so the first one is the code itself.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

func main() {
	db, err := postgeo.OpenSample() // or postgeo.Open("postgeo.db")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()

	rec, err := db.Lookup(ctx, "90210", lookup.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.City, rec.State, rec.County, rec.Location)

	near, err := db.Radius(ctx, "90210", radius.Options{Max: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range near.Matches {
		fmt.Println(m.Code, m.City, m.DistanceMiles)
	}
}
