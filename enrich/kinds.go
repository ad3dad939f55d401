package enrich

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
)

// A Key is one of the keys of a row.
type Key struct {
	Kind Kind   // one of the options
	Text string // "" if the row lacks it; see [JoinCoordinates] and [JoinAddress]
}

// RowBy is like [Enricher.RowTo] for rows with several keys in order of
// preference. It uses the first key that is answered, else the first with a
// text; [Outcome.Key] is its number. Fields that are not available for its kind
// are null. The error may also be a kind that is not one of the options.
func (e *Enricher) RowBy(ctx context.Context, keys []Key, to string, dst []Value) ([]Value, Outcome, error) {
	missed := Outcome{Status: Empty}
	for i, k := range keys {
		by := e.of(k.Kind)
		if by == nil {
			return dst, Outcome{}, fmt.Errorf("enrich: a key is of kind %q, which is not in Options.Kind or Options.Kinds", k.Kind)
		}
		if strings.TrimSpace(k.Text) == "" {
			continue
		}
		values, out, err := by.RowTo(ctx, k.Text, to, dst)
		out.Key = i + 1
		if err != nil || out.Status.Answered() {
			return values, out, err
		}
		if missed.Key == 0 {
			missed = out
		}
	}
	for range e.read {
		dst = append(dst, Value{})
	}
	return dst, missed, ctx.Err()
}

// of returns the Enricher for a kind of key, or nil.
func (e *Enricher) of(kind Kind) *Enricher {
	if kind == e.opt.Kind {
		return e
	}
	for _, other := range e.kinds {
		if kind == other.opt.Kind {
			return other
		}
	}
	return nil
}

// addKinds adds an Enricher for each further kind of key.
func (e *Enricher) addKinds(db *postgeo.DB, opt Options) error {
	for _, kind := range opt.Kinds {
		if e.of(kind) != nil {
			continue
		}
		own := opt
		own.Kind, own.Kinds = kind, append(slices.Clone(opt.Kinds), opt.Kind)
		own.Radius.Include.ACS = slices.Clip(opt.Radius.Include.ACS)
		other, err := newOfKind(db, own)
		if err != nil {
			return err
		}
		e.kinds = append(e.kinds, other)
	}
	return nil
}

// unavailable reports whether a field is null for keys of this kind and available
// for another one.
func (e *Enricher) unavailable(t *target) bool {
	fits := func(k Kind) bool { option, _ := e.lacks(k, t); return option == "" }
	return !fits(e.opt.Kind) && slices.ContainsFunc(e.opt.Kinds, fits)
}
