package radius_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/radius"
)

func Example() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	res, err := db.Radius(context.Background(), "90210", radius.Options{Max: 10, Limit: 3})
	if err != nil {
		log.Fatal(err)
	}
	nearest := res.Matches[0]
	fmt.Println(nearest.Code, nearest.City, nearest.DistanceMiles)
	fmt.Println(len(res.Matches), res.Notices[0].Code)
	// Output:
	// 90210 Beverly Hills 0
	// 3 RESULTS_CAPPED
}

func ExampleNearestOptions() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	res, err := db.Nearest(context.Background(), "43.09,-79.07", radius.NearestOptions{Count: 2, Mode: radius.Spatial})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range res.Matches {
		fmt.Println(m.Country, m.CodeType, m.State)
	}
	// Output:
	// CA FSA ON
	// US ZIP NY
}

func ExampleDistanceResult() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	res, err := db.Distance(context.Background(), "45.4215,-75.6972", "34.0901,-118.4065", radius.DistanceOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Distance.Miles, "miles,", res.Distance.Km, "km, bearing", res.Bearing)
	// Output: 2372.95 miles, 3818.89 km, bearing 266
}

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
