package acs_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
)

func Example() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	tags := []acs.Tag{{Profile: acs.Economic, Year: 2011}, {Profile: acs.Economic}}
	res, err := db.ACSProfile(context.Background(), "10001", tags, acs.Options{})
	if err != nil {
		log.Fatal(err)
	}
	droveAlone := acs.MustField("economic.commuting.drove_alone")
	for i := range res.Years {
		b := &res.Years[i]
		alone := b.Metric(droveAlone)
		fmt.Println(b.Year, b.GeoID, alone.Column(), alone.Percent.IsNumber())
	}
	// Output:
	// 2024 860Z200US10001 DP03_0019E true
	// 2011 8600000US10001 DP03_0019E true
}
