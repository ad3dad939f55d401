package command

import (
	"context"
	"errors"
	"reflect"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/lookup"
)

// An opener is implemented by options that embed [Data] or [ClockedData].
type opener interface {
	open(env *Env) (*postgeo.DB, string, error)
}

// An Offline is implemented by options that do not always need the dataset.
type Offline interface{ Offline() bool }

// A formatter is implemented by options that embed [Format] or [GeoFormat].
type formatter interface {
	options(env *Env, v View) (output.Options, error)
}

// execute opens the dataset and the writer of a command, runs it and writes its
// result. The error includes failures of inputs.
func execute(ctx context.Context, env *Env, params params, options any, view func(*Call) (View, error), run func(*Call) (Result, error)) (err error) {
	c := &Call{Env: env, Context: ctx}
	var page *pager
	offline, ok := options.(Offline)
	if data, opens := options.(opener); opens && !(ok && offline.Offline()) {
		if c.DB, c.Path, err = data.open(env); err != nil {
			return err
		}
		defer c.DB.Close()
		c.sample = c.Path == ""
		if err := c.resolveNames(params, reflect.ValueOf(options).Elem()); err != nil {
			return err
		}
	}
	if format, formats := options.(formatter); formats {
		v, err := view(c)
		if err != nil {
			return err
		}
		if c.Output, err = format.options(env, v); err != nil {
			return err
		}
		c.Several = v.Array
		c.Output.Feature = c.Feature
		c.Output.Grouped = env.StdoutTerminal
		if p := pagerOf(env); p != nil && c.Output.Format == output.Table {
			out := *env
			out.Stdout = plain.NewWriter(p)
			c.Env, page = &out, p
		}
		c.writer = output.NewWriter(c.Stdout, c.Output)
	}
	answer, err := run(c)
	if err == nil {
		err = c.Write(answer)
	}
	if page != nil {
		err = errors.Join(err, page.Close())
	}
	if err = errors.Join(err, c.outlineErr); err != nil {
		return err
	}
	return c.result()
}

// resolveNames replaces names of places in arguments that take codes, and reports
// the places.
func (c *Call) resolveNames(params params, options reflect.Value) error {
	var codes []*operation.Param
	for _, p := range params {
		if p.Named {
			codes = append(codes, p.Param)
		}
	}
	found, err := operation.ResolveNames(c.Context, c.DB, codes, options)
	for i := range found {
		c.Report(`%q is %s at %s`, found[i].Text, found[i].Name(), found[i].Code)
	}
	return err
}

// links are the pages of errors in items. Those of a server would be its URLs.
var links = envelope.Links{Site: ErrorPage, Docs: ErrorPage}

// ErrorPage is the page of errors in items.
const ErrorPage = "https://github.com/postgeo/postgeo/blob/main/docs/cli.md"

// MaxReports is how many failed inputs standard error names one by one.
const MaxReports = 10

// fail counts a failed input, reports it on standard error and returns its item. If
// ok is false, the program, the dataset or the context failed.
func (c *Call) fail(input envelope.Input, err error) (item envelope.Item, ok bool) {
	_, ok = envelope.OfInput(err)
	e := fault.As(err)
	if !ok || e != nil && e.Kind == fault.Unavailable && e.Lacks == "address records" || c.usageOf(err) != nil {
		return envelope.Item{}, false
	}
	c.failed++
	c.missing = c.missing || errors.Is(err, postgeo.ErrNotFound)
	if c.failed <= MaxReports {
		c.Report("%s", Explain(err))
		if h := hint(input, err); h != "" {
			c.Report(`hint: %s`, h)
		}
	}
	if c.Several {
		err = envelope.InBatch(err)
	}
	return links.Failed(input, err, lookup.NormalizedNotices(input)...), true
}

// FailInput counts and reports a failed input whose item is not written. It
// returns err if that is not a failure of the input.
func (c *Call) FailInput(input envelope.Input, err error) error {
	if _, ok := c.fail(input, err); !ok {
		return err
	}
	return nil
}

// result sums up on standard error and returns ErrReported if an input failed.
func (c *Call) result() error {
	if c.failed == 0 {
		return nil
	}
	if c.failed > MaxReports {
		c.Report(`%d inputs failed, the first %d are listed above`, c.failed, MaxReports)
	}
	if c.sample && c.missing {
		c.Report(SampleIsSmall)
	}
	return ErrReported
}
