package table_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

func ExampleSource_Places() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	stores, err := table.Read(strings.NewReader("store,lat,lon\nPier,34.0195,-118.4912\nTower,40.7484,-73.9857\n"), table.Input{})
	if err != nil {
		log.Fatal(err)
	}
	defer stores.Close()
	keys, err := stores.FindKeys(table.Names{Prefer: enrich.Coordinates})
	if err != nil {
		log.Fatal(err)
	}
	places, err := enrich.NewPlaces(context.Background(), db, stores.Header(), stores.Places(keys), keys.Kind)
	if err != nil {
		log.Fatal(err)
	}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Places: places, Add: []string{"nearest_place.store"}})
	if err != nil {
		log.Fatal(err)
	}
	values, _, err := e.Row(context.Background(), "90210", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(places.Len(), "stores; nearest to 90210:", values[0])
	// Output: 2 stores; nearest to 90210: Pier
}
