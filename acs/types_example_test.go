package acs_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/radius"
)

// A search with figures of the survey adds those of the matched areas.
func ExampleAggregate() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	found, err := db.Radius(context.Background(), "98101", radius.Options{
		Mode: radius.Spatial, Max: 5, Include: radius.Include{ACS: []acs.Tag{{Profile: acs.Economic}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	stats := &found.Stats.ACS[0]
	fmt.Println(stats.CoveragePercent() > 0, stats.Note() != "")
	// Output: true true
}
