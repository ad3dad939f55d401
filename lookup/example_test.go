package lookup_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
)

func ExampleReader_Quick() {
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
	rec, err := r.Quick(context.Background(), "k1a9z9", lookup.QuickOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rec.CodeType, rec.Code, rec.City, rec.State)
	for _, n := range rec.Notices {
		fmt.Println(n.Message)
	}
	// Output:
	// FSA K1A Ottawa ON
	// Input 'k1a9z9' was normalized to 'K1A 9Z9'.
	// Postal code K1A 9Z9 not found; returned FSA K1A.
}

func ExampleReader_Full() {
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
	inc, unknown := lookup.ParseInclude([]string{"timezone, medicare, census, weather"})
	rec, err := r.Full(context.Background(), "10008", lookup.Options{Include: inc}) // boxes only
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rec.County, rec.Metro.MSA, rec.Timezone.Zones[0].Name)
	fmt.Println(rec.Medicare.SSAStateCountyCode, rec.Medicare.RatingAreaID)
	fmt.Println(rec.Census.Current.County[0].FIPS, rec.Census.Current.Basis)
	fmt.Println("unknown:", unknown)
	// Output:
	// New York County 35620 Eastern Time
	// 33420 Rating Area 4
	// 36061 contains_point
	// unknown: [weather]
}

func ExampleReader_Locate() {
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
	for _, input := range []string{"9021", "00000"} {
		_, err := r.Locate(context.Background(), input)
		fmt.Println(errors.Is(err, fault.ErrInvalidCode), errors.Is(err, fault.ErrNotFound))
	}
	p, err := r.Locate(context.Background(), "43.6,-79.4")
	fmt.Println(p.Location, p.Notices[0].Code, err)
	// Output:
	// true false
	// false true
	// 43.6,-79.4 COORDINATES_USED <nil>
}
