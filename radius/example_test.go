package radius_test

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

func ExampleEngine_Search() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	r, err := lookup.NewReader(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := radius.NewEngine(r)
	res, err := e.Search(context.Background(), "90210", radius.Options{Max: 10, Limit: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	nearest := res.Matches[0]
	fmt.Println(nearest.Code, nearest.City, nearest.DistanceMiles)
	fmt.Println(len(res.Matches), res.Notices[0].Code)
	// Output:
	// 90210 Beverly Hills 0
	// 3 RESULTS_CAPPED
}

func ExampleEngine_Nearest() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	r, err := lookup.NewReader(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := radius.NewEngine(r)
	res, err := e.Nearest(context.Background(), "43.09,-79.07", radius.NearestOptions{Count: 2, Mode: radius.Spatial})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range res.Matches {
		fmt.Println(m.Country, m.CodeType, m.State)
	}
	// Output:
	// CA FSA ON
	// US ZIP NY
}

func ExampleDistance() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	r, err := lookup.NewReader(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := radius.Distance(context.Background(), r, "45.4215,-75.6972", "34.0901,-118.4065", radius.DistanceOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Distance.Miles, "miles,", res.Distance.Km, "km, bearing", res.Bearing)
	// Output: 2372.95 miles, 3818.89 km, bearing 266
}
