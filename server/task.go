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
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server/internal/compress"
	"github.com/postgeo/postgeo/server/internal/document"
)

// A task is one input of an operation, with its limits and its price.
type task interface {
	// copy returns a task that can be changed without this one.
	copy() task
	// input returns the input of package operation that parameters fill.
	input() any
	// check parses the text of the input and its options. Its errors cost nothing.
	check(in *input) error
	// allow checks the limits of demo, test and free callers.
	allow(id *billing.Identity) error
	// quote returns the maximum cost.
	quote() billing.Cost
	// work runs the operation; at is the time of the request. A failure with a code
	// of items becomes a failed item. Other errors fail the request.
	work(ctx context.Context, db DB, at time.Time) (any, error)
	// price returns the cost of the result or of the error.
	price(result any, err error) billing.Cost
	// Echo returns the input field of a failed item.
	Echo() envelope.Input
	// request returns the request field of the response, a pointer.
	request() any
}

// Optional methods of tasks.
type (
	// A listed task can be one of several.
	listed interface {
		// total returns the request field of the response to n of them, a pointer.
		total(n int) any
		// same returns a text that is equal for duplicates.
		same() string
	}
	// A sized task has a size that grows with its work. Others have the quote in credits.
	sized interface{ size() int }
	// A prepared task computes values for limits and credits in its turn. It returns the
	// errors of work.
	prepared interface {
		prepare(ctx context.Context, db DB) error
	}
	// A noticed task has notices about the request as a whole.
	noticed interface{ notices() []envelope.Notice }
	// An optional task derives options from the parameters that a list shares.
	optional interface{ options(in *input) }
	// A reader parses its parameters in its own order.
	reader interface{ read(in *input) error }
)

// read parses the parameters of a request, without the list of a batch.
func (rt *route) read(in *input, t task) error {
	if r, ok := t.(reader); ok {
		return r.read(in)
	}
	rest := rt.Params
	if rt.Batch || rt.text {
		rest = rest[1:]
	}
	if rt.text {
		if err := in.Fill(t.input(), rt.Params[0]); err != nil {
			return err
		}
	}
	if err := in.Fill(t.input(), rest...); err != nil {
		return err
	}
	if o, ok := t.(optional); ok {
		o.options(in)
	}
	return nil
}

// A job is a parsed request: one item, or those of a batch.
type job struct {
	*route
	items  []jobItem
	shared task         // of a batch
	sum    billing.Cost // of the quotes, once prepared

	// Of a single request, here to save allocations.
	one    [1]jobItem
	resp   envelope.Response[any, any]
	result [1]envelope.Result[any]
}

type jobItem struct {
	task
	size   int
	err    error
	worked bool // it is valid
	cost   billing.Cost
}

func (rt *route) newItem(t task, err error) jobItem {
	it := jobItem{task: t, err: err, worked: err == nil}
	if s, ok := t.(sized); ok && it.worked {
		it.size = s.size()
	} else if it.worked {
		it.size = t.quote().Used
	}
	return it
}

// parse parses the query and the body.
func (rt *route) parse(c *call) (*job, error) {
	j := &job{route: rt, shared: rt.given.copy()}
	limit := document.MaxBodyBytes
	if rt.Batch {
		limit = document.MaxBatchBytes
	}
	in, err := c.decode(limit)
	if err != nil {
		return nil, err
	}
	var elements []element
	if rt.Batch {
		if elements, err = in.elements(rt.Items); err != nil {
			return nil, err
		}
	}
	if err = rt.read(in, j.shared); err == nil && !rt.Batch {
		err = j.shared.check(in)
	}
	if err != nil {
		return nil, err
	}
	if !rt.Batch {
		j.one[0] = rt.newItem(j.shared, nil)
		j.items = j.one[:]
		return j, nil
	}
	j.items = make([]jobItem, len(elements))
	for i, el := range elements {
		t := j.shared.copy()
		err := rt.parseItem(t, el)
		if operation.IsInvalidRequest(err) {
			return nil, err
		}
		j.items[i] = rt.newItem(t, err)
	}
	return j, nil
}

// parseItem parses an item of a batch into a copy of what all share.
// VALIDATION_INVALID_REQUEST fails the request, other errors fail the item (decision D8).
func (rt *route) parseItem(t task, el element) error {
	if s, ok := t.(*search); ok {
		s.index = &el.index
	}
	if p := rt.Items.Entry; p != nil {
		text, err := el.text(p)
		reflect.ValueOf(t.input()).Elem().FieldByIndex(p.Index).SetString(text)
		if err != nil {
			return err
		}
		return t.check(nil)
	}
	in, err := el.fields()
	if err != nil {
		return err
	}
	if err = in.Fill(t.input(), rt.Items.Fields...); err != nil { // a failed item repeats all
		return err
	}
	return t.check(in)
}

// expect returns the expected cost of the valid items, and whether it is known.
func (j *job) expect() (sum admission.Cost, known bool) {
	known = true
	for i := range j.items {
		it := &j.items[i]
		if !it.worked {
			continue
		}
		cost, ok := j.meter.Expect(it.size)
		known = known && ok && !j.heavy
		sum.Time += cost.Time
		sum.Bytes += cost.Bytes
	}
	if j.Batch && sum.Bytes > compress.MaxPlain {
		sum.Bytes = compress.MaxPlain + sum.Bytes/compress.PackedPart
	}
	return sum, known
}

