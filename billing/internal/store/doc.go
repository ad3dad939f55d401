// Package store implements billing.Store for SQL databases. The packages
// billing/sqlite and billing/postgres open a database and supply an [Engine].
//
// # Usage
//
// [New] returns a store over an engine. The store runs the statements that all
// databases share and decides calls on credits with the book package. The
// engine runs transactions, locks accounts, and writes the books.
//
// # Data
//
// The tables accounts, keys, grants, usage and settings have the same columns in
// every database. Placeholders are $1, $2 and so on. Engines translate arguments
// of type time.Time, [Optional], [Expiry] and [Hour] to their columns, and a [Row] translates
// values back.
//
// # Concurrency
//
// A store is safe for concurrent use if its engine is.
//
// # Errors
//
// A store returns the errors that billing.Store promises. Engines mark failures
// of their database with billing.UnavailableError.
package store
