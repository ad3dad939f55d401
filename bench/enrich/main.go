// Command enrich measures the enrichment of tables in each format and with each kind of
// key, and compares the command with DuckDB. It is started by run.sh.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

func main() {
	data := flag.String("data", "", "dataset to read")
	rows := flag.Int("rows", 1_000_000, "rows of the table")
	peer := flag.String("duckdb", "", "folder with DuckDB for node, to compare with")
	command := flag.String("program", "postgeo", "command to compare with DuckDB")
	program.Main("enrich", func(ctx context.Context, dir string) error {
		if err := run(ctx, dir, *data, *rows); err != nil || *peer == "" {
			return err
		}
		return compare(ctx, *data, *command, *peer, filepath.Join(dir, codes+".csv"))
	})
}

// Kinds of keys.
const (
	codes       = "codes"
	coordinates = "coordinates"
)

// run measures codes in each format, and rows of each kind in CSV that get fields of
// several operations.
func run(ctx context.Context, dir, data string, rows int) error {
	db, err := postgeo.Open(data)
	if err != nil {
		return err
	}
	defer db.Close()
	t := results.Table{Title: "rows", Columns: []string{"rows", "rows/s", "time"}}
	for _, run := range []struct{ kind, format, add string }{
		{codes, "csv", "city,county_fips"},
		{codes, "csv.gz", "city,county_fips"},
		{codes, "ndjson", "city,county_fips"},
		{codes, "parquet", "city,county_fips"},
		{codes, "csv", "elevation.ft"},
		{codes, "csv", "census.county.fips"},
		{coordinates, "csv", "county_fips"},
		{coordinates, "csv", "census.tract.geoid"},
	} {
		first, in := filepath.Join(dir, run.kind+".csv"), filepath.Join(dir, run.kind+"."+run.format)
		if _, err := os.Stat(first); err != nil {
			if err := write(first, data, rows, run.kind); err != nil {
				return err
			}
		}
		if in != first {
			if err := one(ctx, db, first, in, nil); err != nil {
				return err
			}
		}
		took, err := several(ctx, db, in, filepath.Join(dir, "out."+run.format), strings.Split(run.add, ","))
		if err != nil {
			return err
		}
		fields := "`" + strings.ReplaceAll(run.add, ",", "`, `") + "`"
		name := fmt.Sprintf("%s, %s: %s", run.kind, strings.Replace(run.format, ".gz", " with gzip", 1), fields)
		t.Add(name, results.Number(float64(rows)/took*1e9), results.Duration(took))
	}
	t.Print(os.Stdout)
	return nil
}

// several enriches a file three times and returns the median in nanoseconds. It removes the
// output.
func several(ctx context.Context, db *postgeo.DB, in, out string, add []string) (float64, error) {
	var took []float64
	for range 3 {
		began := time.Now()
		if err := one(ctx, db, in, out, add); err != nil {
			return 0, err
		}
		took = append(took, float64(time.Since(began)))
		if err := os.Remove(out); err != nil {
			return 0, err
		}
	}
	return results.Median(took), nil
}

// one enriches a file.
func one(ctx context.Context, db *postgeo.DB, in, out string, add []string) error {
	src, err := table.Open(in, table.Input{})
	if err != nil {
		return err
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	if err != nil {
		return err
	}
	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: add})
	if err != nil {
		return err
	}
	opt := table.Output{}
	if add == nil { // another format of the table: its status is not that of the run
		opt.Status, opt.Reason = "made_status", "made_reason"
	}
	var zipped bool
	opt.Format, zipped, _ = table.FormatOf(out)
	job, err := table.NewJob(src, e, keys, opt)
	if err != nil {
		return err
	}
	var sum table.Summary
	// As the command writes: the time includes the disk.
	err = disk.Write(out, func(w io.Writer) (err error) {
		if zipped {
			z := gzip.NewWriter(w)
			defer func() { err = errors.Join(err, z.Close()) }()
			w = z
		}
		sum, err = job.Run(ctx, w, table.RunOptions{})
		return err
	})
	// A run that finds nothing is fast. Points near codes may lie in no code, so not all rows
	// are found.
	if err == nil && sum.Answered() < sum.Rows*8/10 {
		err = fmt.Errorf("%d of %d rows were answered: %v", sum.Answered(), sum.Rows, sum.Statuses)
	}
	return err
}

// write makes a table of the codes of a dataset, in random order, or of points within some
// miles of them. Codes repeat about 24 times in a million rows, as those of customers do;
// points don't repeat. The random numbers have a fixed seed, so runs read the same table.
func write(path, data string, rows int, kind string) error {
	d, err := sqlite.Open(data)
	if err != nil {
		return err
	}
	defer d.Close()
	zips := slices.Collect(d.ZIPs())
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	random := rand.New(rand.NewPCG(1, 2))
	fmt.Fprintf(w, "id,%s,name,amount\n", map[string]string{codes: "zip", coordinates: "lat,lon"}[kind])
	for i := 0; i < rows; {
		z := &zips[random.IntN(len(zips))]
		key := z.ZIP.String()
		if kind == coordinates {
			const degrees = 0.05
			if !z.Location.IsValid() {
				continue
			}
			key = fmt.Sprintf("%.5f,%.5f", z.Location.Lat()+degrees*random.NormFloat64(), z.Location.Lng()+degrees*random.NormFloat64())
		}
		i++
		fmt.Fprintf(w, "%d,%s,Customer %d,%d.%02d\n", i, key, random.IntN(1e6), random.IntN(1e4), random.IntN(100))
	}
	return errors.Join(w.Flush(), f.Close())
}
