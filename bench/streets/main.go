// Command streets builds the streets of an invented country: ranges, then ranges and
// address points. It measures the builds, the sizes, and the first use of the files. It
// is started by run.sh.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/dataset/builder/source"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

func main() {
	command := flag.String("program", "postgeo", "command that builds the datasets")
	parent := flag.String("dir", "", "folder of the invented `files`, which remain for the next run; the default is a temporary one")
	var size synth.StreetOptions
	flag.Int64Var(&size.Segments, "segments", 20_000_000, "street segments")
	flag.Int64Var(&size.Points, "points", 80_000_000, "address points")
	program.Main("streets", func(ctx context.Context, dir string) error { return run(ctx, cmp.Or(*parent, dir), *command, size) })
}

func run(ctx context.Context, dir, command string, size synth.StreetOptions) error {
	points := filepath.Join(dir, "points.zip") // outside the catalog, which expects the whole database
	if _, err := os.Stat(points); err != nil {
		country, err := synth.New(synth.National(1))
		if err == nil {
			err = country.WriteMirror(ctx, dir)
		}
		if err == nil {
			_, _, err = country.WriteStreets(ctx, dir, size)
		}
		if err == nil {
			err = os.Rename(filepath.Join(dir, filepath.FromSlash("data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed")), points)
		}
		if err != nil {
			return err
		}
	}
	text, err := firstAddress(points)
	if err != nil {
		return err
	}
	table := results.Table{Title: "streets", Columns: []string{"data", "rows", "time", "processor time", "memory", "file", "bytes a row", "opening", "first address"}}
	var base int64
	for _, b := range []struct {
		name string
		args []string
	}{
		{"codes only", []string{"--layers", "identity"}},
		{"ranges", []string{"--layers", "streets"}},
		{"ranges and address points", []string{"--layers", "streets", "--address-points", points}},
	} {
		fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), "build of", b.name)
		file := filepath.Join(dir, "built.db")
		n, cells, err := program.Build(ctx, file, append([]string{command, "dataset", "build", "--mirror", dir, "--offline", "-o", file}, b.args...)...)
		if err != nil {
			return err
		}
		rows, err := rowsOf(file)
		if err != nil {
			return err
		}
		share := ""
		if rows == 0 {
			base = n
		} else {
			share = fmt.Sprintf("%.1f", float64(n-base)/float64(rows))
		}
		opening, first, err := use(ctx, file, text)
		if err != nil {
			return err
		}
		table.Add(append(append([]any{b.name, rows}, cells...), share, results.Duration(opening), results.Duration(first))...)
	}
	table.Print(os.Stdout)
	return nil
}

// firstAddress returns the first address of a file of points.
func firstAddress(path string) (string, error) {
	for p, err := range source.ReadAddressPoints(path) {
		return fmt.Sprintf("%s %s, %s", p.Numbers[0], p.Name, p.ZIP), err
	}
	return "", errors.New(path + " has no addresses")
}

// use returns the median durations of opening a file and of its first address.
func use(ctx context.Context, file, text string) (opening, first float64, err error) {
	const count = 21
	var openings, firsts []float64
	for range count {
		began := time.Now()
		db, err := postgeo.Open(file)
		if err != nil {
			return 0, 0, err
		}
		openings, began = append(openings, float64(time.Since(began))), time.Now()
		_, err = db.Geocode(ctx, text, postgeo.GeocodeOptions{})
		firsts = append(firsts, float64(time.Since(began)))
		if errors.Is(err, postgeo.ErrUnavailable) {
			err = nil // without streets
		}
		if err := errors.Join(err, db.Close()); err != nil {
			return 0, 0, err
		}
	}
	return results.Median(openings), results.Median(firsts), nil
}

// rowsOf returns the number of ranges and points of a file.
func rowsOf(path string) (rows int, err error) {
	d, err := store.Open(path)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	if err := d.Load(context.Background(), store.SectionRoads); err != nil {
		return 0, err
	}
	add := func(a store.RoadArea) {
		c := d.RoadCoverage(a)
		rows += c.Ranges + c.Points
	}
	for z := range d.ZIPs() {
		add(store.RoadAreaOfZIP(z.ZIP))
	}
	for f := range d.FSAs() {
		add(store.RoadAreaOfFSA(f.FSA))
	}
	return rows, nil
}
