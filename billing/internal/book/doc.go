// Package book does the arithmetic of an account's credits: what a hold takes
// from which grant, and what settling or giving it back does to both. It is
// pure: where grants and holds come from and where they are kept is the
// business of a store of accounts.
//
// # Usage
//
// A store puts the grants of an account into a [Book], enters what [Book.Due]
// names, loads the grants that [Book.Missing] names for a hold, calls
// [Book.Reserve], [Book.Settle], [Book.Refund] or [Book.Cut], and writes what
// the [Changes] have collected. Cut needs a [Past] with the hours of spending
// and refunds that the store has written.
//
// # Concurrency
//
// Books and changes are for one goroutine at a time. A store has to see to it
// that nobody else, in this process or another, changes the grants and holds
// that a book has.
//
// # Errors
//
// Errors are those that billing.Ledger promises. After one the book is what it
// was before the call.
package book
