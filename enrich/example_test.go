package enrich_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
)

func Example() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{"city", "fips=county_fips"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, code := range []string{"90210", "k1a0b1", "99999"} {
		values, out, err := e.Row(context.Background(), code, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s, %s=%q, %s=%q\n", code, out.Status, e.Columns()[0].Name, values[0].String(), e.Columns()[1].Name, values[1].String())
	}
	// Output:
	// 90210: matched, city="Beverly Hills", fips="06037"
	// k1a0b1: matched, city="Ottawa", fips=""
	// 99999: not_found, city="", fips=""
}

func ExampleNewPlaces() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	stores := []enrich.Place{
		{Key: "34.0195,-118.4912", Cells: []string{"S1", "Santa Monica"}},
		{Key: "10118", Cells: []string{"S2", "Fifth Avenue"}},
	}
	places, err := enrich.NewPlaces(context.Background(), db, []string{"id", "store"}, func(yield func(enrich.Place, error) bool) {
		for _, s := range stores {
			if !yield(s, nil) {
				return
			}
		}
	}, enrich.PlaceOptions{Kind: enrich.Code})
	if err != nil {
		log.Fatal(err)
	}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.City, Places: places, Add: []string{"nearest_place.id", "nearest_place.store"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, customer := range []string{"Beverly Hills, CA", "New York, NY"} {
		values, out, err := e.Row(context.Background(), customer, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(customer, out.Status, values[0], values[1])
	}
	// Output:
	// Beverly Hills, CA matched S1 Santa Monica
	// New York, NY matched S2 Fifth Avenue
}

func ExampleCheck() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println(enrich.Check(db, []string{"city", "conty_fips"}))
	// Output: enrich: unknown field "conty_fips"; similar: county_fips, nearest.county_fips, radius.matches.county_fips, quality.county_sources.county_fips
}

func ExampleEnricher_EachPlace() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Coordinates, Add: []string{"census.tract.geoid"}})
	if err != nil {
		log.Fatal(err)
	}
	points := []geo.LatLng{geo.MustLatLng(34.0901, -118.4065), geo.MustLatLng(34.0902, -118.4066)}
	ctx, tracts := context.Background(), map[string]string{} // by areas, which both share
	err = e.EachPlace(ctx, points, func(i int, areas []byte) error {
		if _, ok := tracts[string(areas)]; !ok {
			values, _, err := e.Row(ctx, points[i].String(), nil)
			if err != nil {
				return err
			}
			tracts[string(areas)] = values[0].String()
		}
		return nil
	})
	fmt.Println(len(tracts), err)
	// Output: 1 <nil>
}
