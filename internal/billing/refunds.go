package billing

import "time"

// Refunds of cut responses are limited in 24 hours: to freeRefunds credits or one
// part in refundShare of the account's spending, if larger (decision D52).
const (
	freeRefunds = 100
	refundShare = 50
)

// RefundBound returns the maximum credits refunded in 24 hours for single requests
// with cut responses. It is the larger of 100 credits and 2 % of the spending.
// Batch refunds are unlimited, but batches of accounts above this bound are last
// in turn.
func RefundBound(spent int) int { return max(freeRefunds, spent/refundShare) }

// A RefundDay adds up the cut requests of an account on one day.
type RefundDay struct {
	Account string
	Day     time.Time // 00:00 UTC
	Cut     Tally     // single requests that were refunded
	Kept    Tally     // single requests that stay charged
	Batch   Tally     // batches, which are always refunded

	// LastInTurn reports whether the account's batches are last in turn now.
	LastInTurn bool
}

// A Tally is a number of requests and their credits.
type Tally struct{ Requests, Credits int }
