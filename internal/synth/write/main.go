// Command write writes the source files of an invented country to a directory:
// a mirror for postgeo dataset build --mirror. Its folder usps has the postal
// products that users supply.
//
//	go run ./internal/synth/write -national -segments 20000000 -points 80000000 DIR
//
// It prints the duration of each part.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/postgeo/postgeo/internal/synth"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("write", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "seed of the country")
	national := flags.Bool("national", false, "real size; the sizes below are ignored")
	zips := flags.Int("zips", 0, "number of ZIP Codes; 0 means 400")
	fsas := flags.Int("fsas", 0, "forward sortation areas; 0 means one for every 25 ZIP Codes")
	postal := flags.Int("postal-codes", 0, "full postal codes; 0 means ten for every FSA")
	detail := flags.Int("detail", 3, "points of a border between two corners")
	zip4 := flags.Int64("zip4", 0, "ZIP+4 records; 0 means no postal products")
	var streets synth.StreetOptions
	flags.Int64Var(&streets.Segments, "segments", 0, "street segments; 0 means no streets")
	flags.Int64Var(&streets.Points, "points", 0, "address points along the segments")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("expected one directory, got %d arguments", flags.NArg())
	}
	o := synth.Options{Seed: *seed, ZIPs: *zips, FSAs: *fsas, PostalCodes: *postal, Detail: *detail}
	if *national {
		o = synth.National(*seed)
	}
	dir := flags.Arg(0)
	start := time.Now()
	c, err := synth.New(o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "country: %.1f s; %d ZIPs, %d counties, %d places, %d FSAs, %d postal codes, %d cells\n",
		time.Since(start).Seconds(), len(c.ZIPs), len(c.Counties), len(c.Places), len(c.FSAs), len(c.PostalCodes), len(c.Cells))
	start = time.Now()
	if err := c.WriteMirror(ctx, dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "mirror: %.1f s\n", time.Since(start).Seconds())
	if streets.Segments > 0 {
		start = time.Now()
		segments, points, err := c.WriteStreets(ctx, dir, streets)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "streets: %d segments, %d points, %.1f s\n", segments, points, time.Since(start).Seconds())
	}
	if *zip4 == 0 {
		return nil
	}
	return c.WriteProducts(ctx, filepath.Join(dir, "usps"), synth.ZIP4Options{Records: *zip4}, func(name string, rows int64, took time.Duration) {
		s := took.Seconds()
		fmt.Fprintf(out, "%s: %d rows, %.1f s, %.2f million rows/s\n", name, rows, s, float64(rows)/s/1e6)
	})
}