// prepare computes values that limits and credits need, and the sum of the quotes.
func (j *job) prepare(c *call) error {
	ctx := c.paced()
	var quotes []billing.Cost
	for i := range j.items {
		it := &j.items[i]
		if p, ok := it.task.(prepared); ok && it.worked {
			it.err = p.prepare(ctx, c.db)
			it.worked = it.err == nil
		}
		switch {
		case it.worked && j.Batch:
			quotes = append(quotes, it.quote())
		case it.worked:
			j.sum = it.quote()
		case !j.Batch:
			return it.err
		}
	}
	if j.Batch {
		j.sum = billing.Sum(quotes...)
	}
	return nil
}

// allow checks the caller's limits for every valid item. Open mode has none.
func (j *job) allow(id *billing.Identity) error {
	if id == nil {
		return nil
	}
	for i := range j.items {
		if it := &j.items[i]; it.worked {
			if err := it.allow(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// work runs the task of a single request, or those of a batch.
func (j *job) work(c *call) (answer, billing.Cost, error) {
	if j.Batch {
		return j.workAll(c)
	}
	it := &j.items[0]
	c.meter, c.size = j.meter, it.size
	stint := c.stint()
	result, err := it.work(c.paced(), c.db, c.began)
	c.took(stint)
	resp := &j.resp
	resp.Success, resp.Request, resp.Results = true, it.request(), j.result[:]
	switch {
	case err == nil:
		resp.Results[0].Value = result
	case statusOf(err) == http.StatusOK:
		resp.Success = !j.unsuccessful
		failed := c.s.failed(it.Echo(), err)
		resp.Results[0].Failed = &failed
	default:
		return answer{}, billing.Cost{}, err
	}
	if n, ok := it.task.(noticed); ok {
		resp.Meta.Notices = n.notices()
	}
	return answer{status: http.StatusOK, body: resp, meta: &resp.Meta, results: 1}, it.price(result, err), nil
}

func (j *job) workAll(c *call) (answer, billing.Cost, error) {
	head, err := encode.Append([]byte(`{"success":true,"request":`), j.shared.(listed).total(len(j.items)))
	if err != nil {
		return answer{}, billing.Cost{}, err
	}
	c.spool.Add(append(head, `,"results":[`...))
	c.worked = true
	counts, err := j.run(c)
	if err != nil {
		return answer{}, billing.Cost{}, err
	}
	costs := make([]billing.Cost, len(j.items))
	for i := range j.items {
		costs[i] = j.items[i].cost
	}
	meta := &envelope.Meta{Notices: j.notices(), Batch: &counts}
	return answer{status: http.StatusOK, body: ending{meta}, meta: meta, results: len(j.items)}, billing.Sum(costs...), nil
}

// run runs the task for all valid items and adds the results to the spool. It lets
// others go first between items and between pieces of results. It fails if the caller
// left or the time limit was exceeded.
func (j *job) run(c *call) (envelope.Batch, error) {
	counts := envelope.Batch{Requested: len(j.items)}
	ctx := c.paced()
	buf := compress.NewBuffer()
	defer buf.Free()
	size := 0 // of the current item
	flush := func(piece []byte) ([]byte, error) {
		size += len(piece)
		c.spool.Add(piece)
		return piece[:0], c.turn.Yield(ctx)
	}
	for i := range j.items {
		it := &j.items[i]
		if i > 0 {
			c.spool.Add([]byte{','})
		}
		size = 0
		used := c.measure(it.worked)
		var result any
		if it.worked {
			result, it.err = it.do(ctx, c.db, c.began)
		}
		if ended := ctx.Err(); it.err != nil && ended != nil && errors.Is(it.err, ended) {
			return counts, it.err
		}
		if it.worked {
			it.cost = it.price(result, it.err)
		}
		var err error
		if it.err == nil {
			counts.Succeeded++
			result.(entry).SetInput(it.Echo())
			buf.B, err = encode.AppendPieces(buf.B[:0], result, flush)
		} else {
			counts.Failed++
			cause := c.conceal(it.err)
			if _, quick := it.task.(*quickTask); quick {
				cause = operation.InBatch(cause)
			}
			failed := c.s.failed(it.Echo(), cause)
			buf.B, err = encode.Append(buf.B[:0], &failed)
		}
		if err == nil {
			buf.B, err = flush(buf.B)
		}
		if err != nil {
			return counts, err
		}
		if used != nil {
			j.meter.Observe(it.size, admission.Cost{Time: used(), Bytes: int64(size)})
		}
	}
	return counts, nil
}

// An entry is a result with a copy of its input, such as one that embeds
// [envelope.Item].
type entry interface{ SetInput(in envelope.Input) }

// do runs the task. A panic fails only the item.
func (it *jobItem) do(ctx context.Context, db DB, at time.Time) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("server: panic: %v\n%s", r, debug.Stack())
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return it.work(ctx, db, at)
}

// notices returns the notices of a batch: valid items that repeat earlier ones, and what
// addresses lack.
func (j *job) notices() (list []envelope.Notice) {
	seen := make(map[string]bool, len(j.items))
	repeated := 0
	for i := range j.items {
		if !j.items[i].worked {
			continue
		}
		key := j.items[i].task.(listed).same()
		if seen[key] {
			repeated++
		}
		seen[key] = true
	}
	if repeated > 0 {
		list = append(list, notice.Duplicates(repeated))
	}
	return append(list, enrichedNotices(j.items)...)
}

func (s *Server) failed(in envelope.Input, err error) envelope.Item {
	return s.links.Failed(in, err, lookup.NormalizedNotices(in)...)
}
