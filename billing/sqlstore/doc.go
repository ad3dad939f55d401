// Package sqlstore stores accounts, keys and credits in SQLite or PostgreSQL.
//
// # Usage
//
//	store, err := sqlstore.Open(ctx, "accounts.db", sqlstore.Options{Pepper: pepper})
//	defer store.Close()
//
// The address is a file, or a PostgreSQL URL ("postgres://user@host/database").
//
// # Data
//
// Both databases have the same tables and statements. They have hashes of keys
// only, and not the pepper. Every call that changes data returns after its commit.
// Calls that arrive during a transaction are committed together in the next one:
// in SQLite those on all accounts, in PostgreSQL those on the same account.
//
// A commit to SQLite survives a killed process. Changes of accounts, keys and grants,
// refunds, and one commit a second are flushed to the disk before their call returns.
// A power failure can undo later settlements, whose credits are then back in their
// accounts; Options.Strict flushes every commit.
//
// # Concurrency
//
// A store is safe for concurrent use, and any number of processes may use the same
// accounts.
//
// # Errors
//
// Failures of the database match billing.ErrUnavailable. A transaction is retried
// after a deadlock, a conflict or a lost connection: the ids of holds make retries
// harmless. Sweep retries refunds that failed.
package sqlstore
