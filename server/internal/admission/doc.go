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
// Turns go to the account that has used the least processor time since it
// began to wait, so that a caller with many requests delays mostly itself.
// Within an account work that has begun goes first, then the oldest.
//
// Each piece of work also reserves the memory that its answer takes until it
// is sent. An account may reserve as much as is then left over for everybody
// else, so that there is always room for the first request of another account.
//
// A [Meter] estimates the cost of work by its kind and size.
package admission
