package server

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/server/internal/conn"
)

// A holdState is the state of the credits of a request:
//
//	noHold → held → settled → noHold     reserve, settle, giveBack
//	noHold → deferred → settled          brief work, charged by its settlement
//
// A call that may have succeeded (billing.ErrInDoubt) counts as held, so that giveBack
// refunds it; a refund of a hold that is not there changes nothing.
type holdState uint8

const (
	noHold   holdState = iota // nothing is reserved, or everything was returned
	deferred                  // to be charged by a settlement alone
	held                      // reserved, or possibly reserved or charged
	settled                   // spent
)

// refundTimeout limits a refund. Without a refund a hold ends with its time to
// live.
const refundTimeout = 5 * time.Second

func (c *call) reserve(ctx context.Context, quote billing.Cost, batch bool) error {
	if c.caller == nil || !charged(c.caller) {
		return nil
	}
	began, live := time.Now(), c.s.live.Load()
	c.charge.ID, c.charge.Account, c.charge.Credits, c.charge.Batch = c.id, c.caller.Account, quote.Used, batch
	c.charge.Brief = !batch && c.turn == nil
	// Longer than the work and the response may take: a sweep must not release the hold of a
	// request in progress.
	c.charge.TTL = max(billing.DefaultTTL, 2*live.RequestTimeout, 2*live.AddressBatchTimeout)
	receipt, err := c.s.cfg.Accounts.Reserve(ctx, c.charge)
	c.charge.Brief = receipt.Deferred // else the settlement looks for the reservation first
	if receipt.Deferred {
		c.hold = deferred
		return nil
	}
	var short *billing.InsufficientError
	c.s.ledgerCost.Observe(0, admission.Cost{Time: time.Since(began)})
	c.s.metrics.CountLedger("reserve", began, err != nil && !errors.As(err, &short) && !errors.Is(err, billing.ErrOnceUsed))
	switch {
	case receipt.Repeated:
		c.charged = &receipt
	case err == nil, errors.Is(err, billing.ErrInDoubt):
		c.hold = held
	}
	c.goesLast = batch && receipt.LastInTurn
	return err
}

// settle spends the cost of a request and sets the credits of the response.
func (c *call) settle(cost, quote billing.Cost, meta *envelope.Meta) error {
	if cost.Used > quote.Used { // a defect of the prices; the caller pays the quote
		c.warn("a result cost more than its quote", quote.Used, cost.Used)
	}
	source := envelope.SourceNone
	if c.caller != nil {
		source = freeSource(c.caller)
	}
	credits := &meta.Credits
	*credits = creditsOf(cost, source)
	receipt := c.charged
	if c.hold == held || c.hold == deferred {
		credits.Used = min(cost.Used, quote.Used)
		spent, err := c.spend(credits.Used)
		if err != nil {
			return err
		}
		receipt, c.hold = &spent, settled
	}
	if receipt == nil {
		return nil
	}
	if receipt.Repeated {
		c.hold, c.charged = noHold, receipt
		if receipt.Credits != credits.Used { // the dataset changed after the charge
			credits.Breakdown = envelope.Breakdown{Base: receipt.Credits}
		}
		credits.Used = receipt.Credits
		meta.Notices = append(meta.Notices, notice.Repeated())
	}
	receipt.Apply(credits)
	return nil
}

// spend settles the credits. If the reply is lost, it finds out what happened. After an
// error the credits must be returned unless certainly nothing was reserved.
func (c *call) spend(used int) (billing.Receipt, error) {
	ctx, began := c.deadline(), time.Now()
	ledger := c.s.cfg.Accounts
	receipt, err := ledger.Settle(ctx, c.charge, used)
	if errors.Is(err, billing.ErrInDoubt) {
		tries := math.MaxInt
		if c.hold == deferred {
			tries = deferredTries
		}
		c.hold = held
		c.turn.Pause()
		for ; tries > 0 && errors.Is(err, billing.ErrUnavailable) && sleep(ctx, settleEvery); tries-- {
			receipt, err = ledger.Settle(ctx, c.charge, used)
		}
		c.s.cfg.Logger.LogAttrs(context.Background(), slog.LevelWarn, "the reply to a settlement was lost",
			slog.String("request_id", c.id), slog.String("account", c.caller.Account), slog.Int("credits", used), slog.Bool("settled", err == nil))
	}
	var short *billing.InsufficientError
	c.s.metrics.CountLedger("settle", began, err != nil && !errors.As(err, &short) && !errors.Is(err, billing.ErrOnceUsed))
	return receipt, err
}

// settleEvery is the time between two calls that find out whether a settlement was made.
const settleEvery = 50 * time.Millisecond

// deferredTries is the number of those calls for a request that reserved nothing. It fails
// soon during an outage, as requests that cannot reserve do.
const deferredTries = 5

// sleep reports whether the context outlasts a duration.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// giveBack refunds a request without a complete response. If a byte of the response
// arrived, or the caller of a batch left, the ledger may keep the credits
// (decision D52).
func (c *call) giveBack() {
	if c.hold == noHold || c.hold == deferred {
		return
	}
	before := c.hold
	c.hold, c.credits = noHold, 0 // first: giveBack is called again on the ways out
	// The context of the request has ended if its caller left, which is why it is refunded.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.r.Context()), refundTimeout)
	defer cancel()
	began := time.Now()
	ledger := c.s.cfg.Accounts
	// A batch counts as cut from its first item, because its caller can leave when the work
	// is done; a single response only when the caller has some of it.
	call, back := "refund", ledger.Refund
	if c.cut && (c.batch && c.worked || before == settled && c.reached()) {
		call, back = "cut", ledger.Cut
	}
	receipt, err := back(ctx, c.charge)
	failed := err != nil && !errors.Is(err, billing.ErrHoldNotFound)
	c.s.metrics.CountLedger(call, began, failed)
	if receipt.Kept > 0 {
		c.credits = receipt.Kept
		c.s.metrics.Kept.Inc()
		c.s.cfg.Logger.LogAttrs(context.Background(), slog.LevelWarn, "response cut by its caller, its credits stay charged",
			slog.String("request_id", c.id), slog.String("account", c.caller.Account), slog.Int("credits", receipt.Kept))
		return
	}
	c.s.metrics.Returned.Inc()
	if failed {
		c.s.cfg.Logger.LogAttrs(context.Background(), slog.LevelError, "credits not returned; the ledger's next sweep returns them",
			slog.String("request_id", c.id), slog.String("account", c.caller.Account), slog.String("error", err.Error()))
		c.defect = true
	}
}

// cutOff resets the connection of an incomplete response, so that the caller does
// not mistake it for a complete one: a response without a length in HTTP/1.0 ends where the
// connection is closed.
func (c *call) cutOff(err error) {
	c.cut = true
	if c.status == 0 {
		c.status = statusClientGone
	}
	if err != nil && c.err == nil {
		c.err = err
	}
	c.giveBack()
	conn.Of(c.r.Context()).Reset()
}

// creditsOf returns meta.credits of a response with the cost, paid from the source.
func creditsOf(c billing.Cost, source envelope.CreditSource) envelope.Credits {
	out := envelope.Credits{
		Used:   c.Used,
		Source: source,
		Breakdown: envelope.Breakdown{
			Base:        c.Base,
			Calculation: c.Calculation,
			Note:        c.Note,
		},
	}
	if len(c.Enrichments) > 0 {
		out.Breakdown.Enrichments = make(envelope.Enrichments, len(c.Enrichments))
		for _, e := range c.Enrichments {
			out.Breakdown.Enrichments[e.Flag] = e.Credits
		}
	}
	return out
}
