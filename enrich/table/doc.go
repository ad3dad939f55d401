// Package table reads and writes tables as CSV, TSV, NDJSON, Parquet and Excel
// files, and runs every row of one through an [enrich.Enricher].
//
// # Usage
//
//	src, err := table.Open("customers.csv", table.Input{})
//	keys, err := src.FindKeys(table.Names{})
//	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: []string{"county_fips"}})
//	job, err := table.NewJob(src, e, keys, table.Output{Format: table.Parquet})
//	summary, err := job.Run(ctx, file, table.RunOptions{})
//
// Each input row gives one output row, in the same order. Text formats keep the
// bytes of a row and append to them. Memory does not grow with the number of
// rows.
//
// # Concurrency
//
// [Job.Run] uses all processors. A source belongs to one Job.
//
// # Errors
//
// A row that its format does not allow is a [*Error] that names the line.
package table
