package sample_test

import (
	"fmt"

	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

func ExampleFS() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	zip, _ := d.ZIP(90210)
	fmt.Println(zip.ZIP, zip.City, d.County(zip.County).Name, d.Zone(zip.Zone).Name)
	// Output: 90210 Beverly Hills Los Angeles County America/Los_Angeles
}
