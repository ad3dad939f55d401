package lookup_test

import (
	"context"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/lookup"
)

func ExampleParseLayer() {
	layer, ok := lookup.ParseLayer("county")
	fmt.Println(layer, layer.Country(), ok)
	// Output: county US true
}

func ExampleFlag() {
	var unknown lookup.Flag
	fmt.Println(unknown.Known(), unknown.Bool())
	// Output: false false
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
