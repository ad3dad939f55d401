// Package sqlite stores accounts, keys and credits in one SQLite file.
//
// # Usage
//
//	store, err := sqlite.Open(ctx, "accounts.db", sqlite.Options{Pepper: pepper})
//	defer store.Close()
//
// # Data
//
// Calls run in rounds of a few milliseconds. A round begins with the file's write
// lock, decides calls in memory, and ends with one commit. The commit is flushed
// to the disk during the next round.
//
// A settlement returns when it is in the journal, a file next to the accounts. The
// next round, of this process or another, enters the settlements that a killed
// process did not commit. A failing machine may lose the settlements of the last
// round and flush; their credits are then back in their accounts. With
// [Options].Strict settlements return when they are on the disk.
//
// Refunds, cuts, grants and changes of accounts return when they are on the disk.
// A hold returns when it is decided: after a crash it is either lost or released
// by a sweep.
//
// The file has hashes of keys only, and not the pepper.
//
// # Concurrency
//
// A store is safe for concurrent use. Several processes may open the same file,
// such as a server and the command line. The file must be on a local disk.
//
// # Errors
//
// Failures of the file or of SQLite match billing.ErrUnavailable.
package sqlite
