package postgeo_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
)

func ExampleCode() {
	for _, text := range []string{"90210-1234", "k1a0b1", "34.1,-118.4"} {
		c, err := postgeo.ParseCode(text)
		if err != nil {
			log.Fatal(err)
		}
		switch fmt.Print(c, c.IsValid(), " "); c.Type() {
		case postgeo.Postal:
			fmt.Println(c.PostalCode(), "in", c.Parent())
		case postgeo.Coordinates:
			fmt.Println(c.LatLng().Lat(), c.LatLng().Lng())
		default:
			fmt.Println(c.ZIP(), c.Plus4())
		}
	}
	// Output:
	// 90210-1234 true 90210 1234
	// K1A 0B1 true K1A 0B1 in K1A
	// 34.1,-118.4 true 34.1 -118.4
}

func ExampleFlag() {
	var unknown postgeo.Flag
	fmt.Println(unknown.Known(), unknown.Bool())
	// Output: false false
}

func ExampleLayerID() {
	layer, ok := postgeo.ParseLayer("county")
	fmt.Println(layer, layer.Country(), ok)
	// Output: county US true
}

func ExampleSuggestTypes() {
	types, err := postgeo.ParseSuggestTypes([]string{"county", "zip"})
	fmt.Println(types, types.Has(postgeo.SuggestCounty), types.Has(postgeo.SuggestState), err)
	// Output: zip,county true false <nil>
}

// The sum of the reasons is the rank of a match.
func ExampleSuggestReason() {
	db := sampleDB()
	defer db.Close()
	found, err := db.Suggest(context.Background(), "seat", postgeo.SuggestOptions{Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	r := found.Matches[0].Reason
	fmt.Println(r.Score() == r.Prominence+r.Evidence+r.Proximity)
	// Output: true
}

// The table, the column and the label of a field differ between years.
func ExampleACSField() {
	f := postgeo.MustACSField("economic.income.median_household_income")
	fmt.Println(f, f.Column(2015), f.Stable(2015), len(f.StableYears()), "years", f.In(2015))
	fmt.Println(f.LabelIn(2015))
	brackets := f.Brackets(2015)
	fmt.Println(len(brackets), brackets[1].Low, brackets[1].High)
	// Output:
	// economic.income.median_household_income DP03_0062E true 14 years same
	// INCOME AND BENEFITS (IN 2015 INFLATION-ADJUSTED DOLLARS)!!Total households!!Median household income (dollars)
	// 10 10000 15000
}

// The formulas of the Census Bureau's handbook.
func ExampleACSEstimate() {
	households := postgeo.ACSEstimate{Value: 1000, MOE: 100}
	half := households.Scale(0.5)
	fmt.Printf("%.0f ± %.0f\n", half.Value, half.MOE)
	fmt.Printf("standard error %.1f, coefficient of variation %.1f %%\n", households.StandardError(), households.CV())
	// Output:
	// 500 ± 50
	// standard error 60.8, coefficient of variation 6.1 %
}

func ExampleACSProfileSet() {
	var set postgeo.ACSProfileSet
	set = set.With(postgeo.Economic)
	fmt.Println(set.Has(postgeo.Economic), set.Has(postgeo.Housing), postgeo.Economic.Table())
	// Output: true false DP03
}

func ExampleACSTag() {
	tag, err := postgeo.ParseACSTag("acs_economic_2015")
	fmt.Println(tag, tag.Profile, tag.Year, err)
	// Output: acs_economic_2015 economic 2015 <nil>
}

// Instead of a number, a value may be a mark that explains its absence.
func ExampleACSValue() {
	db := sampleDB()
	defer db.Close()
	res, err := db.ACSProfile(context.Background(), "10001", []postgeo.ACSTag{{Profile: postgeo.Economic, Year: 2019}}, postgeo.ACSOptions{})
	if err != nil {
		log.Fatal(err)
	}
	block := &res.Years[0]
	income := block.Metric(postgeo.MustACSField("economic.income.median_household_income"))
	number, ok := income.Estimate.Float64()
	fmt.Println(block.Has(postgeo.Economic), number > 0, ok, income.Estimate.Mark() == postgeo.ACSMarkNumber)
	// Output: true true true true
}

// A search with figures of the survey adds those of the matched areas.
func ExampleACSStats() {
	db := sampleDB()
	defer db.Close()
	found, err := db.Radius(context.Background(), "98101", postgeo.RadiusOptions{
		Mode: postgeo.Spatial, Max: 5, Include: postgeo.RadiusInclude{ACS: []postgeo.ACSTag{{Profile: postgeo.Economic}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	stats := &found.Stats.ACS[0]
	fmt.Println(stats.CoveragePercent() > 0, stats.Note() != "")
	// Output: true true
}

// User-supplied layers, such as sales territories, are in records whose Include names
// them. "postgeo dataset add" adds them to a dataset; the sample has none.
func ExampleOwnLayers() {
	db := sampleDB()
	defer db.Close()
	r, err := db.Lookup(context.Background(), "90210", postgeo.LookupOptions{Include: postgeo.Include{Layers: []string{"territories"}}})
	if err != nil {
		log.Fatal(err)
	}
	if own, ok := r.Layers["territories"]; !ok {
		fmt.Println(r.Notices[0].Message)
	} else {
		for _, area := range own.Areas {
			fmt.Println(area.ID, area.Name, *area.PctOfZIP)
		}
	}
	// Output: Not available for this code, not charged: layers.territories.
}
