// Package book implements the arithmetic of an account's credits. It decides which
// grants pay a hold, and returns unused or refunded credits to them. It is pure: a
// store reads and writes the grants and holds.
//
// # Usage
//
// A store puts the grants of an account into a [Book], enters the grants of
// [Book.Due], and loads those that [Book.Missing] returns for a hold. It then calls
// [Book.Reserve], [Book.Settle], [Book.Refund] or [Book.Cut], and writes the
// [Changes]. Cut needs a [Past] with the written hours of spending and refunds.
//
// # Concurrency
//
// Books and changes are for one goroutine at a time. The store must keep others,
// in this process or another, from changing the grants and holds of a book.
//
// # Errors
//
// Methods return the errors that billing.Ledger promises. After an error the book
// is unchanged.
package book
