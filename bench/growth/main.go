// Command growth builds the national dataset of a mirror, and invented countries of 1, 4
// and 16 times the size with postal records, streets and address points. It measures the
// builds, the files and their use. It is started by run.sh. The largest country has about
// as many ZIP Codes as the United States.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/synth"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

func main() {
	command := flag.String("program", "postgeo", "command that builds the datasets")
	mirror := flag.String("mirror", filepath.Join("..", "shared", "data", "mirror"), "folder with the publishers' `files` under their addresses")
	zips := flag.Int("zips", 2_500, "ZIP Codes of the smallest country; each has 100 postal records, 50 street segments and 200 address points")
	program.Main("growth", func(ctx context.Context, dir string) error { return run(ctx, dir, *command, *mirror, *zips) })
}

func run(ctx context.Context, dir, command, mirror string, zips int) error {
	table := results.Table{Title: "builds", Columns: []string{"dataset", "ZIP Codes", "time", "processor time", "memory", "file", "opening", "preparing", "record", "search within 25 miles", "the same with shares"}}
	file, invented := filepath.Join(dir, "built.db"), filepath.Join(dir, "mirror")
	usps := func(name string) string { return filepath.Join(invented, "usps", name) }
	for _, b := range []struct {
		name   string
		factor int // of an invented country; 0 for the mirror
		args   []string
	}{
		{"national, `identity`", 0, []string{"--mirror", mirror, "--layers", "identity"}},
		{"national, `all`", 0, []string{"--mirror", mirror, "--layers", "all"}},
		{"invented, 1x", 1, nil},
		{"invented, 4x", 4, nil},
		{"invented, 16x", 16, nil},
	} {
		fmt.Fprintln(os.Stderr, b.name)
		if b.factor > 0 {
			if err := write(ctx, invented, zips*b.factor); err != nil {
				return err
			}
			b.args = []string{
				"--mirror", invented, "--layers", "census,districts,streets", "--address-points", points(invented),
				"--usps-zip4", usps("zip4.txt"), "--usps-city-state", usps("ctystate.txt"), "--usps-delivery-stats", usps("delstat.txt"),
			}
		}
		_, cells, err := program.Build(ctx, file, append([]string{command, "dataset", "build", "--offline", "-o", file}, b.args...)...)
		if err != nil {
			return err
		}
		n, uses, err := use(ctx, file)
		if err != nil {
			return err
		}
		table.Add(slices.Concat([]any{b.name, n}, cells, uses)...)
		if err := os.RemoveAll(invented); err != nil {
			return err
		}
	}
	table.Print(os.Stdout)
	return nil
}

// points returns the file of address points of a country. It is outside the catalog, which
// expects the whole database.
func points(dir string) string { return filepath.Join(dir, "points.zip") }

// write writes a country.
func write(ctx context.Context, dir string, zips int) error {
	c, err := synth.New(synth.Options{Seed: 1, ZIPs: zips, Detail: 8})
	if err == nil {
		err = c.WriteMirror(ctx, dir)
	}
	if err == nil {
		_, _, err = c.WriteStreets(ctx, dir, synth.StreetOptions{Segments: int64(zips) * 50, Points: int64(zips) * 200})
	}
	if err == nil {
		err = os.Rename(filepath.Join(dir, "data.transportation.gov", "download", "fc2s-wawr", "application", "x-zip-compressed"), points(dir))
	}
	if err == nil {
		err = c.WriteProducts(ctx, filepath.Join(dir, "usps"), synth.ZIP4Options{Records: int64(zips) * 100}, func(string, int64, time.Duration) {})
	}
	return err
}

// use returns the number of ZIP Codes of a dataset, and the median times of opening it, of
// preparing it and of operations on up to a thousand of its codes. A layer that it lacks
// makes an operation faster, not wrong.
func use(ctx context.Context, file string) (zips int, cells []any, err error) {
	d, err := sqlite.Open(file)
	if err != nil {
		return 0, nil, err
	}
	var all []string
	for z := range d.ZIPs() {
		all = append(all, z.ZIP.String())
	}
	d.Close()
	var db *postgeo.DB
	median := func(times int, run func(code string) error) {
		var took []float64
		for i := 0; i < times && err == nil; i++ {
			began := time.Now()
			err = run(all[i*7919%len(all)])
			took = append(took, float64(time.Since(began)))
		}
		cells = append(cells, results.Duration(results.Median(took)))
	}
	median(11, func(string) (err error) { db, err = postgeo.Open(file); return err })
	median(1, func(string) error { return db.Prepare(ctx) })
	median(1000, func(s string) error { _, err := db.Lookup(ctx, s, lookup.Options{}); return err })
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		median(1000, func(s string) error {
			_, _ = db.Radius(ctx, s, radius.Options{Max: 25, Mode: mode}) // military codes have no point
			return ctx.Err()
		})
	}
	return len(all), cells, err
}
