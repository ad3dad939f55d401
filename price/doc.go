// Package price computes the prices of operations in credits.
//
// # Usage
//
// The For functions price a result or an error after the work. The Quote functions
// return the maximum price of a call before it:
//
//	most := price.QuoteLookup(code, include)
//	rec, err := db.Lookup(ctx, "90210", opts)
//	…
//	cost := price.ForLookup(rec)
//	fmt.Println(cost.Used, cost.Calculation)
//
// [Sum] adds the costs of a batch.
//
// # Concurrency
//
// Functions are pure.
package price
