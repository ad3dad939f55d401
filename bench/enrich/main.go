// Command enrich measures the enrichment of tables. It writes a table of codes of a
// dataset and adds fields to it in each format, and then tables of other keys.
//
//	go -C bench run ./enrich --data $PWD/postgeo.db --rows 1000000
//
// With --duckdb it then compares the command with DuckDB, as run.sh does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/store"
)

func main() {
	data := flag.String("data", "", "dataset to read")
	rows := flag.Int("rows", 1_000_000, "rows of the table")
	add := flag.String("add", "city,county_fips", "fields to add")
	kind := flag.String("keys", "codes", "keys of the rows: codes, coordinates or addresses")
	streets := flag.String("streets", "internal/sample/sample.db", "dataset with addresses; \"\" leaves other keys out")
	input := flag.String("in", "", "table to read instead of a made one, in CSV")
	formats := flag.String("formats", "csv,csv.gz,ndjson,parquet", "formats to read and write")
	peer := flag.String("duckdb", "", "folder with DuckDB for node, to compare with")
	command := flag.String("program", "postgeo", "command to compare with DuckDB")
	times := flag.Int("times", 7, "runs of each program")
	profile := flag.String("cpuprofile", "", "file for a profile of the processor")
	program.Main("enrich", func(ctx context.Context, dir string) error {
		if err := startProfile(*profile); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
		if err := run(ctx, dir, *data, *input, *rows, strings.Split(*add, ","), *kind, strings.Split(*formats, ",")); err != nil {
			return err
		}
		if *streets != "" {
			if err := runKeys(ctx, dir, *data, *streets, *rows); err != nil {
				return err
			}
		}
		if *peer == "" {
			return nil
		}
		return runPeer(ctx, dir, *data, *rows, *command, *peer, *times)
	})
}

// startProfile writes a profile of the processor if a file is named.
func startProfile(path string) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return pprof.StartCPUProfile(f)
}

func run(ctx context.Context, dir, data, first string, rows int, add []string, kind string, formats []string) error {
	if data == "" {
		return errors.New("name a dataset with --data")
	}
	db, err := postgeo.Open(data)
	if err != nil {
		return err
	}
	defer db.Close()
	if first == "" {
		first = filepath.Join(dir, "in.csv")
		if err := write(ctx, first, data, rows, kind); err != nil {
			return err
		}
	}
	formatted := results.Table{Title: "formats", Columns: []string{"format", "rows/s", "time", "peak of the heap, dataset included"}}
	for _, f := range formats {
		in := first
		if f != "csv" {
			in = filepath.Join(dir, "in."+f)
			if _, err := one(ctx, db, first, in, nil); err != nil {
				return err
			}
		}
		took, peak, err := several(ctx, db, in, filepath.Join(dir, "out."+f), add)
		if err != nil {
			return err
		}
		formatted.Add(strings.Replace(f, ".gz", " with gzip", 1), results.Number(float64(rows)/took*1e9), results.Duration(took), fmt.Sprintf("%d MB", peak/1e6))
		if in != first {
			os.Remove(in)
		}
	}
	formatted.Print(os.Stdout)
	return nil
}

// Kinds of keys.
const (
	codes       = "codes"
	coordinates = "coordinates"
	addresses   = "addresses"
)

// runKeys measures rows of each kind, which get fields of several operations.
func runKeys(ctx context.Context, dir, data, streets string, rows int) error {
	t := results.Table{Title: "keys", Columns: []string{"keys", "fields", "rows/s", "time"}}
	for _, run := range []struct{ data, kind, add string }{
		{data, codes, "elevation.ft"},
		{data, codes, "census.county.fips"},
		{data, coordinates, "county_fips"},
		{data, coordinates, "census.tract.geoid"},
		{streets, addresses, "city,county_fips"},
	} {
		in := filepath.Join(dir, run.kind+".csv")
		if _, err := os.Stat(in); err != nil {
			if err := write(ctx, in, run.data, rows, run.kind); err != nil {
				return err
			}
		}
		db, err := postgeo.Open(run.data)
		if err != nil {
			return err
		}
		took, _, err := several(ctx, db, in, filepath.Join(dir, "out.csv"), strings.Split(run.add, ","))
		if err := errors.Join(err, db.Close()); err != nil {
			return err
		}
		t.Add(run.kind, "`"+strings.ReplaceAll(run.add, ",", "`, `")+"`", results.Number(float64(rows)/took*1e9), results.Duration(took))
	}
	t.Print(os.Stdout)
	return nil
}

// runPeer compares the command with DuckDB over a table of random ZIP Codes.
func runPeer(ctx context.Context, dir, data string, rows int, program, peer string, times int) error {
	db, err := postgeo.Open(data)
	if err != nil {
		return err
	}
	defer db.Close()
	in := filepath.Join(dir, "in.csv")
	if err := write(ctx, in, data, rows, codes); err != nil {
		return err
	}
	return compare(ctx, db, data, program, peer, in, times)
}

