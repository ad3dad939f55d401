package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

func Example() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	s, err := server.New(db, server.Config{})
	if err != nil {
		log.Fatal(err)
	}
	srv := httptest.NewServer(s) // somewhere else in real life
	defer srv.Close()

	c, err := client.New(srv.URL, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	place, reply, err := c.QuickLookup(ctx, "90210", lookup.QuickOptions{Timezone: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(place.City, place.Timezone.IANAName, reply.Meta.Credits.Used)

	codes := []string{"10001", "00000", "9021"}
	places, err := c.QuickLookupBatch(ctx, codes, lookup.QuickOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for i, p := range places.Items {
		switch {
		case errors.Is(p.Err, postgeo.ErrNotFound):
			fmt.Println(codes[i], "does not exist")
		case errors.Is(p.Err, postgeo.ErrInvalidCode):
			fmt.Println(codes[i], "is no code")
		case p.Err == nil:
			fmt.Println(codes[i], p.Value.City)
		}
	}
	fmt.Println(places.Credits(), "credits")
	// Output:
	// Beverly Hills America/Los_Angeles 2
	// 10001 New York
	// 00000 does not exist
	// 9021 is no code
	// 2 credits
}
