// Command beam enriches CSV files as an Apache Beam pipeline, for tables that
// outgrow one machine. It adds the fields of "postgeo enrich" and writes one
// output file for each input file, with rows in their order.
//
//	go run . --input '/data/customers-*.csv' --output /data/enriched --code zip --add city,county_fips
//
// By default it runs on Prism, Beam's runner in this process. With
// --runner=universal --endpoint=HOST:PORT it is handed to a job service of Flink
// or Spark; every worker then needs the dataset file under the same path.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // where files are
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/postgeo/postgeo/examples/beam/transform"
)

var (
	input   = flag.String("input", "", "CSV files, as a pattern")
	output  = flag.String("output", "", "folder for the enriched files, which keep their names")
	data    = flag.String("data", os.Getenv("POSTGEO_DATA"), "dataset; default: $POSTGEO_DATA, else the embedded sample")
	code    = flag.String("code", "", "column of codes, or of latitude,longitude")
	address = flag.String("address", "", "columns of an address, divided by commas, instead of --code")
	add     = flag.String("add", "", "fields to add, divided by commas")
)

func main() {
	flag.Parse()
	beam.Init() // a worker of a distributed runner stays in here
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "beam:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	if *input == "" || *output == "" || (*code == "") == (*address == "") {
		return fmt.Errorf("--input, --output and one of --code and --address are needed; see --help")
	}
	o := transform.Options{Data: *data, Code: *code, Address: words(*address), Add: words(*add)}
	p, s := beam.NewPipelineWithRoot()
	rows := transform.Read(s, *input, o)
	transform.Write(s, *output, transform.Enrich(s, rows, o))
	name := cmp.Or(*runners.Runner, "prism")
	_, err := beam.Run(ctx, name, p)
	return err
}

func words(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
