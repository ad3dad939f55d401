// Package billing has prices in credits, plans, accounts, keys, rate limits and the
// ledger. It does not depend on HTTP.
//
// # Usage
//
// A [Store] admits or refuses a request. It holds the maximum price before the work and
// settles the actual price after it:
//
//	store, err := billing.Open(ctx, "accounts.db", billing.Options{Pepper: secret})
//	…
//	pass, err := store.Enter(ctx, billing.Credentials{Key: key, Addr: addr})
//	…
//	hold := billing.Hold{ID: requestID, Account: pass.Identity.Account, Credits: most.Used}
//	_, err = store.Reserve(ctx, hold)
//	…
//	receipt, err := store.Settle(ctx, hold, cost.Used)
//	receipt.Apply(&meta.Credits)
//
// The Quote functions return the maximum price of a call before it, the For functions
// that of a result or an error after it. [Sum] adds the costs of a batch:
//
//	most := billing.QuoteLookup(code, opts)
//	rec, err := db.Lookup(ctx, "90210", opts)
//	…
//	cost := billing.ForLookup(rec)
//	fmt.Println(cost.Used, cost.Calculation)
//
// # Data
//
// A store is a file or a PostgreSQL database. Each grant of an account is a row, and each
// request a row with the grants that pay it. Keys are stored as hashes only. Errors, logs
// and listings never contain a key.
//
// Calls on credits that arrive during a transaction are run together in the next one, so
// that one commit serves many requests. A file has one writer at a time; PostgreSQL locks
// accounts, so that several servers can share one.
//
// # Concurrency
//
// Prices are pure functions. A Store is safe for concurrent use, also by several
// processes.
//
// # Errors
//
// Errors for callers of the API are an [envelope.Fault]: [InsufficientError],
// [RateLimitError], those that match [ErrUnavailable], and the others of [Store.Enter].
package billing
