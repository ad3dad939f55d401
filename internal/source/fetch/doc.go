// Package fetch gets the source files of a dataset: from their publishers, from
// a mirror, or from the cache of an earlier run.
//
// # Usage
//
//	client, err := fetch.New(ctx, fetch.Options{Cache: dir})
//	file, err := client.Get(ctx, src)
//	rows := format.File{Path: file.Path, Member: file.Source.Member}.Rows(format.Options{})
//
// [Download] gets one file without a catalog. An interrupted transfer is resumed in the
// same run or in a later one, if the server's entity tag or date shows the same file. A
// cached file is requested with a condition and kept when it did not change. Its SHA-256
// is checked with every use.
//
// # Data
//
// The cache holds <host>/<path> of every address. A mirror has the layout
// <mirror>/<host>/<path> of the official address. A file ACTUAL.csv at its top may list
// the differences between its files and the official ones.
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
