package tools

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/lookup"
)

// maxBatch is the most inputs of one call.
const maxBatch = 100

// A list is the answer to several inputs: one item for each, in their order.
type list struct {
	Results []entry           `json:"results"`
	Batch   envelope.Batch    `json:"batch"`
	Notices []envelope.Notice `json:"notices,omitempty"`
	size    int
}

// An entry is an item in the interface's JSON.
type entry []byte

// MarshalJSON returns the item.
func (i entry) MarshalJSON() ([]byte, error) { return i, nil }

// AppendJSON appends the item.
func (i entry) AppendJSON(dst []byte) ([]byte, error) { return append(dst, i...), nil }

// append adds an item, until all of them are too large together.
func (l *list) append(item any) error {
	out, err := envelope.Marshal(item)
	if err != nil {
		return err
	}
	l.Results = append(l.Results, out)
	l.size += len(out)
	return fits(l.size, MostResult)
}

// take adds the answer to an input, or the failed item that stands for it. The
// error is one that is about no input.
func (l *list) take(input envelope.Input, item any, err error) error {
	l.Batch.Requested++
	if err == nil {
		l.Batch.Succeeded++
		return l.append(item)
	}
	if _, ok := fault.OfInput(err); !ok {
		return err
	}
	if e := fault.As(err); e != nil {
		err = envelope.NewFault(e.ContractCode(), e.BatchMessage())
	}
	l.Batch.Failed++
	failed := links.Failed(input, err, lookup.NormalizedNotices(input)...)
	return l.append(&failed)
}

// blank is the failure of an input of several that says nothing (decision D8).
func blank(param, text string) error {
	if strings.TrimSpace(text) != "" {
		return nil
	}
	return envelope.NewFault(envelope.ValidationMissingParam, envelope.MissingParam(param, ""))
}

// each answers inputs in their order, failed ones by a failed item.
func each[T any](ctx context.Context, inputs []T, notices []envelope.Notice, input func(T) envelope.Input, answer func(T) (any, error)) (*list, error) {
	out := &list{Results: []entry{}, Notices: notices}
	for _, in := range inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		item, err := answer(in)
		if err := out.take(input(in), item, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}
