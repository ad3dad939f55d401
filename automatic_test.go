package postgeo_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/radius"
)

func ExampleDB_AutoRadius() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	miles, err := db.AutoRadius(ctx, "90210", radius.Density)
	if err != nil {
		log.Fatal(err)
	}
	res, err := db.Radius(ctx, "90210", radius.Options{Auto: radius.Density})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(miles >= 3 && miles <= 150, miles == res.Search.Max)
	// Output: true true
}
