// Package billing prices what postgeo delivers, in credits, and says who may
// ask for it: plans, accounts, keys, rate limits and the terms of a ledger.
// Nothing here stores anything or knows HTTP.
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
// A [Gate] lets a request in or says why not. A [Ledger] holds what a request
// can cost before the work and settles what it did cost:
//
//	pass, err := gate.Enter(ctx, billing.Credentials{Key: key, Addr: addr})
//	…
//	_, err = ledger.Reserve(ctx, billing.Hold{ID: requestID, Account: pass.Identity.Account, Credits: most.Used})
//	…
//	receipt, err := ledger.Settle(ctx, requestID, cost.Used)
//	receipt.Apply(&meta.Credits)
//
// # Data
//
// A [Store] keeps accounts, keys and credits; billing/sqlite has one in a
// file. A [Limiter] counts requests; [MemoryLimiter] is that of one process.
// Keys are stored as hashes only, and no error, log or listing holds one.
//
// # Concurrency
//
// Functions are pure; a [Cost] belongs to the caller. Gates, limiters,
// blockers, keyrings and stores are safe for concurrent use.
//
// # Errors
//
// What a caller may see is an envelope.Failure: [InsufficientError],
// [RateLimitError], [UnavailableError] and the refusals of [Gate.Enter] and
// [Identity].
package billing
