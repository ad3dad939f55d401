package cli

import (
	"context"
	"errors"
	"iter"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
)

// An inquiry is a command that answers each of its inputs by an item.
type inquiry struct {
	opts  output.Options
	fails *failures
	input func(text string) envelope.Input // how a failed item names its input
	one   func(ctx context.Context, text string) (item any, notices []envelope.Notice, err error)
}

// answer writes an item for each of the inputs, also for those that fail,
// which people read on standard error only.
func (q *inquiry) answer(ctx context.Context, w *output.Writer, texts iter.Seq2[string, error]) error {
	for text, err := range texts {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return errors.Join(err, w.Close())
		}
		item, notices, err := q.one(ctx, text)
		if people(q.opts.Format) && q.fails.several {
			q.fails.env.note(text, notices)
		}
		if err != nil {
			failed, ok := q.fails.item(q.input(text), err)
			if !ok {
				return errors.Join(err, w.Close())
			}
			item = failed
			if people(q.opts.Format) {
				continue
			}
		}
		if err := w.Write(item); err != nil {
			return err
		}
	}
	return w.Close()
}
