// Command postgeo-arrow evaluates rows of Arrow streams. "postgeo udf --protocol arrow"
// starts it; see docs/udf.md.
package main

import (
	"bufio"
	"context"
	"io"

	"github.com/postgeo/postgeo/internal/foreign"
	"github.com/postgeo/postgeo/internal/foreign/arrowstream"
)

func main() { foreign.Main("postgeo-arrow", run) }

const usage = `Usage: postgeo-arrow [flags] OPTIONS

Writes an Arrow stream for each one on standard input. OPTIONS is a JSON object, as
"postgeo udf --protocol arrow" makes it.

`

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	f := foreign.NewFlags("postgeo-arrow", usage, stderr)
	s := streams{ctx: ctx, out: bufio.NewWriter(stdout)}
	f.StringVar(&s.result, "result", "result", "`NAME` of the column of results")
	chunks := f.Bool("chunks", false, "a line with the number of rows precedes each stream")
	db, err := f.Open(args, 1)
	if err != nil {
		return err
	}
	defer db.Close()
	columns, err := db.ParseColumns(f.Arg(0))
	if err != nil {
		return err
	}
	defer columns.Close()
	return columns.Use(func(v *foreign.View) error {
		s.view = v
		return foreign.Safely(func() error { // the reader of Arrow panics at some damaged streams
			return arrowstream.Each(bufio.NewReader(stdin), *chunks, s.evaluate)
		})
	})
}
