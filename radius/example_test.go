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
