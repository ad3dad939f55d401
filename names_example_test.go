package postgeo_test

import (
	"fmt"

	"github.com/postgeo/postgeo"
)

// Parsing needs no dataset.
func ExampleParseCode() {
	c, err := postgeo.ParseCode("k1a0b1")
	fmt.Println(c, c.Type() == postgeo.Postal, c.Parent(), err)
	_, err = postgeo.ParseCode("9021")
	code, _, ok := postgeo.Contract(err)
	fmt.Println(code, ok)
	// Output:
	// K1A 0B1 true K1A <nil>
	// VALIDATION_INVALID_ZIP true
}

func ExampleParseInclude() {
	include, unknown := postgeo.ParseInclude([]string{"census", "acs_social_2019", "weather"})
	fmt.Println(include.Flags(), unknown)
	search, _ := postgeo.ParseRadiusInclude([]string{"timezone"})
	match, _ := postgeo.ParseAddressInclude([]string{"coordinates"})
	fmt.Println(search.Timezone, match.Coordinates)
	// Output:
	// [census acs_social_2019] [weather]
	// true true
}

func ExampleParseSuggestTypes() {
	types, err := postgeo.ParseSuggestTypes([]string{"zip", "county"})
	fmt.Println(types, err)
	// Output: zip,county <nil>
}

// The catalog of fields needs no dataset either.
func ExampleACSFields() {
	for _, f := range postgeo.ACSFields(postgeo.ACSQuery{Profile: postgeo.Economic, Text: "median_household_income"}) {
		fmt.Println(f, f.Dollars())
	}
	tag, err := postgeo.ParseACSTag("acs_economic_2019")
	fmt.Println(tag.Profile == postgeo.Economic, tag.Year, err)
	fmt.Println(postgeo.MustACSField("social.households.total_households"))
	// Output:
	// economic.income.median_household_income true
	// true 2019 <nil>
	// social.households.total_households
}
