// Package fetch gets the source files of a dataset: from their publishers, from
// a mirror, or from the cache of an earlier run.
//
// # Usage
//
//	client, err := fetch.New(ctx, fetch.Options{Cache: dir})
//	file, err := client.Get(ctx, src)
//	in, err := format.Open(file.Path, format.OpenOptions{Member: file.Source.Member})
//
// A transfer that breaks off is resumed where it stopped, in the same run or
// in a later one, as long as the server vouches with its entity tag or date
// that the file is the same. A file in the cache is asked for with a condition
// and kept when it did not change. What is in the cache is compared with its
// SHA-256 whenever it is used.
//
// # Data
//
// The cache holds <host>/<path> of every address, beside it a side file
// (.meta) with what the server told, a lock file, and, while a transfer is not
// complete, the part (.part) that has come. A mirror is laid out as
// <mirror>/<host>/<path> of the official address; a file ACTUAL.csv at its top
// may tell how its files differ from the official ones.
//
// # Concurrency
//
// A [Client] is safe for concurrent use, and several processes may share a
// cache: a file is transferred by one of them at a time.
//
// # Errors
//
// Errors are [*Error]s. They name the source and the address, and match one
// of the package's sentinels.
package fetch
