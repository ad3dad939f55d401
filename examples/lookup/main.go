// Command lookup resolves a code, searches around it and handles a code that
// does not exist.
package main

import (
	"context"
	"errors"
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

	near, err := db.Radius(ctx, "90210", radius.Options{Max: 1, Mode: radius.Spatial})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range near.Matches {
		if m.PctInside != nil { // PO Box ZIP Codes have no area
			fmt.Println(m.Code, m.City, m.DistanceMiles, *m.PctInside)
		}
	}

	_, err = db.Lookup(ctx, "99999", lookup.Options{})
	fmt.Println(errors.Is(err, postgeo.ErrNotFound), err)
}
