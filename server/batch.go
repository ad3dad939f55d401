package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server/internal/compress"
	"github.com/postgeo/postgeo/server/internal/document"
)

// A batch is a route that runs a task for every item P of a list. It echoes Q and
// delivers an R per item.
type batch[P, Q any, R entry] struct {
	about  *operation.Operation
	list   *param // the field with the items
	params []*param
	task   task[P, R]

	// begin parses the parameters of all n items. Its errors fail the request at no
	// cost.
	begin func(in *input, n int) (itemParser[P], Q, error)
	// same returns a text that is equal for duplicates.
	same func(p *P) string
	// timeout limits the work. Zero means Config.RequestTimeout.
	timeout time.Duration
	// reword returns the failure of an item in the words of the batch. It may be nil.
	reword func(err error) error
	// summarize returns notices about all completed items. It may be nil.
	summarize func(items []batchItem[P]) []envelope.Notice
}

// An itemParser parses one item. VALIDATION_INVALID_REQUEST fails the request,
// other errors fail the item (decision D8).
type itemParser[P any] func(el element) (P, error)

// An entry is a result with a copy of its input, such as one that embeds
// [envelope.Item].
type entry interface{ SetInput(in envelope.Input) }

// route hides the batch's types.
func (b batch[P, Q, R]) route() *route {
	rt := document.Route{
		Path: b.about.Batch, Summary: fmt.Sprintf("%s For up to %d %s.", b.about.Summary, b.list.MaxItems(), b.list.Name), Price: b.about.Price,
		Methods: batchMethods, Params: append([]*param{b.list}, b.params...), Batch: true, Items: b.list,
	}
	return &route{b.task.describe(rt, reflect.TypeFor[Q]()), b.serve}
}

// A batchItem is the state of one item of a batch.
type batchItem[P any] struct {
	parsed P
	err    error
	worked bool // it is valid
	cost   billing.Cost
}

func (b *batch[P, Q, R]) serve(c *call) answer {
	if err := c.pin(); err != nil {
		return c.fail(err)
	}
	defer c.unpin()
	in, err := c.decode(document.MaxBatchBytes)
	if err != nil {
		return c.fail(err)
	}
	in.query = nil // batches have no parameters in the query
	elements, err := in.elements(b.list)
	if err != nil {
		return c.fail(err)
	}
	parse, echo, err := b.begin(in, len(elements))
	if err != nil {
		return c.fail(err)
	}
	at, err := in.time(b.params, c.began)
	if err != nil {
		return c.fail(err)
	}
	items, err := b.parse(parse, elements)
	if err != nil {
		return c.fail(err)
	}
	if b.timeout > 0 {
		c.limit(b.timeout)
	}
	ctx := c.deadline()
	if err := c.admit(b.expect(items)); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	quote := b.prepare(ctx, c.db, items)
	if err := c.permit(func(id *billing.Identity) error { return b.allows(id, items) }); err != nil {
		return c.fail(err)
	}
	c.watched.stage(stageParse)
	if err := c.reserveInTurn(ctx, quote, true); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageReserve)
	spool := new(compress.Spool)
	head, err := envelope.AppendHead(nil, true, &echo)
	if err != nil {
		return c.fail(err)
	}
	spool.Add(append(head, `,"results":[`...))
	c.worked = true
	counts, err := b.work(c, items, at, spool)
	c.pauseForLedger()
	c.watched.stage(stageWork)
	if err != nil {
		return c.fail(timedOut(ctx, err))
	}
	costs := make([]billing.Cost, len(items))
	for i := range items {
		costs[i] = items[i].cost
	}
	cost := billing.Sum(costs...)
	meta := &envelope.Meta{Notices: b.notices(items), Batch: &counts}
	if b.summarize != nil {
		meta.Notices = append(meta.Notices, b.summarize(items)...)
	}
	if meta.Credits, err = c.settle(ctx, cost, quote); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageSettle)
	meta.Debug = c.debug(len(items))
	spool.Add([]byte{']'})
	return answer{status: http.StatusOK, body: &spooled{results: spool, meta: meta}, meta: meta}
}

