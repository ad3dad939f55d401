package server

import (
	"cmp"
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

// A request has one task, a batch up to 250. Both go through the same steps, each for all
// tasks before the next: parse, expect, prepare, allow, work. Credits are reserved for the
// sum of the quotes, and the order of the steps decides what costs nothing: an error of
// parse or allow comes before the reservation.
//
// A single request encodes its result when it is written. A batch encodes each result
// into the spool as soon as it is made, because all results together may be much larger
// than the compressed response. meta, which has the costs, follows at the end.

// A task is one input of an operation, the only one or one of a batch.
type task struct {
	in     any // pointer to the input
	size   int
	err    error
	worked bool         // it is valid
	cost   billing.Cost // the quote, and the price after the work

	missed  bool     // an address was parsed but not matched; see noticesAround
	lacking []string // requested flags that are unavailable, of an item of a batch
}

// A checked input parses its texts. Its errors cost nothing.
type checked interface {
	Check(ctx context.Context, db operation.DB) error
}

// A clocked input has a time, by default that of the request.
type clocked interface{ Start(at time.Time) }

// A repeated input has another request field than itself.
type repeated interface{ Request() any }

// A listed input can be one of several.
type listed interface {
	// Total returns the request field of the response to n of them.
	Total(n int) any
	// Same returns a text that is equal for duplicates.
	Same() string
}

// read parses the parameters of a request, without the list of a batch.
func (rt *route) read(from *input, in any) error {
	if rt.terms.read != nil {
		return rt.terms.read(in, from)
	}
	rest := rt.Params
	if rt.Batch || rt.text {
		rest = rest[1:]
	}
	if rt.text {
		if err := from.Fill(in, rt.Params[0]); err != nil {
			return err
		}
	}
	return from.Fill(in, rest...)
}

// check checks an input that has been read.
func (rt *route) check(c *call, in any, from *input) error {
	if rt.terms.check != nil {
		if err := rt.terms.check(in, from); err != nil {
			return err
		}
	}
	if ch, ok := in.(checked); ok {
		return ch.Check(c.r.Context(), c.db)
	}
	return nil
}

// A job is a parsed request: one task, or those of a batch.
type job struct {
	*route
	tasks  []task
	shared any          // input with the parameters that all tasks of a batch share
	sum    billing.Cost // of the quotes, once prepared

	// Of a single request, here to save allocations.
	one    [1]task
	resp   envelope.Response[any, any]
	result [1]envelope.Result[any]
}

// fill sets a task that has been checked. The size is that of its work; the quote in credits
// grows with the work of most operations, since includes are charged.
func (t *task) fill(rt *route, in any, err error) {
	t.in, t.err, t.worked = in, err, err == nil
	if !t.worked {
		return
	}
	if rt.terms.size != nil { // the quote may need prepare
		t.size = rt.terms.size(in)
		return
	}
	t.cost = rt.terms.quote(in)
	t.size = t.cost.Used
}

// parse parses the query and the body.
func (rt *route) parse(c *call) (*job, error) {
	j := &job{route: rt, shared: rt.about.Copy(rt.given)}
	limit := document.MaxBodyBytes
	if rt.Batch {
		limit = document.MaxBatchBytes
	}
	from, err := c.decode(limit)
	if err != nil {
		return nil, err
	}
	var elements []element
	if rt.Batch {
		if elements, err = from.elements(rt.Items); err != nil {
			return nil, err
		}
	}
	if err = rt.read(from, j.shared); err != nil {
		return nil, err
	}
	if !rt.Batch {
		if err := rt.check(c, j.shared, from); err != nil {
			return nil, err
		}
		j.one[0].fill(rt, j.shared, nil)
		j.tasks = j.one[:]
		return j, nil
	}
	j.tasks = make([]task, len(elements))
	for i, el := range elements {
		in := rt.about.Copy(j.shared)
		err := rt.parseItem(c, in, el)
		if operation.IsInvalidRequest(err) {
			return nil, err
		}
		j.tasks[i].fill(rt, in, err)
	}
	return j, nil
}

// parseItem parses an item of a batch into a copy of the shared input.
// VALIDATION_INVALID_REQUEST fails the request, other errors fail the item (decision D8).
func (rt *route) parseItem(c *call, in any, el element) error {
	if q, ok := in.(*operation.RadiusInput); ok {
		q.Index = &el.index
	}
	if p := rt.Items.Entry; p != nil {
		text, err := el.text(p)
		reflect.ValueOf(in).Elem().FieldByIndex(p.Index).SetString(text)
		checked := rt.check(c, in, nil) // finds unknown flags even if the text is bad
		return cmp.Or(err, checked)
	}
	from, err := el.fields()
	if err != nil {
		return err
	}
	if err = from.Fill(in, rt.Items.Fields...); err != nil { // a failed item repeats all
		return err
	}
	return rt.check(c, in, from)
}

// expect returns the expected cost of the valid items, and whether it is known.
func (j *job) expect() (sum admission.Cost, known bool) {
	known = true
	for i := range j.tasks {
		t := &j.tasks[i]
		if !t.worked {
			continue
		}
		cost, ok := j.meter.Expect(t.size)
		known = known && ok && !j.about.Heavy
		sum.Time += cost.Time
		sum.Bytes += cost.Bytes
	}
	if j.Batch && sum.Bytes > compress.MaxPlain { // the spool compresses the rest
		sum.Bytes = compress.MaxPlain + sum.Bytes/compress.PackedPart
	}
	return sum, known
}

// prepare computes values that limits and credits need, such as an automatic radius, and
// the sum of the quotes. It comes after the turn, because it may be work, and before the
// reservation. A batch goes on without the items that fail.
func (j *job) prepare(c *call) error {
	ctx := c.paced()
	var quotes []billing.Cost
	for i := range j.tasks {
		t := &j.tasks[i]
		if j.terms.prepare != nil && t.worked {
			t.err, t.cost = j.terms.prepare(ctx, c.db, t.in), billing.Cost{}
			if t.worked = t.err == nil; t.worked {
				t.cost = j.terms.quote(t.in)
			}
		}
		switch {
		case t.worked && j.Batch:
			quotes = append(quotes, t.cost)
		case t.worked:
			j.sum = t.cost
		case !j.Batch:
			return t.err
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
	for i := range j.tasks {
		if t := &j.tasks[i]; t.worked {
			if err := j.terms.allow(t.in, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// run runs a task and sets its cost: the price of its result, which settle bounds by the
// quote.
func (j *job) run(ctx context.Context, c *call, t *task) (result any, err error) {
	if in, ok := t.in.(clocked); ok {
		in.Start(c.began) // one time for all items of a batch
	}
	if j.terms.work != nil {
		result, err = j.terms.work(ctx, c, t.in)
	} else {
		result, err = j.about.RunBare(ctx, c.db, t.in)
	}
	if j.terms.finish != nil {
		result, err = j.terms.finish(t, j.Batch, result, err)
	}
	switch {
	case err == nil && j.terms.price != nil:
		t.cost = j.terms.price(t.in, result)
	case err == nil:
		t.cost = j.terms.quote(t.in)
	case j.terms.failed != nil:
		t.cost = j.terms.failed(t.in, err)
	default:
		t.cost = billing.ForError(err)
	}
	return result, err
}

// echo returns the input field of a failed item. It is empty for operations whose request
// repeats all.
func (t *task) echo() (echo envelope.Input) {
	if in, ok := t.in.(interface{ Echo() envelope.Input }); ok {
		return in.Echo()
	}
	return echo
}

// work runs the task of a single request, or those of a batch.
func (j *job) work(c *call) (answer, billing.Cost, error) {
	if j.Batch {
		return j.workAll(c)
	}
	t := &j.tasks[0]
	c.meter, c.size = j.meter, t.size
	stint := c.stint()
	result, err := j.run(c.paced(), c, t)
	c.took(stint)
	resp := &j.resp
	resp.Success, resp.Request, resp.Results = true, t.in, j.result[:]
	if q, ok := t.in.(repeated); ok {
		resp.Request = q.Request()
	}
	switch {
	case err == nil:
		resp.Results[0].Value = result
	case statusOf(err) == http.StatusOK:
		resp.Success = !j.unsuccessful
		failed := c.s.failed(t.echo(), err)
		resp.Results[0].Failed = &failed
	default:
		return answer{}, billing.Cost{}, err
	}
	if j.terms.notices != nil {
		resp.Meta.Notices = j.terms.notices(t)
	}
	return answer{status: http.StatusOK, body: resp, meta: &resp.Meta, results: 1}, t.cost, nil
}

func (j *job) workAll(c *call) (answer, billing.Cost, error) {
	head, err := encode.Append([]byte(`{"success":true,"request":`), j.shared.(listed).Total(len(j.tasks)))
	if err != nil {
		return answer{}, billing.Cost{}, err
	}
	c.spool = compress.Spool{Encoding: compress.Gzip, Limit: compress.MaxPlain}
	c.spool.Add(append(head, `,"results":[`...))
	c.worked = true
	counts, err := j.runAll(c)
	if err != nil {
		return answer{}, billing.Cost{}, err
	}
	costs := make([]billing.Cost, len(j.tasks))
	for i := range j.tasks {
		costs[i] = j.tasks[i].cost
	}
	meta := &envelope.Meta{Notices: j.notices(), Batch: &counts}
	return answer{status: http.StatusOK, body: ending{meta}, meta: meta, results: len(j.tasks)}, billing.Sum(costs...), nil
}

// runAll runs all valid tasks and adds the results to the spool. It lets others go first
// between items and between pieces of results. It fails if the caller left or the time
// limit was exceeded.
func (j *job) runAll(c *call) (envelope.Batch, error) {
	counts := envelope.Batch{Requested: len(j.tasks)}
	ctx := c.paced()
	buf := compress.NewBuffer()
	defer buf.Free()
	size := 0 // of the current item
	flush := func(piece []byte) ([]byte, error) {
		size += len(piece)
		c.spool.Add(piece)
		return piece[:0], c.turn.Yield(ctx)
	}
	for i := range j.tasks {
		t := &j.tasks[i]
		if i > 0 {
			c.spool.Add([]byte{','})
		}
		size = 0
		used := c.measure(t.worked)
		var result any
		if t.worked {
			result, t.err = j.try(ctx, c, t)
		}
		// The end of the context fails the batch; as the error of an item it would be
		// delivered and charged.
		if ended := ctx.Err(); t.err != nil && ended != nil && errors.Is(t.err, ended) {
			return counts, t.err
		}
		var err error
		if t.err == nil {
			counts.Succeeded++
			result.(entry).SetInput(t.echo())
			buf.B, err = encode.AppendPieces(buf.B[:0], result, flush)
		} else {
			counts.Failed++
			cause := c.conceal(t.err)
			if j.about == operation.Quick {
				cause = operation.InBatch(cause)
			}
			failed := c.s.failed(t.echo(), cause)
			buf.B, err = encode.Append(buf.B[:0], &failed)
		}
		if err == nil {
			buf.B, err = flush(buf.B)
		}
		if err != nil {
			return counts, err
		}
		if used != nil {
			j.meter.Observe(t.size, admission.Cost{Time: used(), Bytes: int64(size)})
		}
	}
	return counts, nil
}

// An entry is a result with a copy of its input, such as one that embeds
// [envelope.Item].
type entry interface{ SetInput(in envelope.Input) }

// try is run for an item: a panic fails only the item.
func (j *job) try(ctx context.Context, c *call, t *task) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err, t.cost = fmt.Errorf("server: panic: %v\n%s", r, debug.Stack()), billing.Cost{}
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return j.run(ctx, c, t)
}

// notices returns the notices of a batch: about valid items that repeat earlier ones, and
// about flags and matches that are missing.
func (j *job) notices() (list []envelope.Notice) {
	seen := make(map[string]bool, len(j.tasks))
	repeats := 0
	for i := range j.tasks {
		if !j.tasks[i].worked {
			continue
		}
		key := j.tasks[i].in.(listed).Same()
		if seen[key] {
			repeats++
		}
		seen[key] = true
	}
	if repeats > 0 {
		list = append(list, notice.Duplicates(repeats))
	}
	return append(list, enrichedNotices(j.tasks)...)
}

func (s *Server) failed(in envelope.Input, err error) envelope.Item {
	return s.links.Failed(in, err, lookup.NormalizedNotices(in)...)
}
