// Package admission shares processors and memory among callers by the cost of
// their work.
//
// A [Queue] has as many turns as there are processors. Work that is cheap runs
// at once and takes no turn; see [Queue.Light]. Work that is expensive waits
// for one, and holds it only while it computes: it pauses while it waits for
// the ledger or the network. While cheap work arrives, one processor is kept
// free for it; the last one is lent to expensive work after a moment without
// cheap work.
//
// The account with the least processor time has priority, so that a caller with many
// requests delays mostly itself. One that has computed little lately goes first for some
// milliseconds. Long work steps aside for such accounts between its parts, see
// [Turn.Yield]. Within an account, work that has begun precedes
// other work, then older work precedes newer.
//
// Each piece of work also reserves the memory of its response until it is sent. An account
// without reservations may take all free memory. With further ones, its reservations are at
// most as large as the memory that stays free for other accounts.
//
// A [Meter] estimates the cost of work by its kind and size.
package admission
