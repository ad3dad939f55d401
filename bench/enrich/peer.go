package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
)

// DuckDB does the same task as a join. It reads the codes as a table, which postgeo need not,
// and compares texts, while postgeo also repairs codes. Both run as whole processes with all
// processors, and read and write files.

// compare times the enrichment of a table as a whole process, and DuckDB, which
// joins the table with exported codes. The programs take turns. dir contains the
// module of DuckDB for node.
func compare(ctx context.Context, data, postgeo, dir, rows string) error {
	const times = 7
	work := filepath.Dir(rows)
	codes := filepath.Join(work, "exported.parquet")
	if _, err := program.Run(ctx, nil, postgeo, "export", "codes", "--data", data, "-o", codes, "--overwrite"); err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join("bench", "enrich", "duckdb.mjs"))
	if err != nil {
		return err
	}
	peer := filepath.Join(dir, "duckdb.mjs") // beside its module, where node looks for that
	if err := os.WriteFile(peer, script, 0o644); err != nil {
		return err
	}
	two, six := []string{"city", "county_fips"}, []string{"city", "state", "county", "county_fips", "classification", "municipality"}
	table := results.Table{Title: "duckdb", Columns: []string{"input and output", "fields", "postgeo", "DuckDB", "times as fast"}}
	for _, j := range []struct {
		format string
		fields []string // also the columns of the exported table
	}{{"csv", two}, {"csv", six}, {"parquet", two}, {"parquet", six}} {
		in, out := rows, filepath.Join(work, "joined."+j.format)
		if j.format != "csv" {
			in = filepath.Join(work, "codes.parquet")
		}
		var ours, theirs []float64
		for range times {
			for _, run := range []struct {
				took *[]float64
				line []string
			}{
				{&ours, []string{postgeo, "enrich", in, "--code", "zip", "--data", data, "--add", strings.Join(j.fields, ","), "-o", out, "--overwrite"}},
				{&theirs, append([]string{"node", peer, in, codes, out}, j.fields...)},
			} {
				usage, err := program.Run(ctx, nil, run.line...)
				if err != nil {
					return err
				}
				*run.took = append(*run.took, usage.Time.Seconds())
			}
		}
		a, b := results.Median(ours), results.Median(theirs)
		table.Add(j.format, len(j.fields), results.Duration(1e9*a), results.Duration(1e9*b), fmt.Sprintf("%.2f", b/a))
	}
	table.Print(os.Stdout)
	return nil
}
