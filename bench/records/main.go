// Command records builds a dataset of an invented country with ZIP+4 records and
// measures the build, the file and matches. It is started by run.sh.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/internal/store"
)

func main() {
	postgeo := flag.String("program", "postgeo", "command to measure")
	write := flag.String("write", "", "command that writes the country")
	count := flag.Int("records", 60_000_000, "number of records; each takes 182 bytes of disk before the build")
	program.Main("records", func(ctx context.Context, dir string) error { return run(ctx, dir, *postgeo, *write, *count) })
}

func run(ctx context.Context, dir, command, write string, count int) error {
	if _, err := program.Run(ctx, nil, write, "-national", "-zip4", strconv.Itoa(count), dir); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, "usps", "zip4_points.csv")); err != nil {
		return err
	}
	file := func(name string) string { return filepath.Join(dir, name+".db") }
	table := results.Table{Title: "records", Columns: []string{"dataset", "time", "processor time", "memory", "file", "bytes per record"}}
	empty := int64(0)
	for _, build := range []struct {
		name, title string
		args        []string
	}{
		{"empty", "identity", nil},
		{"full", "identity and records", []string{
			"--usps-zip4", filepath.Join(dir, "usps", "zip4.txt"), "--usps-city-state", filepath.Join(dir, "usps", "ctystate.txt"), "--usps-delivery-stats", filepath.Join(dir, "usps", "delstat.txt"),
		}},
	} {
		size, cells, err := program.Build(ctx, file(build.name), append([]string{command, "dataset", "build", "--mirror", dir, "--offline", "--layers", "identity", "-o", file(build.name)}, build.args...)...)
		if err != nil {
			return err
		}
		each := ""
		if empty > 0 {
			each = fmt.Sprintf("%.1f", float64(size-empty)/float64(count))
		}
		empty = size
		table.Add(append(append([]any{build.title}, cells...), each)...)
	}
	fmt.Printf("\n%s ZIP+4 records of an invented country.\n", results.Count(count))
	table.Print(os.Stdout)
	return match(ctx, file("full"))
}

// match measures matches of the addresses of records, in random order.
func match(ctx context.Context, file string) error {
	addresses, err := addressesOf(ctx, file)
	if err != nil {
		return err
	}
	began := time.Now()
	db, err := postgeo.Open(file)
	if err != nil {
		return err
	}
	defer db.Close()
	opened := time.Since(began)
	table := results.Table{Title: "matches", Columns: []string{"addresses", "found", "p50", "p99"}}
	for _, name := range []string{"each for the first time", "again"} {
		var times []float64
		found := 0
		for _, text := range addresses {
			began := time.Now()
			_, err := db.MatchAddress(ctx, text, postgeo.AddressOptions{})
			times = append(times, float64(time.Since(began)))
			switch {
			case err == nil:
				found++
			case errors.Is(err, postgeo.ErrNotFound), errors.Is(err, postgeo.ErrAmbiguous):
			default:
				return fmt.Errorf("%s: %w", text, err)
			}
		}
		slices.Sort(times)
		table.Add(name, fmt.Sprintf("%s of %s", results.Count(found), results.Count(len(times))), results.Duration(times[len(times)/2]), results.Duration(times[len(times)*99/100]))
	}
	table.Print(os.Stdout)
	fmt.Printf("\nOpening the file takes %s.\n", results.Duration(float64(opened)))
	return nil
}

// addressesOf writes five records of each of two thousand ZIP Codes as addresses.
func addressesOf(ctx context.Context, file string) ([]string, error) {
	const zipCount, each = 2000, 5
	d, err := store.Open(file)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	random := rand.New(rand.NewPCG(1, 2))
	zips := slices.Collect(d.StreetZIPs())
	random.Shuffle(len(zips), func(i, k int) { zips[i], zips[k] = zips[k], zips[i] })
	var list []string
	for _, z := range zips[:min(len(zips), zipCount)] {
		row, _ := d.ZIP(z)
		var records []store.StreetRecord
		for r, err := range d.StreetRecords(ctx, z) {
			if err != nil {
				return nil, err
			}
			if r.RecordType == 'S' && !r.Alternate && strings.Trim(r.AddrLow, "0123456789") == "" {
				records = append(records, r)
			}
		}
		for range min(len(records), each) {
			r := records[random.IntN(len(records))]
			street := strings.Join(strings.Fields(strings.Join([]string{strings.TrimLeft(r.AddrLow, "0"), r.PreDir, r.Street, r.Suffix, r.PostDir}, " ")), " ")
			list = append(list, fmt.Sprintf("%s, %s, %s %s", street, row.City, r.State, z))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no street records", file)
	}
	random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list, nil
}
