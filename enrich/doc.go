// Package enrich adds fields of postgeo's answers to rows of a table: the
// county of a ZIP, the income around a coordinate, the ZIP+4 of an address.
//
// # Usage
//
// An [Enricher] answers one row at a time, and any number of goroutines may
// ask it:
//
//	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{"city", "county_fips"}})
//	values, outcome, err := e.Row(ctx, "90210", nil)
//
// The values stand in the order of [Enricher.Columns]. A row that cannot be
// answered is no error: its values are null and its [Outcome] says why.
// [Run] does the same for a whole table: a [Source] of rows, a [Sink] for them,
// all processors, the rows in their order.
//
// Names of fields are paths into the JSON of the answers: "city",
// "location.lat", "census.county.fips", "acs.economic.income.poverty".
// [Catalog] lists them all. "current" may be left out of a path, and so may
// "est" behind a figure of the American Community Survey. What several entries
// have is a list.
//
// [Places] are a list of one's own, of which fields of "nearest_place" tell the
// nearest to each row.
//
// # Errors
//
// [New] refuses a path that no answer has with a [*FieldError] that names what
// comes near. [Enricher.Row] fails only where the context is done or the
// dataset cannot be read.
package enrich
