// Command callers measures fields of many rows as other programs get them: from Python,
// by postgeo udf, and in SQL. It is started by run.sh.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/internal/dataset"
)

func main() {
	postgeo := flag.String("program", "postgeo", "command to measure, next to postgeo-arrow and postgeo-sql")
	data := flag.String("data", "", "dataset to read")
	python := flag.String("python", "", "program in Python that measures one call: columns.py")
	rows := flag.Int("rows", 5_000_000, "rows of each run")
	times := flag.Int("times", 5, "runs of each caller")
	program.Main("callers", func(ctx context.Context, dir string) error {
		return run(ctx, dir, *postgeo, *data, *python, *rows, *times)
	})
}

func run(ctx context.Context, dir, postgeo, data, python string, rows, times int) error {
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := write(data, rows, file("codes.csv"), file("codes.tsv"), file("codes.json"), file("codes.arrow")); err != nil {
		return err
	}
	udf := func(format string) []string {
		return []string{"sh", "-c", `exec "$0" "$@" <"$IN" >/dev/null`, postgeo, "udf", "--data", data, "--add", "county_fips", "--protocol", format}
	}
	table := results.Table{Title: "callers", Columns: []string{"caller", "rows/s", "rows/s of a processor", "memory"}}
	for _, c := range []struct {
		name string
		line []string
		in   string
	}{
		{"`postgeo udf`, TSV", udf("tsv"), "codes.tsv"},
		{"`postgeo udf`, JSON", udf("json"), "codes.json"},
		{"`postgeo udf`, Arrow", udf("arrow"), "codes.arrow"},
		{"`postgeo sql`, `zip_county` of a CSV file", []string{postgeo, "sql", "--data", data, "select count(zip_county(zip)) from read_csv('" + file("codes.csv") + "', all_varchar = true)"}, ""},
		{"`postgeo sql`, `zip_lookup` of a CSV file", []string{postgeo, "sql", "--data", data, "select count(r.city), count(r.lat) from (select zip_lookup(zip) as r from read_csv('" + file("codes.csv") + "', all_varchar = true))"}, ""},
		{"Python, `lookup` of numpy `S5`", []string{"/usr/bin/python3", python, data, "S5"}, "codes.tsv"},
		{"Python, `lookup` of numpy `U5`", []string{"/usr/bin/python3", python, data, "U5"}, "codes.tsv"},
		{"Python, `lookup` of a pandas Series", []string{"/usr/bin/python3", python, data, "pandas"}, "codes.tsv"},
		{"Python, `lookup` of a list", []string{"/usr/bin/python3", python, data, "list"}, "codes.tsv"},
		{"Python, `areas` of coordinates, county", []string{"/usr/bin/python3", python, data, "areas"}, "codes.tsv"},
	} {
		var wall, processor, most []float64
		for range times {
			u, err := measure(ctx, rows, file(c.in), c.line)
			if err != nil {
				return err
			}
			wall, processor, most = append(wall, u.Time.Seconds()), append(processor, u.Processor.Seconds()), append(most, float64(u.Memory))
		}
		table.Add(c.name, results.Number(float64(rows)/results.Median(wall)), results.Number(float64(rows)/results.Median(processor)), results.Megabytes(slices.Max(most)))
	}
	table.Print(os.Stdout)
	return nil
}

// measure runs a command. The program in Python writes the seconds of the call, without
// those of its start, to a file.
func measure(ctx context.Context, rows int, in string, line []string) (program.Usage, error) {
	env := []string{"IN=" + in}
	out := in + ".seconds"
	isPython := strings.HasSuffix(line[0], "python3")
	if isPython {
		line = append(line, fmt.Sprint(rows), out)
	}
	u, err := program.Run(ctx, env, line...)
	if err != nil || !isPython {
		return u, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return u, err
	}
	var wall, processor float64
	if _, err := fmt.Sscan(string(text), &wall, &processor); err != nil {
		return u, err
	}
	u.Time, u.Processor = time.Duration(wall*float64(time.Second)), time.Duration(processor*float64(time.Second))
	return u, nil
}

// write writes random ZIP Codes of a dataset in each format.
func write(data string, rows int, csv, tsv, json, stream string) error {
	d, err := dataset.Open(data)
	if err != nil {
		return err
	}
	defer d.Close()
	var known []string
	for z := range d.ZIPs() {
		known = append(known, z.ZIP.String())
	}
	codes := func(yield func(string) bool) { // again and again, because kept ones would count as memory of the callers
		random := rand.New(rand.NewPCG(1, 2))
		for range rows {
			if !yield(known[random.IntN(len(known))]) {
				return
			}
		}
	}
	for path, format := range map[string]string{csv: "%s\n", tsv: "%s\n", json: "{\"zip\":\"%s\"}\n"} {
		if err := create(path, func(w *bufio.Writer) error {
			if path == csv {
				fmt.Fprintln(w, "zip")
			}
			for c := range codes {
				fmt.Fprintf(w, format, c)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return create(stream, func(w *bufio.Writer) error { return writeArrow(w, codes) })
}

func create(path string, write func(w *bufio.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(write(w), w.Flush(), f.Close())
}

// writeArrow writes batches of texts.
func writeArrow(w *bufio.Writer, codes iter.Seq[string]) error {
	const batch = 1 << 16
	schema := arrow.NewSchema([]arrow.Field{{Name: "zip", Type: arrow.BinaryTypes.String}}, nil)
	stream := ipc.NewWriter(w, ipc.WithSchema(schema))
	b := array.NewStringBuilder(memory.DefaultAllocator)
	write := func() error {
		n := b.Len()
		return stream.Write(array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, int64(n)))
	}
	for c := range codes {
		if b.Append(c); b.Len() < batch {
			continue
		}
		if err := write(); err != nil {
			return err
		}
	}
	return errors.Join(write(), stream.Close())
}
