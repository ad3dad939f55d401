package radius_test

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/sample"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

func ExampleDistance() {
	d, err := dataset.OpenFS(sample.FS(), sample.Name)
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
	res, err := radius.Distance(context.Background(), r, "45.4215,-75.6972", "34.0901,-118.4065")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Distance.Miles, "miles,", res.Distance.Km, "km, bearing", res.Bearing)
	// Output: 2372.95 miles, 3818.89 km, bearing 266
}
