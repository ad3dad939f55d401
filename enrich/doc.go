// Package enrich adds fields to rows of a table: the county of a ZIP, the
// income around a coordinate, the ZIP+4 of an address.
//
// # Usage
//
// An [Enricher] processes one row at a time. It is safe for concurrent use.
//
//	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{"city", "county_fips"}})
//	values, outcome, err := e.Row(ctx, "90210", nil)
//
// The values have the order of [Enricher.Columns]. If a row has no match, its
// values are null and its [Outcome] gives the reason. Package table applies an
// Enricher to whole files, on all processors and in order.
//
// Names of fields are paths into the JSON of results: "city", "location.lat",
// "census.county.fips", "acs.economic.income.poverty". [Catalog] lists them
// all. A path may omit "current", and "est" after a figure of the American
// Community Survey. A field of several entries is a list.
//
// [Places] and [Areas] are user-supplied lists. Fields of "nearest_place"
// describe the places nearest to each row, and fields of "in_area" the area
// that contains it.
//
// # Errors
//
// For an unknown path, [New] returns a [*FieldError] with similar ones. Errors
// of [Enricher.Row] come only from the context or the dataset.
package enrich
