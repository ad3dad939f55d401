package export_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich/export"
	"github.com/postgeo/postgeo/enrich/table"
)

func ExampleCodes() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var out bytes.Buffer
	w, err := table.NewWriter(&out, table.CSV, export.CodeOptions{}.Fields())
	if err != nil {
		log.Fatal(err)
	}
	rows, err := export.Codes(context.Background(), db, w, export.CodeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(int(rows)+1 == strings.Count(out.String(), "\n"))
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "90210,") {
			fmt.Println(strings.Join(strings.Split(line, ",")[:5], ","))
		}
	}
	// Output:
	// true
	// 90210,ZIP,US,,Beverly Hills
}

func ExampleSurvey() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	opt := export.SurveyOptions{Fields: []string{"demographic.sex_and_age.total_population"}, Years: []int{2024}, MOE: true}
	fields, err := export.SurveyFields(opt)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range fields {
		fmt.Println(f.Name)
	}
	w, err := table.NewWriter(io.Discard, table.CSV, fields)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := export.Survey(context.Background(), db, opt, w)
	fmt.Println(rows > 0, err)
	// Output:
	// geoid
	// year
	// demographic.sex_and_age.total_population
	// demographic.sex_and_age.total_population_moe
	// true <nil>
}

func ExampleGeoJSON() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var out strings.Builder
	areas, err := export.GeoJSON(context.Background(), db, []string{"county"}, &out)
	fmt.Println(areas > 0, err, out.String()[:28])
	// Output: true <nil> {"type":"FeatureCollection",
}

func ExampleAreas() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	w, err := table.NewWriter(io.Discard, table.Parquet, export.AreaFields()) // GeoParquet
	if err != nil {
		log.Fatal(err)
	}
	areas, err := export.Areas(context.Background(), db, []string{"county", "state"}, w)
	fmt.Println(areas > 0, err)

	layers, err := export.CrosswalkLayers(context.Background(), db)
	fmt.Println(len(layers) > 5, err)
	// Output:
	// true <nil>
	// true <nil>
}

func ExampleOutlines() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	err = export.Outlines(context.Background(), db, "county", func(o *export.Outline) error {
		if o.GEOID == "06037" {
			fmt.Println(o.Kind, o.GEOID, o.Name, len(o.MultiPolygon) > 0)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// county 06037 Los Angeles County true
	// <nil>
}
