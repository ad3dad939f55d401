package billing

import "time"

// An account whose answers are cut off gets credits back for them up to
// freeRefunds credits, or up to one part in refundShare of its spending, in 24
// hours (decision D52).
const (
	freeRefunds = 100
	refundShare = 50
)

// RefundBound returns the most credits that an account gets back in 24 hours
// for single requests whose answers were cut off, given what it spent in them:
// the larger of 100 credits and 2 %. Batch refunds have no bound, but an
// account that passes this one has its batches worked last.
func RefundBound(spent int) int { return max(freeRefunds, spent/refundShare) }

// A RefundDay adds up the requests of an account that its callers cut off on
// one day.
type RefundDay struct {
	Account string
	Day     time.Time // 00:00 UTC
	Cut     Tally     // single requests that were refunded
	Kept    Tally     // single requests that stay charged
	Batch   Tally     // batches, which are always refunded

	// LastInTurn reports whether the account's batches are worked last now.
	LastInTurn bool
}

// A Tally is a number of requests and their credits.
type Tally struct{ Requests, Credits int }
