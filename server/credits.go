package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
)

// A holdState is where the credits of a request are.
type holdState uint8

const (
	noHold  holdState = iota // nothing was reserved, or everything given back
	held                     // reserved, or perhaps reserved
	settled                  // spent
)

// refundTimeout bounds the giving back of credits. A hold that could not be
// given back in it ends by its own time to live.
const refundTimeout = 5 * time.Second

// reserve holds the most that a request can cost.
func (c *call) reserve(ctx context.Context, quote billing.Cost, batch bool) error {
	if c.caller == nil || !c.caller.Charged() {
		return nil
	}
	began := time.Now()
	_, err := c.s.cfg.Accounts.Ledger.Reserve(ctx, billing.Hold{
		ID: c.id, Account: c.caller.Account, Credits: quote.Used, Batch: batch,
		TTL: max(billing.DefaultTTL, 2*c.s.cfg.RequestTimeout, 2*c.s.cfg.AddressBatchTimeout),
	})
	var short *billing.InsufficientError
	c.s.metrics.called("reserve", began, err != nil && !errors.As(err, &short))
	if err == nil || errors.Is(err, billing.ErrInDoubt) {
		c.hold = held
	}
	return err
}

// settle spends what a request did cost and returns what its answer tells of
// that. A caller who has left is not charged.
func (c *call) settle(ctx context.Context, cost, quote billing.Cost) (envelope.Credits, error) {
	if cost.Used > quote.Used {
		c.warn("a result cost more than its quote", quote.Used, cost.Used)
	}
	source := envelope.SourceNone
	if c.caller != nil {
		source = c.caller.FreeSource()
	}
	credits := cost.Credits(source)
	if c.hold != held {
		return credits, nil
	}
	if err := c.r.Context().Err(); err != nil {
		return credits, err
	}
	credits.Used = min(cost.Used, quote.Used)
	began := time.Now()
	receipt, err := c.s.cfg.Accounts.Ledger.Settle(ctx, c.id, credits.Used)
	c.s.metrics.called("settle", began, err != nil)
	if err != nil {
		return credits, err
	}
	c.hold = settled
	receipt.Apply(&credits)
	return credits, nil
}

// giveBack returns the credits of a request that is not answered after all.
func (c *call) giveBack() {
	if c.hold == noHold {
		return
	}
	c.hold, c.credits = noHold, 0
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.r.Context()), refundTimeout)
	defer cancel()
	began := time.Now()
	_, err := c.s.cfg.Accounts.Ledger.Refund(ctx, c.id)
	failed := err != nil && !errors.Is(err, billing.ErrHoldNotFound)
	c.s.metrics.called("refund", began, failed)
	c.s.metrics.returned.Inc()
	if failed && c.err == nil {
		c.err, c.defect = fmt.Errorf("server: giving credits back: %w", err), true
	}
}
