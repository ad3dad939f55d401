package client_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

// exampleClient returns a client of a local server with the sample.
func exampleClient() (c *client.Client, done func()) {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	s, err := server.New(db, server.Config{})
	if err != nil {
		log.Fatal(err)
	}
	srv := httptest.NewServer(s)
	if c, err = client.New(srv.URL, client.Options{}); err != nil {
		log.Fatal(err)
	}
	return c, func() { srv.Close(); db.Close() }
}

func ExampleClient_Lookup() {
	c, done := exampleClient()
	defer done()
	opt, _ := lookup.ParseOptions([]string{"census"})
	r, reply, err := c.Lookup(context.Background(), "90210", opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.County, r.Census.Current.County[0].Name, reply.Meta.Credits.Used)

	batch, err := c.LookupBatch(context.Background(), []string{"10001", "99999"}, lookup.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range batch.Items {
		if item.Err != nil {
			fmt.Println(item.Err)
			continue
		}
		fmt.Println(item.Value.Code, item.Value.Metro.MSAName)
	}
	// Output:
	// Los Angeles County Los Angeles County 2
	// 10001 New York-Newark-Jersey City, NY-NJ
	// client: NOT_FOUND_ZIP: ZIP code 99999 not found.
}

func ExampleClient_Radius() {
	c, done := exampleClient()
	defer done()
	r, _, err := c.Radius(context.Background(), "90210", radius.Options{Max: 3, Mode: radius.Spatial})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Matches[1].Code, r.Matches[1].DistanceMiles)
	batch, err := c.RadiusBatch(context.Background(), []radius.Query{{Center: "98101", Options: radius.Options{Max: 1}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items[0].Value.Search.Center.City)
	// Output:
	// 90209 1.57
	// Seattle
}

func ExampleClient_Distance() {
	c, done := exampleClient()
	defer done()
	d, _, err := c.Distance(context.Background(), "90210", "K1A 0B1", radius.DistanceOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Distance.Miles, d.Bearing)
	batch, err := c.DistanceBatch(context.Background(), []client.Pair{{From: "90210", To: "10001"}}, radius.DistanceOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items[0].Value.Distance.Miles)
	// Output:
	// 2373.09 57.9
	// 2458.91
}

func ExampleClient_Suggest() {
	c, done := exampleClient()
	defer done()
	r, _, err := c.Suggest(context.Background(), "beverly", suggest.Options{Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Matches[0].Name, r.Matches[0].State)
	// Output: Beverly Hills CA
}

func ExampleClient_MatchAddress() {
	c, done := exampleClient()
	defer done()
	m, _, err := c.MatchAddress(context.Background(), "350 5th ave, new york ny 10118", address.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Data.FormattedAddress, m.Data.Confidence)
	batch, err := c.MatchAddressBatch(context.Background(), []string{"1100 congress ave austin tx 78701"}, address.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items[0].Value.Data.AddressLine1)
	// Output:
	// 350 5TH AVE, NEW YORK NY 10118-8059 medium
	// 1100 CONGRESS AVE
}

func ExampleClient_Geocode() {
	c, done := exampleClient()
	defer done()
	r, _, err := c.Geocode(context.Background(), "350 5th Ave, New York, NY 10118", geocode.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Precision, r.Location)
	batch, err := c.GeocodeBatch(context.Background(), []string{"1 Nowhere Ln, Beverly Hills, CA 90210"}, geocode.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items[0].Value.Precision)
	// Output:
	// point 40.7484,-73.9857
	// zip
}

func ExampleClient_Reverse() {
	c, done := exampleClient()
	defer done()
	at := geo.MustLatLng(34.0731, -118.4004)
	r, _, err := c.Reverse(context.Background(), at, geocode.ReverseOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Formatted)
	batch, err := c.ReverseBatch(context.Background(), []geo.LatLng{at}, geocode.ReverseOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items[0].Value.DistanceM)
	// Output:
	// 455 N REXFORD DR, Beverly Hills, CA 90210
	// 14
}

func ExampleClient_Health() {
	c, done := exampleClient()
	defer done()
	h, _, err := c.Health(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Status)
	// Output: healthy
}

func ExampleWithIdempotencyKey() {
	c, done := exampleClient()
	defer done()
	// A program that stops after a timeout can repeat the call without paying twice.
	ctx := client.WithIdempotencyKey(context.Background(), "order 17")
	area, reply, err := c.ZIP3(ctx, "902")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(area.Code, area.SafeHarbor, reply.Status)
	// Output: 902 902 200
}
