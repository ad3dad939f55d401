// Command postgeo-arrow evaluates rows of Arrow streams. "postgeo udf --protocol arrow"
// starts it; see docs/udf.md.
package main

import (
	"bufio"
	"context"
	"io"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/foreign"
)

func main() { foreign.Main("postgeo-arrow", run) }

const usage = `Usage: postgeo-arrow [flags] OPTIONS

Writes an Arrow stream for each one on standard input. OPTIONS is a JSON object, as
"postgeo udf --protocol arrow" makes it.

`

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	f := foreign.Flags("postgeo-arrow", usage, stderr)
	data := f.String("data", "", "dataset `FILE`, or \"sample\"; default: $POSTGEO_DATA, else the user's dataset, else the embedded sample")
	at := f.String("at", "", "`TIME` of the results; default: now")
	s := stream{ctx: ctx, in: bufio.NewReader(stdin), out: bufio.NewWriter(stdout)}
	f.StringVar(&s.result, "result", "result", "`NAME` of the column of results")
	f.BoolVar(&s.chunks, "chunks", false, "a line with the number of rows precedes each stream")
	if err := foreign.Parse(f, args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		f.Usage()
		return foreign.ErrUse
	}
	var open postgeo.OpenOptions
	if *at != "" {
		now, err := time.Parse(time.RFC3339Nano, *at)
		if err != nil {
			return err
		}
		open.Now = func() time.Time { return now }
	}
	opt, err := foreign.ParseOptions(f.Arg(0))
	if err != nil {
		return err
	}
	db, err := foreign.Open(*data, open)
	if err != nil {
		return err
	}
	defer db.Close()
	columns, err := foreign.NewColumns(db, opt)
	if err != nil {
		return err
	}
	defer columns.Close()
	return columns.Use(func(v *foreign.View) error {
		s.view = v
		return foreign.Safely(s.serve) // the reader of Arrow panics at some damaged streams
	})
}
