// Command lookup resolves a code, searches around it and handles a code that
// does not exist.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
)

func main() {
	db, err := postgeo.OpenSample() // or postgeo.Open("postgeo.db")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()

	rec, err := db.Lookup(ctx, "90210", postgeo.LookupOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.City, rec.State, rec.County, rec.Location)

	near, err := db.Radius(ctx, "90210", postgeo.RadiusOptions{Max: 3, Mode: postgeo.Spatial})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range near.Matches[:2] {
		fmt.Println(m.Code, m.City, m.DistanceMiles, *m.PctInside)
	}

	_, err = db.Lookup(ctx, "99999", postgeo.LookupOptions{})
	fmt.Println(errors.Is(err, postgeo.ErrNotFound), err)
}
