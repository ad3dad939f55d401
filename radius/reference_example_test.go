package radius_test

import (
	"fmt"

	"github.com/postgeo/postgeo/radius"
)

// Parameters as they stand in a request or on a command line.
func ExampleParseMax() {
	limit, auto, err := radius.ParseMax("25")
	fmt.Println(limit, auto == "", err)
	_, auto, err = radius.ParseMax("auto")
	fmt.Println(auto, err)
	// Output:
	// 25 true <nil>
	// density <nil>
}

func ExampleParseInclude() {
	inc, unknown := radius.ParseInclude([]string{"timezone", "acs_economic", "weather"})
	fmt.Println(inc.Timezone, inc.ACS, unknown)
	_, unknown = radius.ParseInclude([]string{"acs_economic_2031"}, 2024)
	fmt.Println(unknown)
	// Output:
	// true [acs_economic] [weather]
	// [acs_economic_2031]
}

func ExampleOptions_Check() {
	opt := radius.Options{Max: 5, Min: 10}
	fmt.Println(opt.Check())
	// Output: postgeo: radius: min is 10; expected at least 0 miles and below max
}
