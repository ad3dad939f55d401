package acs_test

import (
	"fmt"
	"log"
	"os"

	"github.com/postgeo/postgeo/acs"
)

func ExampleField() {
	f, ok := acs.FieldByKey("economic.income.median_household_income")
	if !ok {
		log.Fatal("no such field")
	}
	fmt.Println(f.Number(2015), f.Column(2015), f.Stable(2015), len(f.StableYears()), "years")
	fmt.Println(f.LabelIn(2015))
	fmt.Println(acs.DollarYear(f.LabelIn(2015)), f.Dollars(), acs.UniverseOf(f))
	fmt.Println(f.Agrees("Estimate!!INCOME AND BENEFITS (IN 2015 INFLATION-ADJUSTED DOLLARS)!!Total households!!Median household income (dollars)"))
	brackets := f.Brackets(2015)
	fmt.Println(len(brackets), "intervals, the second from", brackets[1].Low, "to", brackets[1].High)
	// Output:
	// 62 DP03_0062E true 14 years
	// INCOME AND BENEFITS (IN 2015 INFLATION-ADJUSTED DOLLARS)!!Total households!!Median household income (dollars)
	// 2015 true economic.income.total_households
	// true
	// 10 intervals, the second from 10000 to 15000
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

func ExampleProfileOfTable() {
	p, ok := acs.ProfileOfTable("DP03")
	fmt.Println(p, p.Table(), ok)
	q, ok := acs.ParseProfile("housing")
	fmt.Println(q, q.Table(), ok)
	set := acs.ProfileSet(0).With(p)
	for _, p := range acs.AllProfiles() {
		fmt.Println(p, set.Has(p))
	}
	// Output:
	// economic DP03 true
	// housing DP04 true
	// demographic false
	// social false
	// economic true
	// housing false
}

// Flags name a profile and a year; those of tracts are for addresses.
func ExampleParseTagUntil() {
	tag, err := acs.ParseTagUntil("acs_economic_2015", 2024)
	fmt.Println(tag, tag.Year, err)
	_, err = acs.ParseTagUntil("acs_economic_2031", 2024)
	fmt.Println(err != nil)
	tract, err := acs.ParseTractTag("acs_tract_social", 2024)
	fmt.Println(tract.TractFlag(), err)
	// Output:
	// acs_economic_2015 2015 <nil>
	// true
	// acs_tract_social <nil>
}

// The fields of this release and their columns.
func ExampleBuiltIn() {
	r := acs.BuiltIn()
	_, ok := r.Find("economic.poverty.people")
	fmt.Println(r.LastYear(), ok)
	fmt.Println(len(r.Columns(acs.Economic, 2024)) > 100, len(r.Identities(acs.Economic, 2024)) > 10)
	fmt.Println(r.Layout(acs.ZCTA, acs.Economic, 2024).Year)
	// Output:
	// 2024 true
	// true true
	// 2024
}

func ExampleParseRegistry() {
	f, err := os.Open("registry.csv")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	r, err := acs.ParseRegistry(f)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.LastYear() == acs.BuiltIn().LastYear())
	// Output: true
}
