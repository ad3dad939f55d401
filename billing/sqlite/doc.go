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
// Calls are decided in rounds of a few milliseconds. A round begins with the
// file's write lock; while it lasts the books in memory are the truth. It ends
// with one commit, which is flushed to the disk while the next round goes on.
//
// A settlement is answered when it stands in the journal, a file beside the
// accounts: what was written to a file outlives the process that wrote it.
// Whoever begins the next round, this process or another, enters what the
// journal has beyond the last commit. A killed process has therefore lost
// nothing that it answered. A machine that fails may lose what was answered in
// the last moments, a round and a flush; the credits are then with their
// accounts again, never lost to them. [Options].Strict answers settlements from
// the disk only.
//
// Refunds, cuts, grants and every change of an account are answered when they
// are on the disk. A hold is answered when it is decided: a crash leaves one that
// nobody settles, which a sweep releases, or none.
//
// Keys are in the file as hashes only. The pepper is not in it.
//
// # Concurrency
//
// A Store is safe for concurrent use. Several processes may have the same file
// open, such as a server and the command line: every round begins with the
// file's write lock and looks whether another process has changed something.
// The file must be on a local disk.
//
// # Errors
//
// Errors that are not about the call itself match billing.ErrUnavailable.
package sqlite
