package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server/internal/conn"
)

// A holdState is where the credits of a request are.
type holdState uint8

const (
	noHold  holdState = iota // nothing was reserved, or everything given back
	held                     // reserved, or perhaps reserved
	settled                  // spent
)

// refundTimeout bounds a refund. A hold that is not refunded in this time ends
// with its time to live.
const refundTimeout = 5 * time.Second

// reserve holds the most that a request can cost.
func (c *call) reserve(ctx context.Context, quote billing.Cost, batch bool) error {
	if c.caller == nil || !c.caller.Charged() {
		return nil
	}
	began := time.Now()
	receipt, err := c.s.cfg.Accounts.Ledger.Reserve(ctx, billing.Hold{
		ID: c.id, Account: c.caller.Account, Credits: quote.Used, Batch: batch,
		TTL: max(billing.DefaultTTL, 2*c.s.cfg.RequestTimeout, 2*c.s.cfg.AddressBatchTimeout),
	})
	var short *billing.InsufficientError
	c.s.metrics.CountLedger("reserve", began, err != nil && !errors.As(err, &short))
	if err == nil || errors.Is(err, billing.ErrInDoubt) {
		c.hold = held
	}
	c.goesLast = batch && receipt.LastInTurn
	return err
}

// settle spends the cost of a request and returns it as the answer shows it.
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
	credits.Used = min(cost.Used, quote.Used)
	began := time.Now()
	receipt, err := c.s.cfg.Accounts.Ledger.Settle(ctx, c.id, credits.Used)
	c.s.metrics.CountLedger("settle", began, err != nil)
	if err != nil {
		return credits, err
	}
	c.hold = settled
	receipt.Apply(&credits)
	return credits, nil
}

// giveBack returns the credits of a request whose answer was not sent or was
// cut. If a byte of the answer arrived, or the caller of a batch left, the
// ledger may keep the credits (decision D52).
func (c *call) giveBack() {
	if c.hold == noHold {
		return
	}
	before := c.hold
	c.hold, c.credits = noHold, 0
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.r.Context()), refundTimeout)
	defer cancel()
	began := time.Now()
	ledger := c.s.cfg.Accounts.Ledger
	call, back := "refund", ledger.Refund
	if c.cut && (c.batch && c.worked || before == settled && c.reached()) {
		call, back = "cut", ledger.Cut
	}
	receipt, err := back(ctx, c.id)
	failed := err != nil && !errors.Is(err, billing.ErrHoldNotFound)
	c.s.metrics.CountLedger(call, began, failed)
	if receipt.Kept > 0 {
		c.credits = receipt.Kept
		c.s.metrics.Kept.Inc()
		c.s.cfg.Logger.LogAttrs(context.Background(), slog.LevelWarn, "answer cut by its caller, its credits stay charged",
			slog.String("request_id", c.id), slog.String("account", c.caller.Account), slog.Int("credits", receipt.Kept))
		return
	}
	c.s.metrics.Returned.Inc()
	if failed && c.err == nil {
		c.err, c.defect = fmt.Errorf("server: giving credits back: %w", err), true
	}
}

// cutOff ends an incomplete answer by a reset of the connection, so that the
// caller does not mistake it for a complete one.
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
