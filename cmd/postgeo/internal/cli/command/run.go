package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"syscall"

	"github.com/postgeo/postgeo/internal/source/fetch"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/store"
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
		c.Report(message.PlaceFound, found[i].Text, found[i].Name(), found[i].Code)
	}
	return err
}

// report writes an error to standard error and returns the exit code.
func report(env *Env, err error) int {
	usage := usageOf(err)
	switch {
	case err == nil:
		return Done
	case errors.Is(err, ErrMisuseReported):
		return Misuse
	case errors.Is(err, ErrReported), errors.Is(err, syscall.EPIPE):
		return Failed
	case usage != nil:
		env.Fail("%s", usage.line())
		return Misuse
	default:
		env.Fail("%s", Explain(err))
		return Failed
	}
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
	if !ok || e != nil && e.Kind == fault.Unavailable && e.Lacks == "address records" || usageOf(err) != nil {
		return envelope.Item{}, false
	}
	c.failed++
	c.missing = c.missing || errors.Is(err, postgeo.ErrNotFound)
	if c.failed <= MaxReports {
		c.Report("%s", Explain(err))
		if h := hint(input, err); h != "" {
			c.Report(message.Hint, h)
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
		c.Report(message.ManyFailures, c.failed, MaxReports)
	}
	if c.sample && c.missing {
		c.Report(message.SampleIsSmall)
	}
	return ErrReported
}

// Explain renders an error as "kind: what happened".
func Explain(err error) string {
	failure, ofInput := envelope.OfInput(err)
	kind, text := "failed", strings.TrimPrefix(err.Error(), "postgeo: ")
	e := fault.As(err)
	file, ofFile := fileText(err)
	switch {
	case errors.Is(err, context.Canceled):
		rest, _ := strings.CutPrefix(text, context.Canceled.Error())
		if len(rest) == len(text) {
			rest = ""
		}
		return message.Interrupted + rest
	case ofFile:
		kind, text = "file", file
	case errors.Is(err, billing.ErrUnavailable), strings.HasPrefix(text, "billing: "), strings.HasPrefix(text, "sqlite: "):
		text = "accounts: " + Bare(err)
		if errors.Is(err, billing.ErrAccountNotFound) {
			text += message.SeeAccounts
		}
		return text
	case e != nil && ofInput && e.Thing == fault.Layer:
		kind, text = "dataset", e.Detail
	case e != nil && ofInput && e.Thing == fault.Area && e.Kind == fault.NotFound:
		kind, text = "not found", e.Detail
	case e != nil && e.Param == "polygon":
		kind, text = "invalid input", strings.TrimPrefix(e.Detail, "invalid geometry: ")
	case ofInput:
		kind, text = "invalid input", failure.ContractMessage()
		switch {
		case errors.Is(err, postgeo.ErrUnavailable) && e.Thing == fault.Address:
			kind, text = "dataset", text+message.BuildRecords
		case failure.ContractCode().Status() == 200, errors.Is(err, postgeo.ErrNotFound):
			kind = "not found"
		case errors.Is(err, postgeo.ErrInvalidCode) && e.Thing != fault.Address:
			kind = "invalid code"
		}
	case strings.HasPrefix(text, "lookup: "):
		text = strings.TrimPrefix(text, "lookup: ")
	case strings.HasPrefix(text, "table: "):
		kind, text = "table", TableText(text, "--delimiter")
	case strings.HasPrefix(text, "dataset: "), errors.Is(err, store.ErrNotDataset), errors.Is(err, fs.ErrNotExist) && strings.Contains(text, ": dataset: "):
		kind = "dataset"
		if _, after, ok := strings.Cut(text, "dataset: "); ok {
			text = after
		}
	case strings.HasPrefix(text, "build: "):
		kind, text = "build", strings.TrimPrefix(text, "build: ")
	}
	return kind + ": " + text
}

// TableText renders an error of package table with the flags for its remedy.
// delimiter is the flag for the delimiter of the table.
func TableText(text, delimiter string) string {
	flags := strings.NewReplacer("have it overwritten", "give --overwrite", "(resume)", "(--resume)", "give it as the delimiter", "give it with "+delimiter,
		"; a lenient reading keeps such rows", " (--lenient keeps such rows)", "; a lenient reading leaves such cells out", " (--lenient leaves such cells out)")
	return flags.Replace(strings.TrimPrefix(text, "table: "))
}

// Bare renders an error of the accounts without the names of packages.
func Bare(err error) string {
	text := err.Error()
	for _, prefix := range []string{"sqlite: ", "billing: "} {
		text = strings.ReplaceAll(strings.TrimPrefix(text, prefix), ": "+prefix, ": ")
	}
	return text
}

// usageOf returns the usage error that err means, or nil. The parser refuses
// some flags, the functions that take their values others.
func usageOf(err error) *UsageError {
	var usage *UsageError
	var refused *envelope.Fault
	param := fault.As(err)
	switch {
	case errors.As(err, &usage):
		return usage
	case param != nil && param.Kind == fault.InvalidParam && (param.Thing == fault.Query || param.Op == "radius" && param.Param == "Mode"):
		return &UsageError{Reason: links.Error(param).Message}
	case param != nil && param.Kind == fault.InvalidParam && param.Range != "":
		return &UsageError{Reason: fmt.Sprintf(message.InvalidValue, shownParam(param), param.Input, Expected(param))}
	case errors.As(err, &refused) && refused.Code == envelope.ValidationInvalidParam:
		return &UsageError{Reason: parameter.ReplaceAllString(refused.Message, "--$1")}
	case errors.Is(err, fetch.ErrOptions):
		return &UsageError{Reason: strings.TrimPrefix(strings.TrimPrefix(err.Error(), "build: "), "fetch: ")}
	}
	return nil
}

// shownParam returns how usage errors name the parameter of an operation.
func shownParam(e *fault.Error) string {
	name := strings.ToLower(capital.ReplaceAllString(e.Param, "$1-$2"))
	if e.Op == "crosswalk" && (name == "from" || name == "to") {
		return "<" + name + ">"
	}
	return "--" + name
}

// capital matches a word within a name, as in MinShare.
var capital = regexp.MustCompile(`([a-z])([A-Z])`)

// Expected returns the accepted values of a flag.
func Expected(e *fault.Error) string {
	if e.Op == "radius" && e.Param == "Max" {
		return e.Range + ", or auto or auto-commute"
	}
	return strings.ReplaceAll(e.Range, "Max", "--max")
}

// parameter matches how the contract's messages name a parameter.
var parameter = regexp.MustCompile(`^Parameter '([a-z_]+)'`)
