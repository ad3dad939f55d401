package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/pace"
	"github.com/postgeo/postgeo/internal/wording"
)

// A light request must not wait for heavy ones, and Go preempts a goroutine after 10 ms only.
// In a trial with 16 clients reading heavy responses on two processors, unbounded heavy work
// let a light request wait 48 ms (99th percentile). With one turn for heavy work, and light
// work without turns, it waited 5.4 ms. So each request is cheap or waits for a turn of the
// queue, by the cost of similar requests before (admission.Meter). Unknown work waits.

// Work up to these costs is cheap and runs at once.
const (
	cheapTime  = 500 * time.Microsecond
	cheapBytes = 64 << 10
)

// unknownBytes is reserved for a response of unknown size.
const unknownBytes = 1 << 20

// One in sampled cheap requests is measured: measuring locks the goroutine to its thread
// and makes two system calls.
const sampled = 16

// The memory for responses if Config.Memory is zero.
const (
	usualMemory = 256 << 20 // without a memory limit
	leastMemory = 32 << 20
)

// queues returns the queues of expensive work and of large bodies. Bodies wait only
// for the network, so that the queues do not block each other.
func (c Config) queues() (work, bodies *admission.Queue) {
	memory := c.Memory
	if memory == 0 {
		const unlimited = 1 << 62
		memory = usualMemory
		if limit := debug.SetMemoryLimit(-1); limit < unlimited {
			memory = max(limit/4, leastMemory)
		}
	}
	work = admission.NewQueue(admission.Options{Processors: runtime.GOMAXPROCS(0), Memory: memory, Waiting: c.MaxWaiting})
	// Processors without limit: this queue only counts memory.
	bodies = admission.NewQueue(admission.Options{Processors: 1 << 30, Memory: memory / 8, Waiting: c.MaxWaiting})
	return work, bodies
}

// meter returns the meter of a kind of work. A route shares it with its batch.
func (s *Server) meter(kind string) *admission.Meter {
	if s.meters == nil {
		s.meters = map[string]*admission.Meter{}
	}
	m := s.meters[kind]
	if m == nil {
		m = new(admission.Meter)
		s.meters[kind] = m
	}
	return m
}

// payer returns the name of a call in the queues: its account or, in open mode and with demo
// keys, its network. Keys of one account share its turns.
func (c *call) payer() string {
	if c.caller != nil && c.caller.Account != "" {
		return c.caller.Account
	}
	return billing.Site(clientAddr(c.r, c.s.trustedProxies())).String()
}

// admit waits until work of a cost may start. Cheap work does not wait, and only a
// sample of it is measured.
func (c *call) admit(cost admission.Cost, known bool) error {
	if known && cost.Time <= cheapTime && cost.Bytes <= cheapBytes {
		c.s.queue.Light()
		c.measured = c.s.cheap.Add(1)%sampled == 0
		return nil
	}
	c.measured = true
	if !known {
		cost.Bytes = max(cost.Bytes, unknownBytes)
	}
	var err error
	c.turn, err = enter(c.deadline(), c.s.queue, c.payer(), cost.Bytes)
	return err
}

// Bodies larger than smallBody reserve bodyParts times their size until the response is
// sent, and are parsed in turn: a refused body of 880 kB once cost 155 ms that no account
// paid for.
const (
	smallBody = 16 << 10
	bodyParts = 4
)

// admitBody waits for the memory of a body of a size.
func (c *call) admitBody(size int64) error {
	ctx := c.deadline()
	var err error
	c.bodyTurn, err = enter(ctx, c.s.bodies, c.payer(), size*bodyParts)
	return timedOut(ctx, err)
}

// parseInTurn parses a body. The time for a large one counts as work of the account.
func (c *call) parseInTurn(data []byte) (map[string]json.RawMessage, error) {
	if len(data) > smallBody {
		ctx := c.deadline()
		turn, err := enter(ctx, c.s.queue, c.payer(), 0)
		if err != nil {
			return nil, timedOut(ctx, err)
		}
		defer turn.Leave()
	}
	return parseBody(data)
}

func enter(ctx context.Context, q *admission.Queue, payer string, memory int64) (*admission.Turn, error) {
	t, err := q.Enter(ctx, payer, memory)
	if errors.Is(err, admission.ErrFull) {
		return nil, &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.Busy}
	}
	return t, err
}

// paced returns the context of the work, which lets others go first between its parts.
func (c *call) paced() context.Context {
	if c.turn == nil {
		return c.deadline()
	}
	return pace.With(c.deadline(), c.turn.Yield)
}

// measure starts to measure an item of a batch. It returns nil if the item is not
// measured.
func (c *call) measure(worked bool) func() time.Duration {
	switch {
	case !worked || !c.measured:
		return nil
	case c.turn == nil:
		return admission.BeginStint().End
	}
	before := c.turn.Used()
	return func() time.Duration { return c.turn.Used() - before }
}

// stint starts to measure cheap work if the call is measured. Turns measure
// expensive work.
func (c *call) stint() admission.Stint {
	if !c.measured || c.turn != nil {
		return admission.Stint{}
	}
	return admission.BeginStint()
}

func (c *call) took(s admission.Stint) {
	if c.measured && c.turn == nil {
		c.cost.Time += s.End()
	}
}

// remember records the cost of a completed call.
func (c *call) remember() {
	if c.meter == nil || !c.measured || c.cut || c.status != http.StatusOK {
		return
	}
	if c.turn != nil {
		c.cost.Time = c.turn.Used()
	}
	c.meter.Observe(c.size, c.cost)
}

// quickLedger is the time of calls of the ledger during which a turn is kept.
const quickLedger = 500 * time.Microsecond

// pauseForLedger lets others compute during a call of the ledger, unless that takes less
// time than to wait for the turn again.
func (c *call) pauseForLedger() {
	charged := c.caller != nil && charged(c.caller)
	if took, known := c.s.ledgerCost.Expect(0); charged && (!known || took.Time > quickLedger) {
		c.turn.Pause()
	}
}

// reserveInTurn reserves the credits of an admitted request while others compute.
// Cheap batches of accounts with the lowest priority enter the queue, too. They do so now
// because the reservation shows that an account goes last (decision D52).
func (c *call) reserveInTurn(quote billing.Cost, batch bool) error {
	ctx := c.deadline()
	c.pauseForLedger()
	if err := c.reserve(ctx, quote, batch); err != nil {
		return err
	}
	if c.goesLast {
		if c.turn == nil {
			var err error
			if c.turn, err = enter(ctx, c.s.queue, c.payer(), 0); err != nil {
				return err
			}
		}
		c.turn.Pause()
		c.turn.GoLast()
	}
	return c.turn.Resume(ctx)
}
