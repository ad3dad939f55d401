package export_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/export"
	"github.com/postgeo/postgeo/lookup"
)

func ExampleCrosswalk() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var out bytes.Buffer
	w, err := table.NewWriter(&out, table.CSV, export.CrosswalkFields(lookup.WeightArea))
	if err != nil {
		log.Fatal(err)
	}
	opt := lookup.CrosswalkOptions{State: "PR"}
	county, _ := lookup.ParseLayer("county")
	if _, err := export.Crosswalk(context.Background(), db, []lookup.Layer{county}, opt, w); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if fields := strings.Split(line, ","); fields[1] == "code" || fields[1] == "00601" {
			fmt.Print(line)
		}
	}
	// Output:
	// layer,code,code_type,geoid,name,basis,intersection_sq_mi,pct_of_code,pct_of_area
	// county,00601,ZIP,72001,Adjuntas Municipio,largest_area,61.9427,98.6493,93.0993
	// county,00601,ZIP,72141,Utuado Municipio,largest_area,0.8465,1.3481,0.7355
}
