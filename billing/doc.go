// Package billing prices what postgeo delivers, in credits. It is arithmetic
// only: nothing here knows accounts.
//
// # Usage
//
// The For functions price a result or a failure after the work; the Quote
// functions give the most that a call can cost before it:
//
//	most := billing.QuoteLookup(code, include)
//	rec, err := db.Lookup(ctx, "90210", opts)
//	…
//	cost := billing.ForLookup(rec)
//	fmt.Println(cost.Used, cost.Calculation)
//
// [Sum] adds the costs of a batch.
//
// # Concurrency
//
// Functions are pure; a [Cost] belongs to the caller.
package billing
