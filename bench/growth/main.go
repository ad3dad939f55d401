// Command growth measures builds of the national mirror and of invented countries of 1, 4 and
// 16 times the size, and the use of their files. run.sh starts it.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

func main() {
	command := flag.String("program", "postgeo", "command that builds the datasets")
	mirror := flag.String("mirror", filepath.Join("..", "shared", "data", "mirror"), "folder with the publishers' `files` under their addresses")
	blocks := flag.Int("blocks", 5, "size of the smallest country: 90 ZIP Codes times the square; each has 100 postal records, 50 street segments and 200 address points")
	program.Main("growth", func(ctx context.Context, dir string) error { return run(ctx, dir, *command, *mirror, *blocks) })
}

// The question is whether anything grows faster than the country: a column that takes more
// than 16 times as long at 16 times the size has a fault of its algorithm. The country is
// invented, because there is no second one to multiply, and a copy of the real one would share
// its names and codes.

func run(ctx context.Context, dir, command, mirror string, blocks int) error {
	table := results.Table{Title: "builds", Columns: []string{"dataset", "ZIP Codes", "time", "processor time", "memory", "file", "opening", "preparing", "record", "point", "suggestion", "search within 25 miles", "the same with shares"}}
	file, invented := filepath.Join(dir, "built.db"), filepath.Join(dir, "mirror")
	for _, b := range []struct {
		name           string
		states, blocks int // of an invented country; 0 for the mirror
		args           []string
	}{
		{"national, `identity`", 0, 0, []string{"--mirror", mirror, "--layers", "identity"}},
		{"national, `all`", 0, 0, []string{"--mirror", mirror, "--layers", "all"}},
		{"invented, 1x", 10, blocks, nil},
		{"invented, 4x", 10, 2 * blocks, nil},
		{"invented, 16x", 40, 2 * blocks, nil},
	} {
		fmt.Fprintln(os.Stderr, b.name)
		if b.states > 0 {
			if err := write(invented, mirrortest.NewCountry(b.states, b.blocks)); err != nil {
				return err
			}
			b.args = []string{"--mirror", invented, "--layers", "census,districts,streets", "--address-points", filepath.Join(invented, points), "--usps-zip4", filepath.Join(invented, zip4)}
		}
		_, cells, err := program.Build(ctx, file, append([]string{command, "dataset", "build", "--offline", "-o", file}, b.args...)...)
		if err != nil {
			return err
		}
		n, uses, err := use(ctx, file)
		if err = errors.Join(err, os.RemoveAll(invented)); err != nil {
			return err
		}
		table.Add(slices.Concat([]any{b.name, n}, cells, uses)...)
	}
	table.Print(os.Stdout)
	return nil
}

// Files of a country outside the catalog.
const points, zip4 = "points.csv", "zip4.txt"

// write writes a country. Each ZIP Code has ten streets of five segments, ten records a street
// and four points a segment.
func write(dir string, c *mirrortest.Country) error {
	streets := map[string][]mirrortest.Shape{} // by county
	err := c.Write(dir)
	addressFile, err2 := os.Create(filepath.Join(dir, points))
	recordFile, err3 := os.Create(filepath.Join(dir, zip4))
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	addresses, records := bufio.NewWriter(addressFile), bufio.NewWriter(recordFile)
	fmt.Fprintf(records, "%-182s", "C")
	addresses.WriteString("Add_Number,St_Name,St_PosTyp,State,Zip_Code,Longitude,Latitude\n")
	for _, z := range c.ZIPs {
		for s := range 10 {
			name := fmt.Sprintf("%c%s", 'A'+s, []string{"lder", "irch", "herry"}[s%3])
			for k := range 5 {
				low, from := 100*k+100, orb.Point{z.Center[0] + 0.001*float64(k), z.Center[1] + 0.001*float64(s)}
				line := orb.LineString{from, {from[0] + 0.0005, from[1] + 0.0001}, {from[0] + 0.001, from[1]}}
				values := fmt.Sprintf("%d|%s St|%d|%d|%d|%d|%s|%s|S1400|E|O", len(streets[z.County])+1, name, low, low+98, low+1, low+99, z.Code, z.Code)
				streets[z.County] = append(streets[z.County], mirrortest.Shape{Geometry: line, Values: strings.Split(values, "|")})
				for p := range 4 {
					fmt.Fprintf(addresses, "%d,%s,Street,%s,%s,%.6f,%.6f\n", low+20*p+1, name, z.State, z.Code, from[0]+0.0002*float64(p), from[1]+0.00005)
				}
				for side := range 2 {
					fmt.Fprintf(records, "D%s%-10sAS%-6s%-28s%-6s%010d%010d%c%61s%04d%04dB  123456%s%s%20s", z.Code, "V1ABCDEFGH", "C001", name, "ST", low+side, low+98+side, "EO"[side], "", 1001+20*s+2*k+side, 1001+20*s+2*k+side, z.State, z.County[2:], "")
				}
			}
		}
	}
	const columns, path = "TLID FULLNAME LFROMHN LTOHN RFROMHN RTOHN ZIPL ZIPR ROAD_MTFCC PARITYL PARITYR", "www2.census.gov/geo/tiger/TIGER2025/ADDRFEAT"
	err = errors.Join(addresses.Flush(), records.Flush(), addressFile.Close(), recordFile.Close(), os.MkdirAll(filepath.Join(dir, path), 0o755))
	for county, list := range streets {
		name := "tl_2025_" + county + "_addrfeat"
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, path, name+".zip"), mirrortest.Shapefile(name, mirrortest.NAD83, columns, list...), 0o644))
	}
	return err
}

// use returns the number of ZIP Codes of a dataset, and the median times of opening it, of
// preparing it and of operations on up to a thousand of its codes.
func use(ctx context.Context, file string) (zips int, cells []any, err error) {
	d, err := sqlite.Open(file)
	if err != nil {
		return 0, nil, err
	}
	all, at := []string(nil), map[string]geo.LatLng{}
	for z := range d.ZIPs() {
		if at[z.ZIP.String()] = z.Location; z.Location.IsValid() { // military codes have none
			all = append(all, z.ZIP.String())
		}
	}
	zips = d.NumZIPs()
	d.Close()
	var db *postgeo.DB
	median := func(times int, run func(code string) error) {
		var took []float64
		for i := 0; i < times && err == nil; i++ {
			began := time.Now()
			if err = run(all[i*7919%len(all)]); errors.Is(err, postgeo.ErrUnavailable) || errors.Is(err, postgeo.ErrNotFound) {
				err = nil // a layer that a dataset lacks, a point between its ZIP Codes
			}
			took = append(took, float64(time.Since(began)))
		}
		cells = append(cells, results.Duration(results.Median(took)))
	}
	median(11, func(string) (err error) { db, err = postgeo.Open(file); return err })
	median(1, func(string) error { return db.Prepare(ctx) })
	median(1000, func(s string) error { _, err := db.Lookup(ctx, s, lookup.Options{}); return err })
	median(1000, func(s string) error { _, err := db.Lookup(ctx, postgeo.At(at[s]), lookup.Options{}); return err })
	median(1000, func(s string) error { _, err := db.Suggest(ctx, s[:3], suggest.Options{}); return err })
	for _, mode := range []radius.Mode{radius.Centroid, radius.Spatial} {
		median(1000, func(s string) error { _, err := db.Radius(ctx, s, radius.Options{Max: 25, Mode: mode}); return err })
	}
	return zips, cells, err
}
