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
	long bool // Config.AddressBatchTimeout limits the work
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
	return &route{Route: b.task.describe(rt, reflect.TypeFor[Q]()), parse: b.newJob, long: b.long}
}

// A batchItem is the state of one item of a batch.
type batchItem[P any] struct {
	parsed P
	err    error
	worked bool // it is valid
	cost   billing.Cost
}

// A batchJob is a parsed request of a batch.
type batchJob[P, Q any, R entry] struct {
	*batch[P, Q, R]
	items []batchItem[P]
	echo  Q
	at    time.Time
	sum   billing.Cost // of the quotes
}

func (b *batch[P, Q, R]) newJob(c *call) (job, error) {
	in, err := c.decode(document.MaxBatchBytes)
	if err != nil {
		return nil, err
	}
	in.query = nil // batches have no parameters in the query
	elements, err := in.elements(b.list)
	if err != nil {
		return nil, err
	}
	j := &batchJob[P, Q, R]{batch: b}
	parse, echo, err := b.begin(in, len(elements))
	if err != nil {
		return nil, err
	}
	j.echo = echo
	if j.at, err = in.time(b.params, c.began); err != nil {
		return nil, err
	}
	j.items, err = b.parse(parse, elements)
	return j, err
}

func (j *batchJob[P, Q, R]) prepare(c *call) error {
	ctx, quotes := c.deadline(), make([]billing.Cost, len(j.items))
	for i := range j.items {
		it := &j.items[i]
		if it.worked && j.task.prepare != nil {
			it.err = j.task.prepare(ctx, c.db, &it.parsed)
			it.worked = it.err == nil
		}
		if it.worked {
			quotes[i] = j.task.quote(&it.parsed)
		}
	}
	j.sum = billing.Sum(quotes...)
	return nil
}

func (j *batchJob[P, Q, R]) quote() billing.Cost { return j.sum }

func (j *batchJob[P, Q, R]) work(c *call) (answer, billing.Cost, error) {
	spool := new(compress.Spool)
	head, err := encode.Append([]byte(`{"success":true,"request":`), &j.echo)
	if err != nil {
		return answer{}, billing.Cost{}, err
	}
	spool.Add(append(head, `,"results":[`...))
	c.worked = true
	counts, err := j.run(c, j.items, j.at, spool)
	if err != nil {
		return answer{}, billing.Cost{}, err
	}
	spool.Add([]byte{']'})
	costs := make([]billing.Cost, len(j.items))
	for i := range j.items {
		costs[i] = j.items[i].cost
	}
	meta := &envelope.Meta{Notices: j.notices(j.items), Batch: &counts}
	if j.summarize != nil {
		meta.Notices = append(meta.Notices, j.summarize(j.items)...)
	}
	return answer{status: http.StatusOK, body: &spooled{results: spool, meta: meta}, meta: meta, results: len(j.items)}, billing.Sum(costs...), nil
}

// allow checks the caller's limits for every valid item.
func (j *batchJob[P, Q, R]) allow(id *billing.Identity) error {
	for i := range j.items {
		if j.items[i].worked {
			if err := j.task.allows(id, &j.items[i].parsed); err != nil {
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

// expect returns the expected cost of the valid items, and whether it is known.
func (j *batchJob[P, Q, R]) expect() (sum admission.Cost, known bool) {
	known = true
	for i := range j.items {
		if !j.items[i].worked {
			continue
		}
		cost, ok := j.task.meter.Expect(j.task.sizeOf(&j.items[i].parsed))
		known = known && ok
		sum.Time += cost.Time
		sum.Bytes += cost.Bytes
	}
	if sum.Bytes > compress.MaxPlain {
		sum.Bytes = compress.MaxPlain + sum.Bytes/compress.PackedPart
	}
	return sum, known
}

// run runs the task for all valid items and adds the results to the spool. It lets
// others go first between items and between pieces of results. It fails if the caller
// left or the time limit was exceeded.
func (b *batch[P, Q, R]) run(c *call, items []batchItem[P], at time.Time, spool *compress.Spool) (envelope.Batch, error) {
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
			buf.B, err = encode.AppendPieces(buf.B[:0], result, flush)
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
			buf.B, err = encode.Append(buf.B[:0], &failed)
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
