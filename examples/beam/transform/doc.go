// Package transform holds the enrichment of tables as transforms of Apache
// Beam.
//
// # Usage
//
//	rows := transform.Read(s, "customers-*.csv", o)
//	rows = transform.Enrich(s, rows, o)
//	transform.Write(s, "enriched", rows)
//
// Enrich is the essential one: it takes rows from any source of a pipeline. Read
// and Write are for CSV files.
//
// # Data
//
// Each worker opens the dataset once for every instance of the function that
// the runner makes, and reads it from its own disk. No server is needed. A
// national dataset takes about 110 MB of memory each.
package transform
