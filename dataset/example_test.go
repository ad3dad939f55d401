package dataset_test

import (
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset"
)

func ExampleManifest_Attributions() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	m := db.Info()
	fmt.Println(m.Sample, len(m.Attributions()) > 0)
	own := dataset.Manifest{Sources: []dataset.Source{
		{ID: "a", Attribution: "Contains data of the City of Example", Redistribution: dataset.WithAttribution},
		{ID: "b", Redistribution: dataset.PublicDomain},
		{ID: "c", Attribution: "Contains data of the City of Example", Redistribution: dataset.WithAttribution},
	}}
	fmt.Println(own.Attributions())
	// Output:
	// true true
	// [Contains data of the City of Example]
}