// several enriches a file three times. It returns the median in nanoseconds and the
// most memory that was seen in use, and removes the output.
func several(ctx context.Context, db *postgeo.DB, in, out string, add []string) (median float64, peak uint64, err error) {
	var took []float64
	for range 3 {
		runtime.GC()
		began := time.Now()
		most, err := one(ctx, db, in, out, add)
		if err != nil {
			return 0, 0, err
		}
		took, peak = append(took, float64(time.Since(began))), max(peak, most)
		if err := os.Remove(out); err != nil {
			return 0, 0, err
		}
	}
	return results.Median(took), peak, nil
}

// one enriches a file, and returns the most memory that was seen in use.
func one(ctx context.Context, db *postgeo.DB, in, out string, add []string) (peak uint64, err error) {
	src, err := table.Open(in, table.Input{})
	if err != nil {
		return 0, err
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	if err != nil {
		return 0, err
	}
	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: add})
	if err != nil {
		return 0, err
	}
	opt := table.Output{}
	if add == nil { // another format of the table: its status is not that of the run
		opt.Status, opt.Reason = "made_status", "made_reason"
	}
	sink, err := table.Create(out, src, e, opt)
	if err != nil {
		return 0, err
	}
	var seen time.Time
	sum, err := table.Run(ctx, src, sink, e, keys, table.RunOptions{Progress: func(table.Progress) {
		const every = 10 * time.Millisecond
		if time.Since(seen) > every {
			seen = time.Now()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
		}
	}})
	if err != nil {
		return 0, err
	}
	if sum.Answered() < sum.Rows*8/10 {
		return 0, fmt.Errorf("%d of %d rows were answered: %v", sum.Answered(), sum.Rows, sum.Statuses)
	}
	return peak, nil
}

// write makes a table of keys in random order.
func write(ctx context.Context, path, data string, rows int, kind string) error {
	keys, err := keysOf(ctx, data, rows, kind)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return errors.New("the dataset has no such keys")
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head, quote := map[string]string{codes: "zip", coordinates: "lat,lon", addresses: "address"}[kind], ""
	if kind == addresses {
		quote = `"`
	}
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	fmt.Fprintf(&b, "id,%s,name,amount\n", head)
	for i := range rows {
		key := keys[random.IntN(len(keys))]
		if kind == coordinates {
			key = keys[i] // each once
		}
		fmt.Fprintf(&b, "%d,%s%s%[2]s,Customer %[4]d,%[5]d.%02[6]d\n", i+1, quote, key, random.IntN(1e6), random.IntN(1e4), random.IntN(100))
		if b.Len() > 1<<20 {
			if _, err := f.WriteString(b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	_, err = f.WriteString(b.String())
	return err
}

// keysOf lists codes, points near them, or addresses of street records.
func keysOf(ctx context.Context, path string, most int, kind string) ([]string, error) {
	d, err := store.Open(path)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var keys []string
	if kind == coordinates {
		return points(slices.Collect(d.ZIPs()), most), nil
	}
	if kind == codes {
		for z := range d.ZIPs() {
			keys = append(keys, z.ZIP.String())
		}
		return keys, nil
	}
	for z := range d.ZIPs() {
		if !d.HasZIP4(z.ZIP) {
			continue
		}
		for r, err := range d.ZIP4Records(ctx, z.ZIP) {
			if err != nil {
				return nil, err
			}
			keys = appendAddresses(keys, &r, z)
			if len(keys) >= most {
				return keys, nil
			}
		}
	}
	return keys, nil
}

// points returns points within some miles of ZIP Codes.
func points(zips []store.ZIPRow, n int) []string {
	random := rand.New(rand.NewPCG(3, 4))
	keys := make([]string, 0, n)
	for len(keys) < n {
		const degrees = 0.05
		if at := zips[random.IntN(len(zips))].Location; at.IsValid() {
			keys = append(keys, fmt.Sprintf("%.5f,%.5f", at.Lat()+degrees*random.NormFloat64(), at.Lng()+degrees*random.NormFloat64()))
		}
	}
	return keys
}

// appendAddresses appends the addresses of a street record, at most 200.
func appendAddresses(keys []string, r *store.ZIP4Record, z store.ZIPRow) []string {
	low, err := strconv.Atoi(r.AddrLow)
	high, err2 := strconv.Atoi(r.AddrHigh)
	if r.RecordType != 'S' || r.Street == "" || err != nil || err2 != nil {
		return keys
	}
	const side, most = 2, 200 // a record has one side of the street
	for number := low; number <= min(high, low+side*most); number += side {
		words := strings.Fields(strings.Join([]string{strconv.Itoa(number), r.PreDir, r.Street, r.Suffix, r.PostDir}, " "))
		keys = append(keys, fmt.Sprintf("%s, %s %s %s", strings.Join(words, " "), z.City, r.State, r.ZIP))
	}
	return keys
}
