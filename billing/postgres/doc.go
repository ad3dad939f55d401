// Package postgres stores accounts, keys and credits in PostgreSQL, for several
// processes.
//
// # Usage
//
//	store, err := postgres.Open(ctx, "postgres://user@host/database", postgres.Options{Pepper: pepper})
//	defer store.Close()
//
// Open upgrades the tables to the format of this version. Processes that start at
// the same time do so one after the other.
//
// # Data
//
// The tables are in a separate schema. Every call that changes data returns after
// its commit. Calls on an account during its previous transaction are committed
// together in the next one. A process uses one connection per account at most.
// Times have a resolution of a microsecond.
//
// The tables have hashes of keys only, and not the pepper.
//
// # Concurrency
//
// A store is safe for concurrent use, and any number of processes may use the same
// tables. Calls on different accounts do not wait for each other. Changes of
// accounts and keys do, because they increment one revision.
//
// # Errors
//
// A transaction is retried after a deadlock, a conflict or a lost connection: the
// ids of holds make retries harmless. After the store's timeout a call fails with
// an error that matches billing.ErrUnavailable. Sweep retries refunds that failed
// this way, because their requests must not cost anything.
package postgres
