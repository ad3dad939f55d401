// Package table reads and writes tables as CSV, TSV, NDJSON, Parquet and Excel
// files, and runs every row of one through an [enrich.Enricher].
//
// # Usage
//
//	src, err := table.Open("customers.csv", table.Input{})
//	keys, err := src.FindKeys(table.Names{})
//	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: []string{"county_fips"}})
//	sink, err := table.Create("out.parquet", src, e, table.Output{})
//	summary, err := table.Run(ctx, src, sink, e, keys, table.RunOptions{})
//
// Each input row gives one output row, in the same order. Text formats keep the
// bytes of a row and append to them. Memory does not grow with the number of
// rows.
//
// # Data
//
// A file that [Create] writes gets its name when it is complete.
//
// # Concurrency
//
// [Run] uses all processors. Sources and sinks belong to one Run.
//
// # Errors
//
// A row that its format does not allow is a [*RowError] that names the line.
package table
