package billing_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// The maximum price of a request before the work, and the price of its response.
func ExampleForLookup() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	include := lookup.Options{Include: lookup.Include{Timezone: true, CongressionalDistrict: true}}
	fmt.Println(billing.QuoteLookup(lookup.MustParseCode("09012"), include).Used, "at most")
	full, err := db.Lookup(ctx, "09012", include) // a military ZIP has no zone and no district
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(billing.ForLookup(full).Used, "for what was there")

	quick, err := db.QuickLookup(ctx, "90210", lookup.QuickOptions{Timezone: true})
	if err != nil {
		log.Fatal(err)
	}
	match, err := db.MatchAddress(ctx, "1100 congress ave austin tx 78701", address.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(billing.ForQuickLookup(quick).Used, billing.QuoteDistance().Used, billing.ForAddress(false, match).Used)
	// Output:
	// 3 at most
	// 1 for what was there
	// 2 1 1
}

func ExampleForError() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	_, err = db.Lookup(ctx, "99999", lookup.Options{})
	fmt.Println(billing.ForError(err).Used, billing.ForQuickLookupError(err).Used)
	_, err = db.Distance(ctx, "90210", "99999", radius.DistanceOptions{})
	fmt.Println(billing.ForError(err).Used)
	_, err = db.Radius(ctx, "99999", radius.Options{Max: 5})
	fmt.Println(billing.ForError(err).Used)
	_, err = db.MatchAddress(ctx, "1 Nowhere St, Austin, TX 78701", address.Options{})
	fmt.Println(billing.ForAddressError(false, err).Used)
	// Output:
	// 1 1
	// 1
	// 1
	// 1
}

func ExampleQuoteGeocode() {
	fmt.Println(billing.QuoteGeocode().Calculation)
	fmt.Println(billing.QuoteGeocode("census", "acs_tract_social").Calculation)
	// Output:
	// 1 base = 1
	// 1 base + 1 census + 1 acs_tract_social = 3
}

func ExampleQuoteRadius() {
	c := billing.QuoteRadius(billing.RadiusSearch{Miles: 25, Spatial: true, Flags: []string{"timezone"}})
	fmt.Println(c.Used, c.Calculation)
	fmt.Println(billing.QuoteRadius(billing.RadiusSearch{Miles: 10}).Calculation)
	fmt.Println(billing.QuoteAddress(true, "cd").Calculation)
	// Output:
	// 2 1 base x (1 + 1 timezone) = 2
	// 1 base = 1
	// 1 base + 1 coordinates + 1 cd = 3
}
