package acs_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// exampleReader reads the survey of the sample; a program handles the errors.
func exampleReader() (r *acs.Reader, done func() error) {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	return acs.NewReader(d), d.Close
}

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

func ExampleReader_Aggregate() {
	r, done := exampleReader()
	defer done()
	level, parts, err := acs.ParseParts("98101", "98104")
	if err != nil {
		log.Fatal(err)
	}
	parts[1].Percent = 50 // the second by half of its area
	tag, err := acs.ParseTagUntil("acs_economic", r.Newest(level))
	if err != nil {
		log.Fatal(err)
	}
	res, err := r.Aggregate(context.Background(), level, parts, []acs.Tag{tag}, acs.ByShare, acs.Options{})
	if err != nil {
		log.Fatal(err)
	}
	a := &res.Years[0]
	income, _ := acs.FieldByKey("economic.income.median_household_income")
	fmt.Println(a.WithData, a.CoveragePercent(), a.Metric(income).Estimate.IsNumber(), a.Metric(income).IsZero())
	fmt.Println(a.Note()[:45])
	// Output:
	// 2 100 true false
	// ZIP Codes count by the share of their area in
}

func ExampleReader_Figures() {
	r, done := exampleReader()
	defer done()
	fields, err := acs.ParseFields("demographic.sex_and_age.total_population")
	if err != nil {
		log.Fatal(err)
	}
	level, area, err := acs.ParseArea("90210")
	if err != nil {
		log.Fatal(err)
	}
	parts := []acs.Part{{GEOID: area, Percent: 100}}
	figures, err := r.Figures(context.Background(), level, parts, fields, []int{2014, 2024}, acs.FigureOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range figures {
		_, ok := figures[i].Sample(false)
		fmt.Println(figures[i].Vintage, figures[i].Status, ok)
	}
	c, err := acs.Compare(figures[0], figures[1], true, false) // of the same area, no percentages
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Overlap, c.Difference.IsNumber())
	// Output:
	// 2010-2014 available true
	// 2020-2024 available true
	// 0 true
}

func ExampleRows() {
	r, done := exampleReader()
	defer done()
	fields, err := acs.ParseFields("demographic.sex_and_age.total_population")
	if err != nil {
		log.Fatal(err)
	}
	lines, err := r.Series(context.Background(), []string{"90210"}, fields, acs.SeriesOptions{Years: []int{2024}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(acs.Rows(lines, acs.Long)), "rows, the head one of them")
	fmt.Println(strings.Join(acs.Rows(lines[:0], acs.Wide)[0], ","))
	level, parts, err := acs.ParseParts("98101", "98104")
	if err != nil {
		log.Fatal(err)
	}
	lines, err = r.SeriesOf(context.Background(), "downtown", level, parts, fields, acs.SeriesOptions{Years: []int{2023, 2024}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lines[0].Area, len(lines[0].Points), "years")
	// Output:
	// 2 rows, the head one of them
	// area,field
	// downtown 2 years
}

func ExampleReader_Tract() {
	r, done := exampleReader()
	defer done()
	fmt.Println(r.Source(), r.YearsOf(acs.Tract), r.Has(acs.Tract, acs.Economic, 2024))
	tags := r.Normalize(acs.Tract, []acs.Tag{{Profile: acs.Economic, Year: 2024}, {Profile: acs.Economic}}) // the same twice
	fmt.Println(tags)
	res, err := r.Tract(context.Background(), "53033000100", tags, acs.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(res.Years.Tags())+len(res.Unpublished)+len(res.Unavailable), "flag")
	// Output:
	// sample: invented figures in the form of the American Community Survey [2024 2023 2022] true
	// [acs_economic]
	// 1 flag
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

func ExampleReader_CheckTags() {
	r, done := exampleReader()
	defer done()
	fmt.Println(r.CheckTags(acs.ZCTA, []acs.Tag{{Profile: acs.Social, Year: 2019}}))
	fmt.Println(r.CheckTags(acs.ZCTA, []acs.Tag{{Profile: acs.Social, Year: 1800}}) != nil)
	// Output:
	// <nil>
	// true
}
