package tools

import (
	"context"
	"errors"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A list holds the results of several inputs in order.
type list struct {
	Results []entry           `json:"results"`
	Batch   envelope.Batch    `json:"batch"`
	Notices []envelope.Notice `json:"notices,omitempty"`
	size    int
}

// An entry is an item as JSON.
type entry []byte

func (i entry) MarshalJSON() ([]byte, error) { return i, nil }

func (i entry) AppendJSON(dst []byte) ([]byte, error) { return append(dst, i...), nil }

// append adds an item. It fails if the list becomes too large.
func (l *list) append(item any) error {
	out, err := envelope.Marshal(item)
	if err != nil {
		return err
	}
	l.Results = append(l.Results, out)
	l.size += len(out)
	return fits(l.size, MostResult)
}

// take adds the result of an input, or its failed item. It returns errors that are
// not about the input.
func (l *list) take(input envelope.Input, item any, err error) error {
	l.Batch.Requested++
	if err == nil {
		l.Batch.Succeeded++
		return l.append(item)
	}
	if _, ok := envelope.OfInput(err); !ok {
		return err
	}
	l.Batch.Failed++
	failed := links.Failed(input, envelope.InBatch(err), lookup.NormalizedNotices(input)...)
	return l.append(&failed)
}

// blank returns the failure of an empty input of several (decision D8).
func blank(param, text string) error {
	if strings.TrimSpace(text) != "" {
		return nil
	}
	return envelope.NewFault(envelope.ValidationMissingParam, wording.MissingParam(param, ""))
}

// each returns a result for every input in order. Failures become failed items.
func each[T any, R interface{ SetInput(envelope.Input) }](ctx context.Context, inputs []T, notices []envelope.Notice, input func(T) envelope.Input, one func(T) (R, error)) (*list, error) {
	out := &list{Results: []entry{}, Notices: notices}
	for _, in := range inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		item, err := one(in)
		if err == nil {
			item.SetInput(input(in))
		}
		if err := out.take(input(in), item, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// codeList is the input of operations on several codes.
type codeList struct {
	Codes []string `required:"" is:"code" help:"Codes or coordinates, in any mixture of forms."`
}

func eachCode[R interface{ SetInput(envelope.Input) }](ctx context.Context, in codeList, unknown []string, one func(code string) (R, error)) (*list, error) {
	input := func(code string) envelope.Input { return envelope.Input{Code: code} }
	return each(ctx, in.Codes, operation.Ignored(unknown), input, func(code string) (r R, err error) {
		if err := blank("code", code); err != nil {
			return r, err
		}
		return one(code)
	})
}

// lookups is the input of lookup_batch.
type lookups struct {
	codeList
	Full bool `help:"Full records; default is quick ones, which are short."`
	operation.LookupParams
}

func (in *lookups) run(ctx context.Context, db *postgeo.DB) (*list, error) {
	full, unknown := in.Options(db.LastACSYear(ctx, acs.ZCTA))
	if in.Full {
		return eachCode(ctx, in.codeList, unknown, func(code string) (*lookup.Record, error) { return db.Lookup(ctx, code, full) })
	}
	quick, _ := in.QuickOptions()
	return eachCode(ctx, in.codeList, unknown, func(code string) (*lookup.QuickRecord, error) { return db.QuickLookup(ctx, code, quick) })
}

// searches is the input of radius_batch.
type searches struct {
	codeList
	operation.RadiusParams
}

func (in *searches) run(ctx context.Context, db *postgeo.DB) (*list, error) {
	o, unknown := in.Options(db.LastACSYear(ctx, acs.ZCTA))
	return eachCode(ctx, in.codeList, unknown, func(code string) (*radius.Result, error) { return db.Radius(ctx, code, o) })
}

// distances is the input of distance_batch.
type distances struct {
	Pairs []operation.Ends `required:"" help:"Pairs of places."`
	operation.Clock
}

func (in *distances) run(ctx context.Context, db *postgeo.DB) (*list, error) {
	return each(ctx, in.Pairs, nil, operation.Ends.Echo, func(pair operation.Ends) (*radius.DistanceResult, error) {
		if err := errors.Join(blank("from", pair.From), blank("to", pair.To)); err != nil {
			return nil, err
		}
		return db.Distance(ctx, pair.From, pair.To, radius.DistanceOptions{At: in.At})
	})
}

// matches is the input of match_addresses.
type matches struct {
	Addresses []string `required:"" is:"address" help:"US addresses, each on one line."`
	operation.AddressParams
}

func (in *matches) run(ctx context.Context, db *postgeo.DB) (*list, error) {
	o, unknown := in.Options(db.LastACSYear(ctx, acs.Tract))
	input := func(text string) envelope.Input { return envelope.Input{Address: text} }
	return each(ctx, in.Addresses, operation.Ignored(unknown), input, func(text string) (*address.Match, error) {
		if err := blank("address", text); err != nil {
			return nil, err
		}
		return db.MatchAddress(ctx, text, o)
	})
}