// allows checks the caller's limits for every valid item.
func (b *batch[P, Q, R]) allows(id *billing.Identity, items []batchItem[P]) error {
	for i := range items {
		if items[i].worked {
			if err := b.task.allows(id, &items[i].parsed); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *batch[P, Q, R]) parse(parse itemParser[P], elements []element) ([]batchItem[P], error) {
	items := make([]batchItem[P], len(elements))
	for i := range items {
		it := &items[i]
		it.parsed, it.err = parse(elements[i])
		it.worked = it.err == nil
		if isInvalidRequest(it.err) {
			return nil, it.err
		}
	}
	return items, nil
}

func (b *batch[P, Q, R]) prepare(ctx context.Context, db DB, items []batchItem[P]) billing.Cost {
	quotes := make([]billing.Cost, len(items))
	for i := range items {
		it := &items[i]
		if it.worked && b.task.prepare != nil {
			it.err = b.task.prepare(ctx, db, &it.parsed)
			it.worked = it.err == nil
		}
		if it.worked {
			quotes[i] = b.task.quote(&it.parsed)
		}
	}
	return billing.Sum(quotes...)
}

// expect returns the expected cost of the valid items, and whether it is known.
func (b *batch[P, Q, R]) expect(items []batchItem[P]) (sum admission.Cost, known bool) {
	known = true
	for i := range items {
		if !items[i].worked {
			continue
		}
		cost, ok := b.task.meter.Expect(b.task.sizeOf(&items[i].parsed))
		known = known && ok
		sum.Time += cost.Time
		sum.Bytes += cost.Bytes
	}
	if sum.Bytes > compress.MaxPlain {
		sum.Bytes = compress.MaxPlain + sum.Bytes/compress.PackedPart
	}
	return sum, known
}

// work runs the task for all valid items and adds the results to the spool. It lets
// others go first between items and between pieces of results. It fails if the caller
// left or the time limit was exceeded.
func (b *batch[P, Q, R]) work(c *call, items []batchItem[P], at time.Time, spool *compress.Spool) (envelope.Batch, error) {
	counts := envelope.Batch{Requested: len(items)}
	ctx := c.paced()
	buf := compress.NewBuffer()
	defer buf.Free()
	size := 0 // of the current item
	flush := func(piece []byte) ([]byte, error) {
		size += len(piece)
		spool.Add(piece)
		return piece[:0], c.turn.Yield(ctx)
	}
	for i := range items {
		it := &items[i]
		if i > 0 {
			spool.Add([]byte{','})
		}
		size = 0
		used := c.measure(it.worked)
		var result R
		if it.worked {
			result, it.err = b.do(ctx, c.db, it, at)
		}
		if ended := ctx.Err(); it.err != nil && ended != nil && errors.Is(it.err, ended) {
			return counts, it.err
		}
		var err error
		if it.err == nil {
			counts.Succeeded++
			it.cost = b.task.price(&it.parsed, result)
			result.SetInput(b.task.input(&it.parsed))
			buf.B, err = envelope.Result[R]{Value: result}.AppendPieces(buf.B[:0], flush)
		} else {
			counts.Failed++
			if it.worked {
				it.cost = b.task.failed(&it.parsed, it.err)
			}
			cause := c.conceal(it.err)
			if b.reword != nil {
				cause = b.reword(cause)
			}
			failed := c.s.failed(b.task.input(&it.parsed), cause)
			buf.B, err = envelope.Result[R]{Failed: &failed}.AppendJSON(buf.B[:0])
		}
		if err == nil {
			buf.B, err = flush(buf.B)
		}
		if err != nil {
			return counts, err
		}
		if used != nil {
			b.task.meter.Observe(b.task.sizeOf(&it.parsed), admission.Cost{Time: used(), Bytes: int64(size)})
		}
	}
	return counts, nil
}

// do runs the task for one item. A panic fails only the item.
func (b *batch[P, Q, R]) do(ctx context.Context, db DB, it *batchItem[P], at time.Time) (result R, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("server: panic: %v\n%s", r, debug.Stack())
		}
	}()
	if err := ctx.Err(); err != nil {
		return result, err
	}
	return b.task.work(ctx, db, &it.parsed, at)
}

// notices returns a notice if valid items repeat earlier ones.
func (b *batch[P, Q, R]) notices(items []batchItem[P]) []envelope.Notice {
	seen := make(map[string]bool, len(items))
	repeated := 0
	for i := range items {
		if !items[i].worked {
			continue
		}
		key := b.same(&items[i].parsed)
		if seen[key] {
			repeated++
		}
		seen[key] = true
	}
	if repeated == 0 {
		return nil
	}
	return []envelope.Notice{notice.Duplicates(repeated)}
}

func (s *Server) failed(in envelope.Input, err error) envelope.Item {
	return s.links.Failed(in, err, lookup.NormalizedNotices(in)...)
}
