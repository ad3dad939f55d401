package lookup_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/lookup"
)

func Example() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rec, err := db.QuickLookup(context.Background(), "k1a9z9", lookup.QuickOptions{})
	if err != nil {
		log.Fatal(err)
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

func ExampleRecord() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	opt, unknown := lookup.ParseOptions([]string{"timezone, medicare, census, weather"})
	rec, err := db.Lookup(context.Background(), "10008", opt) // boxes only
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.County, rec.Metro.MSA, rec.Timezone.Zones[0].Name)
	fmt.Println(rec.Medicare.SSAStateCountyCode, rec.Medicare.RatingAreaID)
	fmt.Println(rec.Census.Current.County[0].FIPS, rec.Census.Current.Basis)
	fmt.Println(rec.Delivered(), unknown)
	// Output:
	// New York County 35620 Eastern Time
	// 33420 Rating Area 4
	// 36061 contains_point
	// [timezone census medicare] [weather]
}
