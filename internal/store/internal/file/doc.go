// Package file is the container of a dataset file. It stores tables that other
// packages register and does not know their contents.
//
// A [File] is a SQLite database. resident tables consist of columns, which are
// read into memory; tables of rows remain in the file. Every page
// ends with a checksum, which is compared on every read. The manifest has a SHA-256 over
// itself and every table.
//
// A room describes a table by a [ResidentTable] or a [RowTable], binds it to its
// reader or writer, and registers it with [Tables.Add] or [Writer.Add]. The store
// reads, verifies and copies the tables of all rooms alike.
package file
