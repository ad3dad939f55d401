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

func ExampleField() {
	f, ok := acs.FieldByKey("economic.income.median_household_income")
	if !ok {
		log.Fatal("no such field")
	}
	fmt.Println(f.Number(2015), f.Column(2015), f.Stable(2015), len(f.StableYears()), "years")
	fmt.Println(f.LabelIn(2015))
	fmt.Println(f.Dollars(), acs.UniverseOf(f))
	// Output:
	// 62 DP03_0062E true 14 years
	// INCOME AND BENEFITS (IN 2015 INFLATION-ADJUSTED DOLLARS)!!Total households!!Median household income (dollars)
	// true economic.income.total_households
}

func ExampleParseFields() {
	fields, err := acs.ParseFields("economic.income.median_household_income", "economic.poverty.people")
	fmt.Println(fields, err)
	_, err = acs.ParseFields("economic.income.median_houshold_income")
	fmt.Println(err)
	// Output:
	// [economic.income.median_household_income economic.poverty.people] <nil>
	// postgeo: survey: unknown field: "economic.income.median_houshold_income"; did you mean economic.income.median_household_income?
}

func ExampleYears_Year() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	res, err := db.ACSProfile(context.Background(), "10001", []acs.Tag{{Profile: acs.Economic, Year: 2011}}, acs.Options{})
	if err != nil {
		log.Fatal(err)
	}
	block := res.Years.Year(2011)
	if block == nil {
		log.Fatal("no such year")
	}
	fmt.Println(block.Has(acs.Economic), block.Has(acs.Housing), acs.Vintage(block.Year))
	income := block.Metric(acs.MustField("economic.income.median_household_income")).Estimate
	number, ok := income.Float64()
	fmt.Println(ok, ok == income.IsNumber(), number > 0)
	fmt.Println(res.Years.Year(1990) == nil)
	// Output:
	// true false 2007-2011
	// true true true
	// true
}
