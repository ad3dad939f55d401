package lookup_test

import (
	"fmt"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

func ExampleCode() {
	for _, text := range []string{"90210", "90210-1234", "K1A", "k1a0b1", "34.1, -118.4"} {
		c, err := lookup.ParseCode(text)
		fmt.Printf("%v %t %q %v\n", c, c.IsValid(), c.Parent().String(), err)
	}
	fmt.Println(lookup.PointCode(geo.MustLatLng(34.1, -118.4)).LatLng())
	// Output:
	// 90210 true "" <nil>
	// 90210-1234 true "90210" <nil>
	// K1A true "" <nil>
	// K1A 0B1 true "K1A" <nil>
	// 34.1,-118.4 true "" <nil>
	// 34.1,-118.4
}

func ExampleFlagOf() {
	var unknown lookup.Flag
	for _, f := range []lookup.Flag{lookup.FlagOf(true), lookup.FlagOf(false), unknown} {
		fmt.Println(f.Known(), f.Bool())
	}
	// Output:
	// true true
	// true false
	// false false
}

func ExampleParseOptions() {
	opt, unknown := lookup.ParseOptions([]string{"census", "timezone,acs_economic", "likely", "weather"})
	fmt.Println(opt.Likely, opt.Flags(), unknown)
	// A flag of a year that the dataset cannot have yet is unknown too.
	_, unknown = lookup.ParseOptions([]string{"acs_economic_2031"}, 2024)
	fmt.Println(unknown)
	// Output:
	// true [timezone census likely acs_economic] [weather]
	// [acs_economic_2031]
}

// A failed item shows how its code was read.
func ExampleNormalizedNotices() {
	for _, n := range lookup.NormalizedNotices(envelope.Input{From: "k1a0b1", To: "90210"}) {
		fmt.Println(n.Code, n.Message)
	}
	// Output: INPUT_NORMALIZED Input 'k1a0b1' was normalized to 'K1A 0B1'.
}

func ExampleCode_Thing() {
	fmt.Println(lookup.MustParseCode("90210-1234").Thing(), lookup.MustParseCode("k1a0b1").Thing())
	// Output: ZIP code postal code
}
