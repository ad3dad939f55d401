// Command operations runs benchmarks of the module and prints their medians in
// Markdown. It is started by run.sh in the root of the module.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
)

// An operation is a benchmark under the name that the documentation has for it.
type operation struct{ name, pkg, benchmark string }

var operations = []operation{
	{"quick lookup of a ZIP Code", ".", "QuickLookup/zip"},
	{"quick lookup of an FSA", ".", "QuickLookup/fsa"},
	{"quick lookup of a postal code", ".", "QuickLookup/postal"},
	{"ZIP Code by `database/sql`, for comparison", ".", "QuickLookup/zip/peer=database-sql"},
	{"ZIP Code in a Go map, without a record", ".", "QuickLookup/zip/peer=map"},
	{"full record of a ZIP Code", ".", "Lookup/zip"},
	{"distance between two codes", ".", "Distance"},
	{"search within 50 miles, as a result", ".", "Radius/centroid/50"},
	{"the same with shares of areas", ".", "Radius/spatial/50"},
	{"JSON of 10,000 matches", ".", "Radius/json/10000"},
	{"opening an invented national file", ".", "Open"},
	{"preparing it for all operations", ".", "Prepare"},
	{"record of the sample without families of areas", "./lookup", "Families/without"},
	{"record of the sample with all families of areas", "./lookup", "Families/all"},
	{"areas around a coordinate, sample", "./lookup", "FamiliesAt"},
	{"request to `/v2/quick-zip` without a connection", "./server", "Handler/quick-zip"},
}

// Of a key, the server checks its limit and records its use in SQLite.
var connections = []operation{
	{"1", "./server", "Loopback/server/connections=1"},
	{"8", "./server", "Loopback/server/connections=8"},
	{"8, with a key", "./server", "LoopbackKey/connections=8"},
	{"1,024, with a key", "./server", "LoopbackKey/connections=1024"},
}

func main() {
	count := flag.Int("count", 5, "runs of each measurement")
	command := flag.String("program", "postgeo", "command that builds the dataset")
	mirror := flag.String("mirror", filepath.Join("..", "shared", "data", "mirror"), "folder with the publishers' `files` under their addresses")
	program.Main("operations", func(ctx context.Context, dir string) error {
		if err := run(ctx, *count); err != nil {
			return err
		}
		return national(ctx, filepath.Join(dir, "national.db"), *command, *mirror, *count)
	})
}

func run(ctx context.Context, count int) error {
	measured, err := measure(ctx, append(operations, connections...), count)
	if err != nil {
		return err
	}
	of := func(o operation, unit string) (float64, error) {
		values := measured[o][unit]
		if len(values) == 0 {
			return 0, fmt.Errorf("%s printed no %s of Benchmark%s", o.pkg, unit, o.benchmark)
		}
		return results.Median(values), nil
	}
	table := results.Table{Title: "operations", Columns: []string{"operation", "median", "allocations"}}
	for _, o := range operations {
		ns, err := of(o, "ns/op")
		if err != nil {
			return err
		}
		allocs, err := of(o, "allocs/op")
		if err != nil {
			return err
		}
		table.Add(o.name, results.Duration(ns), allocs)
	}
	table.Print(os.Stdout)
	table = results.Table{Title: "loopback", Columns: []string{"connections", "requests/s", "of a bare handler"}}
	for _, o := range connections {
		rate, err := of(o, "req/s")
		if err != nil {
			return err
		}
		ratio, err := of(o, "ratio")
		if err != nil {
			return err
		}
		table.Add(o.name, results.Number(rate), fmt.Sprintf("%.2f", ratio))
	}
	table.Print(os.Stdout)
	return nil
}

// measure runs benchmarks and returns their values by unit.
func measure(ctx context.Context, list []operation, count int) (map[operation]map[string][]float64, error) {
	measured := map[operation]map[string][]float64{}
	for _, o := range list {
		fmt.Fprintln(os.Stderr, o.pkg, o.benchmark)
		pattern := "^Benchmark" + strings.ReplaceAll(o.benchmark, "/", "$/^") + "$"
		c := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", pattern, "-benchmem", "-benchtime", "300ms", "-count", strconv.Itoa(count), o.pkg)
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", c, err, out)
		}
		measured[o] = valuesOf(out, o.benchmark)
	}
	return measured, nil
}

// valuesOf returns the values that go test printed for a benchmark, by unit.
func valuesOf(out []byte, benchmark string) map[string][]float64 {
	values := map[string][]float64{}
	for line := range bytes.Lines(out) {
		fields := strings.Fields(string(line))
		if len(fields) < 4 {
			continue
		}
		name := strings.TrimPrefix(fields[0], "Benchmark")
		if i := strings.LastIndexByte(name, '-'); i < 0 || name[:i] != benchmark {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				values[fields[i+1]] = append(values[fields[i+1]], v)
			}
		}
	}
	return values
}
