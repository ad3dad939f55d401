// Package table reads and writes tables as CSV, TSV, NDJSON and Parquet, and
// runs every row of one through an [enrich.Enricher].
//
// # Usage
//
//	src, err := table.Open("customers.csv", table.Input{})
//	keys, err := src.FindKeys(table.Names{})
//	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: []string{"county_fips"}})
//	sink, err := table.Create("out.parquet", src, e, table.Output{})
//	summary, err := table.Run(ctx, src, sink, e, keys, table.RunOptions{})
//
// Rows come out in their order, one for each that went in. Text formats keep
// the bytes of a row as they are and add to them. Memory does not grow with the
// number of rows.
//
// # Data
//
// A file that [Create] writes has its name only when it is whole. Until then it
// is "NAME.partial", with a checkpoint beside it from which a run that was
// killed goes on (see [Output]).
//
// # Concurrency
//
// [Run] uses all processors. Sources and sinks belong to one Run.
//
// # Errors
//
// A row that its format does not allow is a [*RowError] that names the line.
package table
