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
	{"full record of a ZIP Code", ".", "Lookup/zip"},
	{"distance between two codes", ".", "Distance"},
	{"search within 50 miles, as a result", ".", "Radius/centroid/50"},
	{"the same with shares of areas", ".", "Radius/spatial/50"},
	{"JSON of 10,000 matches", ".", "Radius/json/10000"},
	{"record of the sample with all families of areas", "./lookup", "Families/all"},
	{"request to `/v2/quick-zip` without a connection", "./server", "Handler/quick-zip"},
}

// Of a key, the server checks its limit and records its use in SQLite. The floor only makes
// a transaction of SQLite for the requests that have queued.
var connections = []operation{
	{"1", "./server", "Loopback/server/connections=1"},
	{"8", "./server", "Loopback/server/connections=8"},
	{"8, with a key", "./server", "LoopbackKey/connections=8"},
	{"64, with a key", "./server", "LoopbackKey/connections=64"},
	{"1,024, with a key", "./server", "LoopbackKey/connections=1024"},
	{"8, a bare handler with a transaction for all that queued", "./server", "LoopbackFloor/connections=8"},
	{"64, a bare handler with a transaction for all that queued", "./server", "LoopbackFloor/connections=64"},
}

func main() {
	count := flag.Int("count", 5, "runs of each measurement")
	before := flag.String("before", "", "`checkout` of an older revision, which is measured in turn with this one; nothing else is")
	program.Main("operations", func(ctx context.Context, dir string) error { return run(ctx, dir, *before, *count) })
}

func run(ctx context.Context, dir, before string, count int) error {
	table := results.Table{Title: "operations", Columns: []string{"operation", "median", "allocations"}}
	if before != "" {
		table.Columns = append(table.Columns, "before", "allocations before", "ratio")
	}
	for _, o := range operations {
		values, err := o.measure(ctx, dir, before, count)
		if err != nil {
			return err
		}
		ns := results.Median(values[0]["ns/op"])
		row := []any{o.name, results.Duration(ns), results.Median(values[0]["allocs/op"])}
		if was := results.Median(values[1]["ns/op"]); was > 0 {
			row = append(row, results.Duration(was), results.Median(values[1]["allocs/op"]), fmt.Sprintf("%.2f", ns/was))
		}
		table.Add(row...)
	}
	table.Print(os.Stdout)
	if before != "" {
		return nil
	}
	table = results.Table{Title: "loopback", Columns: []string{"connections", "requests/s", "of a bare handler"}}
	for _, o := range connections {
		values, err := o.measure(ctx, dir, "", count)
		if err != nil {
			return err
		}
		table.Add(o.name, results.Number(results.Median(values[0]["req/s"])), fmt.Sprintf("%.2f", results.Median(values[0]["ratio"])))
	}
	table.Print(os.Stdout)
	return nil
}

// measure runs a benchmark with the test programs of this checkout and of the one before
// in turn. It returns the values of each by unit.
func (o operation) measure(ctx context.Context, dir, before string, count int) (values [2]map[string][]float64, err error) {
	fmt.Fprintln(os.Stderr, o.pkg, o.benchmark)
	for i := range 2 * count {
		checkout, side := ".", i%2
		if side == 1 {
			if checkout = before; before == "" {
				continue
			}
		}
		binary := filepath.Join(dir, fmt.Sprintf("%d%s.test", side, strings.ReplaceAll(o.pkg, "/", "_")))
		if _, err := os.Stat(binary); err != nil {
			c := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, o.pkg)
			c.Dir, c.Stderr = checkout, os.Stderr
			if err := c.Run(); err != nil {
				return values, fmt.Errorf("%s: %w", c, err)
			}
		}
		c := exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.bench", o.pattern(), "-test.benchmem", "-test.benchtime", "300ms")
		c.Dir, c.Stderr = filepath.Join(checkout, o.pkg), os.Stderr
		out, err := c.Output()
		if err != nil {
			return values, fmt.Errorf("%s: %w\n%s", c, err, out)
		}
		if values[side] == nil {
			values[side] = map[string][]float64{}
		}
		if addValues(values[side], out, o.benchmark) == 0 {
			return values, fmt.Errorf("%s has no Benchmark%s", o.pkg, o.benchmark)
		}
	}
	return values, nil
}

// pattern selects the benchmark.
func (o operation) pattern() string {
	return "^Benchmark" + strings.ReplaceAll(o.benchmark, "/", "$/^") + "$"
}

// addValues adds the values that a test program printed for a benchmark, by unit.
func addValues(values map[string][]float64, out []byte, benchmark string) (lines int) {
	for line := range bytes.Lines(out) {
		fields := strings.Fields(string(line))
		if len(fields) < 4 {
			continue
		}
		name := strings.TrimPrefix(fields[0], "Benchmark")
		if i := strings.LastIndexByte(name, '-'); name != benchmark && (i < 0 || name[:i] != benchmark) {
			continue
		}
		lines++
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				values[fields[i+1]] = append(values[fields[i+1]], v)
			}
		}
	}
	return lines
}
