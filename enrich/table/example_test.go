package table_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

func ExampleJob() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	src, err := table.Read(strings.NewReader("id,zip\n1,90210\n2,10001\n"), table.Input{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	if err != nil {
		log.Fatal(err)
	}
	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: []string{"city", "timezone.abbreviation"}})
	if err != nil {
		log.Fatal(err)
	}
	job, err := table.NewJob(src, e, keys, table.Output{})
	if err != nil {
		log.Fatal(err)
	}
	sum, err := job.Run(context.Background(), os.Stdout, table.RunOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sum.Rows, "rows,", sum.Answered(), "answered")
	// Output:
	// id,zip,city,timezone.abbreviation,postgeo_status,postgeo_reason
	// 1,90210,Beverly Hills,PST,matched,
	// 2,10001,New York,EST,matched,
	// 2 rows, 2 answered
}

func ExampleNewWriter() {
	w, err := table.NewWriter(os.Stdout, []table.Field{{Name: "code", Type: enrich.String}, {Name: "people", Type: enrich.Int}}, table.Output{Format: table.CSV})
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Write([]enrich.Value{enrich.ValueOf("00601"), enrich.ValueOf(17000)}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// code,people
	// 00601,17000
}
