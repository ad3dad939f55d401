// Package file is the container of a dataset file. It stores tables that other
// packages register and does not know their contents.
//
// A [File] is a SQLite database of ordinary tables. What must be in memory is a [Part]: it
// loads caches, the results of queries over the tables. Every page ends with a checksum,
// which is compared on every read. The manifest has a SHA-256 over itself and every table.
//
// # Three kinds of tables
//
//   - Tables with the field's keys are the truth. Any SQLite tool reads them.
//   - Caches hold the results of queries over them, column by column ([Query], [Table]), in
//     one row each. Reading 42,000 rows by SQL takes 114 ms, packed columns 2 to 4 ms. Nothing
//     in a cache is new: Verify runs the queries again and compares the bytes.
//   - Values of their own format, such as outlines and pages of streets, are blobs in tables
//     with readable keys. SQL has no form for them.
//
// # Opening
//
// Open checks in this order: the kind of the file, its header, the first page, the text of
// the schema, the digest of the manifest. Each check gives the error that helps most: a
// text file is not a dataset, a file of an older release has another version, and only then
// can a difference be damage. Then it loads the parts of no section.
//
// # Trust
//
// Checksums find accidents. A file that someone made to deceive has right checksums. So sizes
// are bounded before memory is taken, and numbers that would index beyond a list give an error
// (see decoding). Nothing else about the values is checked again: the schema did so when they
// were written.
package file
