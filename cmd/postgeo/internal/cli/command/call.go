package command

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"reflect"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

// A Call is one run of a command.
type Call struct {
	*Env
	Context context.Context

	DB   *postgeo.DB // open if the options embed Data
	Path string      // of the dataset; "" is the embedded sample

	Output  output.Options // of the flags and the view
	Several bool           // an item per input, which repeats its input

	writer     *output.Writer
	begun      bool     // output is to be completed
	columns    []string // of --columns
	failed     int      // inputs
	missing    bool     // a code was not found
	outlineErr error    // of Feature, which cannot return one
}

// An opener is implemented by options that embed [Data] or [ClockedData].
type opener interface {
	open(env *Env) (*postgeo.DB, string, error)
}

// An Offline is implemented by options that do not always need the dataset.
type Offline interface{ Offline() bool }

// execute opens the dataset of a command, runs it and completes its output. The error
// includes failures of inputs.
func execute[O any](ctx context.Context, env *Env, o *O, run func(o *O, c *Call) error) (err error) {
	c := &Call{Env: env, Context: ctx}
	if f, formats := any(o).(formatter); formats {
		if err := f.settle(c); err != nil {
			return err
		}
	}
	offline, ok := any(o).(Offline)
	if data, opens := any(o).(opener); opens && !(ok && offline.Offline()) {
		if c.DB, c.Path, err = data.open(env); err != nil {
			return err
		}
		defer c.DB.Close()
		if err := c.resolveNames(reflect.ValueOf(o).Elem()); err != nil {
			return err
		}
	}
	if err = run(o, c); c.begun { // after an error too: rows before it are complete JSON
		err = errors.Join(err, c.writer.Close())
	}
	if err = errors.Join(err, c.outlineErr); err != nil {
		return err
	}
	return c.result()
}

// resolveNames replaces names of places in arguments that take codes, and reports
// the places.
func (c *Call) resolveNames(options reflect.Value) error {
	var codes []*operation.Param
	for _, p := range c.params {
		codes = append(codes, p.Param)
	}
	found, err := operation.ResolveNames(c.Context, c.DB, codes, options)
	for i := range found {
		c.Report(`%q is %s at %s`, found[i].Text, found[i].Name(), found[i].Code)
	}
	return err
}

// Named returns the point of a place by its name, and reports the place. Other texts are
// returned as they are.
func (c *Call) Named(text string) (code string, err error) {
	p, ok, err := operation.FindNamed(c.Context, c.DB, text)
	if !ok {
		return text, err
	}
	c.Report(`%q is %s at %s`, p.Text, p.Name(), p.Code)
	return p.Code, nil
}

// People reports whether people read the format. They see failures on standard
// error only.
func (c *Call) People() bool { return c.Output.Format.People() }

// Write writes an item.
func (c *Call) Write(item any) error {
	c.begun = true
	return cmp.Or(c.Context.Err(), c.writer.Write(item))
}

// Rows writes rows in the columns of a view.
func Rows[R any](c *Call, v View, rows []R) error { return Result(c, v, nil, rows) }

// Row writes one row, by default with all its columns.
func Row[R any](c *Call, row *R) error { return Rows(c, View{All: output.Columns[R]()}, []*R{row}) }

// Result writes rows in the columns of a view, and in JSON the whole that they are of,
// as a server sends it.
func Result[R any](c *Call, v View, whole any, rows []R) error {
	if err := c.View(v); err != nil {
		return err
	}
	if whole != nil && c.Output.Format == output.JSON {
		c.writer.Array = false
		return c.Write(whole)
	}
	return More(c, rows)
}

// More writes rows in the columns of the last view.
func More[R any](c *Call, rows []R) error {
	c.begun = true
	for i := range rows {
		if err := c.Write(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// Stream writes rows as they come.
func Stream[R any](c *Call, rows iter.Seq2[R, error]) error {
	c.begun = true
	for row, err := range rows {
		if err == nil {
			err = c.Write(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Each writes an item, or a list of items, in the columns of a view for each input. A
// failed input becomes a failed item. People get it on standard error only.
func (c *Call) Each(v View, inputs iter.Seq2[string, error], input func(text string) envelope.Input, one func(text string) (any, []envelope.Notice, error)) error {
	if err := c.View(v); err != nil {
		return err
	}
	c.begun = true
	for text, err := range inputs {
		if err = cmp.Or(err, c.Context.Err()); err != nil {
			return err
		}
		item, notices, err := one(text)
		if c.People() && c.Several {
			c.Notices(text, notices)
		}
		if err != nil {
			failed, ok := c.fail(input(text), err)
			if !ok {
				return err
			}
			if c.People() {
				continue
			}
			item = failed
		}
		list, ok := item.([]any)
		if !ok {
			list = []any{item}
		}
		for _, item := range list {
			if err := c.Write(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// Refuse writes the failed item of a single input, or nothing for people. It returns
// errors that are not about the input.
func (c *Call) Refuse(v View, input envelope.Input, err error) error {
	item, ok := c.fail(input, err)
	switch {
	case !ok:
		return err
	case c.People():
		return nil
	}
	return Rows(c, v, []envelope.Item{item})
}

// Missing reports a missing result and counts it as a failure.
func (c *Call) Missing(format string, args ...any) {
	c.Report(format, args...)
	c.failed++
}

// MissingOfMany is Missing for one of many results. It reports only the first ones.
func (c *Call) MissingOfMany(format string, args ...any) {
	if c.failed++; c.failed <= MaxReports {
		c.Report(format, args...)
	}
}

// Incomplete is Missing on the sample, which may be the cause.
func (c *Call) Incomplete(format string, args ...any) {
	c.Missing(format, args...)
	c.missing = true
}

// Failures returns how many inputs have failed so far.
func (c *Call) Failures() int { return c.failed }

// NeedAreas returns an error if the dataset has no areas of codes. purpose
// completes the message.
func (c *Call) NeedAreas(purpose string) error {
	if has, err := c.DB.HasAreas(c.Context); has || err != nil {
		return err
	}
	return Failure(`dataset: %s has no areas of ZIP Codes or FSAs, required for %s; run 'postgeo dataset build --layers boundaries'`, FileName(c.Path), purpose)
}

// links are the pages of errors in items. Those of a server would be its URLs.
var links = envelope.Links{Site: ErrorPage, Docs: ErrorPage}

// ErrorPage is the page of errors in items.
const ErrorPage = "https://github.com/postgeo/postgeo/blob/main/docs/cli.md"

// MaxReports is how many failed inputs standard error names one by one.
const MaxReports = 10

// fail counts a failed input, reports it on standard error and returns its item. If
// ok is false, the program, the dataset or the context failed, and the command ends: all
// other inputs would fail for the same reason. Missing address records are such a reason.
func (c *Call) fail(input envelope.Input, err error) (item envelope.Item, ok bool) {
	e := envelope.AsFailure(err)
	if envelope.OfInput(err) == nil || e != nil && e.Kind == envelope.KindUnavailable && e.Lacks == "address records" || c.usageOf(err) != nil {
		return envelope.Item{}, false
	}
	c.missing = c.missing || errors.Is(err, postgeo.ErrNotFound)
	c.MissingOfMany("%s", Explain(err))
	if h := hint(input, err); h != "" && c.failed <= MaxReports {
		c.Report(`hint: %s`, h)
	}
	if c.Several {
		err = operation.InBatch(err)
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
	if c.DB != nil && c.Path == "" && c.missing {
		c.Report(SampleIsSmall)
	}
	return ErrReported
}
