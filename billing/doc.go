// Package billing has prices in credits, plans, accounts, keys, rate limits and the
// ledger. It does not store data and does not depend on HTTP.
//
// # Usage
//
// A [Gate] admits or refuses a request. A [Ledger] holds the maximum price before
// the work and settles the actual price after it:
//
//	pass, err := gate.Enter(ctx, billing.Credentials{Key: key, Addr: addr})
//	…
//	_, err = ledger.Reserve(ctx, billing.Hold{ID: requestID, Account: pass.Identity.Account, Credits: most.Used})
//	…
//	receipt, err := ledger.Settle(ctx, requestID, cost.Used)
//	receipt.Apply(&meta.Credits)
//
// The Quote functions return the maximum price of a call before it, the For functions
// that of a result or an error after it. [Sum] adds the costs of a batch:
//
//	most := billing.QuoteLookup(code, include)
//	rec, err := db.Lookup(ctx, "90210", opts)
//	…
//	cost := billing.ForLookup(rec)
//	fmt.Println(cost.Used, cost.Calculation)
//
// # Data
//
// A [Store] keeps accounts, keys and credits; billing/sqlstore stores them in a file
// or in PostgreSQL. A [Limiter] counts requests, a [MemoryLimiter]
// those of one process. Keys are stored as hashes only. Errors, logs and listings
// never contain a key.
//
// # Concurrency
//
// Functions are pure. Gates, limiters, blockers, keyrings and stores are safe for
// concurrent use.
//
// # Errors
//
// Errors for callers of the API implement envelope.Failure: [InsufficientError],
// [RateLimitError], [UnavailableError] and the errors of [Gate.Enter] and
// [Identity].
package billing
