// Package file is the container of a dataset file. It stores tables that other
// packages register and does not know their contents.
//
// A [File] is a SQLite database of ordinary tables. What must be in memory is a [Part]: it
// loads caches, the results of queries over the tables. Every page ends with a checksum,
// which is compared on every read. The manifest has a SHA-256 over itself and every table.
package file
