package lookup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
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

func ExampleCode_MarshalText() {
	type order struct {
		To lookup.Code `json:"to"`
	}
	text, err := json.Marshal(order{lookup.MustParseCode("k1a0b1")})
	if err != nil {
		log.Fatal(err)
	}
	var back order
	err = json.Unmarshal(text, &back)
	fmt.Println(string(text), back.To.Type(), err)
	// Output: {"to":"K1A 0B1"} Postal <nil>
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

func ExampleParseLayer() {
	layer, ok := lookup.ParseLayer("county")
	fmt.Println(layer, ok)
	// Output: county true
}

func ExampleFlag() {
	var split lookup.Flag
	fmt.Println(split, split == lookup.True, split == lookup.False)
	fmt.Println(lookup.True)
	// Output:
	// unknown false false
	// true
}

// User-supplied layers, such as sales territories, are in records whose Include names
// them. "postgeo dataset add" adds them to a dataset; the sample has none.
func ExampleOwnLayers() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	r, err := db.Lookup(context.Background(), "90210", lookup.Options{Include: lookup.Include{Layers: []string{"territories"}}})
	if err != nil {
		log.Fatal(err)
	}
	if own, ok := r.Layers["territories"]; !ok {
		fmt.Println(r.Notices[0].Message)
	} else {
		for _, area := range own.Areas {
			fmt.Println(area.ID, area.Name, *area.PctOfZIP)
		}
	}
	// Output: Not available for this code, not charged: layers.territories.
}
