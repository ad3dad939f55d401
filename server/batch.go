package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
)

// A batch is a route that does a task for every item of a list. It takes items
// P, echoes Q and delivers an R for each.
type batch[P, Q any, R entry] struct {
	path    string
	summary string
	list    *param // the field with the items
	params  []*param
	task    task[P, R]

	// begin reads what holds for all n items. Its errors are whole-request
	// failures that cost nothing.
	begin func(in *input, n int) (itemParser[P], Q, error)
	// same returns what tells items apart: duplicates have the same text.
	same func(p *P) string
}

// An itemParser reads one item. An error VALIDATION_INVALID_REQUEST fails the
// whole request, any other one the item (decision D8).
type itemParser[P any] func(el element) (P, error)

// An entry is a result that can repeat the item it answers; results that embed
// [envelope.Item] can.
type entry interface{ SetInput(in envelope.Input) }

// route hides the batch's types.
func (b batch[P, Q, R]) route() *route {
	about := b.task.about(reflect.TypeFor[Q]())
	about.items = b.list
	return &route{
		path: b.path, summary: b.summary, methods: batchMethods,
		params: append([]*param{b.list}, b.params...), batch: true, serve: b.serve, about: about,
	}
}

// A batchItem is one item on its way through a batch.
type batchItem[P, R any] struct {
	parsed P
	result R
	err    error
	worked bool // it is well-formed and is worked
}

func (b *batch[P, Q, R]) serve(c *call) answer {
	in, err := c.decode(maxBatchBytes)
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
	items, err := b.parse(parse, elements)
	if err != nil {
		return c.fail(err)
	}
	weight := len(items) * max(b.task.weight, 1)
	if err := c.enter(weight); err != nil {
		return c.fail(err)
	}
	defer c.leave(weight)
	ctx := newDeadline(c.r.Context(), c.s.cfg.RequestTimeout)
	defer ctx.stop()
	quote := b.prepare(ctx, items)
	if err := c.permit(func(id *billing.Identity) error { return b.allows(id, items) }); err != nil {
		return c.fail(err)
	}
	c.watched.stage(stageParse)
	if err := c.reserve(ctx, quote, true); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageReserve)
	b.work(ctx, items)
	c.watched.stage(stageWork)

	resp := &envelope.Response[Q, R]{Success: true, Request: echo}
	cost, err := b.collect(ctx, c, items, resp)
	if err != nil {
		return c.fail(err)
	}
	resp.Meta.Notices = b.notices(items)
	if resp.Meta.Credits, err = c.settle(ctx, cost, quote); err != nil {
		return c.fail(timedOut(ctx, err))
	}
	c.watched.stage(stageSettle)
	resp.Meta.Debug = c.debug(len(items))
	return answer{status: http.StatusOK, body: resp, meta: &resp.Meta}
}

// allows checks what a caller is limited to, of every well-formed item.
func (b *batch[P, Q, R]) allows(id *billing.Identity, items []batchItem[P, R]) error {
	for i := range items {
		if items[i].worked {
			if err := b.task.allows(id, &items[i].parsed); err != nil {
				return err
			}
		}
	}
	return nil
}

// parse reads the items.
func (b *batch[P, Q, R]) parse(parse itemParser[P], elements []element) ([]batchItem[P, R], error) {
	items := make([]batchItem[P, R], len(elements))
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

// prepare makes the well-formed items ready and says what they can cost
// together.
func (b *batch[P, Q, R]) prepare(ctx context.Context, items []batchItem[P, R]) billing.Cost {
	quotes := make([]billing.Cost, len(items))
	for i := range items {
		it := &items[i]
		if it.worked && b.task.prepare != nil {
			it.err = b.task.prepare(ctx, &it.parsed)
			it.worked = it.err == nil
		}
		if it.worked {
			quotes[i] = b.task.quote(&it.parsed)
		}
	}
	return billing.Sum(quotes...)
}

// work does the task for all well-formed items, several at a time. Items that
// the context leaves no time for get its error.
func (b *batch[P, Q, R]) work(ctx context.Context, items []batchItem[P, R]) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(items), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				if it := &items[i]; it.worked {
					it.result, it.err = b.one(ctx, &it.parsed)
				}
			}
		})
	}
	wg.Wait()
}

// one does the task for one item. A panic is the item's alone.
func (b *batch[P, Q, R]) one(ctx context.Context, p *P) (result R, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("server: panic: %v\n%s", r, debug.Stack())
		}
	}()
	if err := ctx.Err(); err != nil {
		return result, err
	}
	return b.task.work(ctx, p)
}

// collect makes the results of the items and adds up what they cost. It fails
// when the caller left or the time was over before all items were worked.
func (b *batch[P, Q, R]) collect(ctx context.Context, c *call, items []batchItem[P, R], resp *envelope.Response[Q, R]) (billing.Cost, error) {
	costs := make([]billing.Cost, len(items))
	counts := &envelope.Batch{Requested: len(items)}
	resp.Results = make([]envelope.Result[R], len(items))
	for i := range items {
		it := &items[i]
		input := b.task.input(&it.parsed)
		if it.err == nil {
			it.result.SetInput(input)
			resp.Results[i].Value = it.result
			costs[i] = b.task.price(&it.parsed, it.result)
			counts.Succeeded++
			continue
		}
		if ended := ctx.Err(); ended != nil && errors.Is(it.err, ended) {
			return billing.Cost{}, timedOut(ctx, it.err)
		}
		if it.worked {
			costs[i] = b.task.failed(&it.parsed, it.err)
		}
		failed := c.s.links.Failed(input, batchWording(c.conceal(it.err)))
		resp.Results[i].Failed = &failed
		counts.Failed++
	}
	resp.Meta.Batch = counts
	return billing.Sum(costs...), nil
}

// notices tells of well-formed items that repeat earlier ones.
func (b *batch[P, Q, R]) notices(items []batchItem[P, R]) []envelope.Notice {
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
	return []envelope.Notice{envelope.Duplicates(repeated)}
}

// A reworded failure has another sentence than its code's usual one.
type reworded struct {
	envelope.Failure
	message string
}

// ContractMessage implements [envelope.Failure].
func (r reworded) ContractMessage() string { return r.message }

// batchWording gives a failure the sentence that batch routes have for it.
func batchWording(err error) error {
	var f interface {
		envelope.Failure
		BatchMessage() string
	}
	if errors.As(err, &f) {
		return reworded{f, f.BatchMessage()}
	}
	return err
}
