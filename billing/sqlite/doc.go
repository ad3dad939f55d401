// Package sqlite keeps accounts, keys and credits in one SQLite file.
//
// # Usage
//
//	store, err := sqlite.Open(ctx, "accounts.db", sqlite.Options{Pepper: pepper})
//	defer store.Close()
//
// A [Store] is a billing.Store.
//
// # Data
//
// The file is in write-ahead mode and every commit is flushed to the disk.
// One goroutine writes. It collects the calls that come while the previous
// commit is flushed and commits them together, so that the number of requests
// a second does not depend on how fast the disk flushes. A hold is answered
// when it is decided and is durable at the latest with its settlement; a
// settlement, a refund and every change of an account are answered when they
// are durable. A crash in between leaves a hold that nobody settles, which a
// sweep releases, or none.
//
// Keys are in the file as hashes only. The pepper is not in it.
//
// # Concurrency
//
// A Store is safe for concurrent use. Several processes may have the same file
// open, such as a server and the command line: every group of calls begins
// with the file's write lock and looks whether another process has changed
// something. The file must be on a local disk.
//
// # Errors
//
// Errors that are not about the call itself match billing.ErrUnavailable.
package sqlite
