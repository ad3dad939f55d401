// Package export writes the contents of a dataset as plain tables for other engines: codes,
// the American Community Survey, and areas with their outlines.
//
// # Usage
//
//	w, err := table.NewWriter(f, export.CodeFields(), table.Output{Format: table.Parquet})
//	n, err := export.Codes(ctx, db, w)
//	err = w.Close()
//
// Rows are written as they are read, in an order that depends on the dataset alone, so that
// the same dataset gives the same bytes.
//
// # Errors
//
// Errors come from the database and the writer. The error for a kind that the dataset does
// not have matches [postgeo.ErrUnavailable].
package export
