// Package postgres keeps accounts, keys and credits in PostgreSQL, where
// several processes share them.
//
// # Usage
//
//	store, err := postgres.Open(ctx, "postgres://user@host/database", postgres.Options{Pepper: pepper})
//	defer store.Close()
//
// A [Store] is a billing.Store. Open brings the tables to the format of this
// version; processes that start at the same time do so one after the other.
//
// # Data
//
// The tables are in a schema of their own. Every call that changes something
// is answered when its transaction is committed. Calls on one account that
// come while its previous transaction is under way are committed together, in
// one transaction that has the lock of the account's row; an account keeps one
// connection of a process busy at most. Times are kept to the microsecond.
//
// Keys are in the tables as hashes only. The pepper is not in them.
//
// # Concurrency
//
// A Store is safe for concurrent use, and any number of processes may use the
// same tables. Calls on different accounts do not wait for each other, except
// for changes of accounts and keys, which count one revision up.
//
// # Errors
//
// A transaction that loses against another one (a deadlock, a conflict) or its
// connection is tried again: holds, settlements and refunds have ids that make
// that harmless. What cannot be done in the store's timeout fails with an error
// that matches billing.ErrUnavailable. A refund that failed so is remembered
// and made up for by Sweep: its request was not answered and must not cost.
package postgres
