package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
)

// exampleReader reads the sample; a program handles the errors.
func exampleReader() (r *lookup.Reader, done func() error) {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	if r, err = lookup.NewReader(d); err != nil {
		log.Fatal(err)
	}
	return r, d.Close
}

func ExampleCode() {
	zip, _ := dataset.ParseZIP("90210")
	plus4, _ := dataset.ParsePlus4("1234")
	fsa, _ := dataset.ParseFSA("K1A")
	postal, _ := dataset.ParsePostalCode("K1A 0B1")
	for _, c := range []lookup.Code{
		lookup.ZIPCode(zip), lookup.ZIP4Code(zip, plus4), lookup.FSACode(fsa), lookup.PostalCode(postal), lookup.PointCode(geo.MustLatLng(34.1, -118.4)),
	} {
		fmt.Printf("%v %t %q\n", c, c.IsValid(), c.Parent().String())
	}
	c := lookup.ZIP4Code(zip, plus4)
	fmt.Println(c.ZIP(), c.Plus4(), lookup.PostalCode(postal).PostalCode(), lookup.PointCode(geo.MustLatLng(34.1, -118.4)).LatLng())
	// Output:
	// 90210 true ""
	// 90210-1234 true "90210"
	// K1A true ""
	// K1A 0B1 true "K1A"
	// 34.1,-118.4 true ""
	// 90210 1234 K1A 0B1 34.1,-118.4
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

func ExampleParseInclude() {
	inc, unknown := lookup.ParseInclude([]string{"census", "timezone,acs_economic", "weather"})
	families, rest := inc.Families()
	fmt.Println(inc.Flags(), unknown)
	fmt.Println(families.Flags(), rest.Flags(), lookup.Include{}.IsZero())
	// A flag of a year that the dataset cannot have yet is unknown too.
	_, unknown = lookup.ParseIncludeUntil([]string{"acs_economic_2031"}, 2024)
	fmt.Println(unknown)
	// Output:
	// [timezone census acs_economic] [weather]
	// [census] [timezone acs_economic] true
	// [acs_economic_2031]
}

func ExampleReader_Containing() {
	r, done := exampleReader()
	defer done()
	c, err := r.Containing(context.Background(), geo.MustLatLng(34.1, -118.415))
	fmt.Println(c, err)
	_, err = r.Containing(context.Background(), geo.MustLatLng(0, 0))
	fmt.Println(errors.Is(err, fault.ErrNotFound))
	// Output:
	// 90210 <nil>
	// true
}

func ExampleReader_Center() {
	r, done := exampleReader()
	defer done()
	p, err := r.Center(context.Background(), "k1a0b1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Code, p.City, p.Location, r.Dataset().Zone(p.Zone).Name)
	zip, _ := dataset.ParseZIP("98101")
	row, _ := r.Dataset().ZIP(zip)
	zone, ok := r.TimeZone(row.Zone, time.Time{})
	source, err := r.AreaSource(context.Background(), lookup.ZIPCode(zip))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(zone.IANAName, ok, source)

	_, err = r.Center(context.Background(), "99999")
	fmt.Println(err)
	// Output:
	// K1A 0B1 Ottawa 45.3754,-75.691 America/Toronto
	// America/Los_Angeles true cb_2020_us_zcta520_500k
	// postgeo: lookup: ZIP code "99999" not found
}

func ExampleReader_TractAt() {
	r, done := exampleReader()
	defer done()
	fmt.Println(r.LastACSYear(), r.LastTractYear(), r.ACS().Has(acs.Tract, acs.Economic, r.LastTractYear()))
	tags := []acs.Tag{{Profile: acs.Economic}}
	survey, delivered, missing, err := r.TractAt(context.Background(), geo.MustLatLng(47.61, -122.335), tags, acs.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(survey != nil, len(delivered)+len(missing))
	// Output:
	// 2024 2024 true
	// true 1
}

func ExampleReader_FamiliesAt() {
	r, done := exampleReader()
	defer done()
	inc, _ := lookup.ParseInclude([]string{"census", "cd"})
	families, missing, err := r.FamiliesAt(context.Background(), geo.MustLatLng(34.1, -118.415), inc)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(families.Census.Current.County[0].Name, missing.Flags())
	text, _ := envelope.Marshal(families)
	fmt.Println(string(text[:24]))
	rec, err := r.Full(context.Background(), "90210", lookup.Options{Include: inc})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.Delivered().Flags())
	// Output:
	// Los Angeles County []
	// {"census":{"current":{"s
	// [census cd]
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
