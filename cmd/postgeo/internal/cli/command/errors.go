package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store"
)

// Messages of several places.
const (
	InvalidValue   = `invalid %s %q: must be %s`
	FileIsFolder   = `%s is a folder; name a file`
	SampleIsSmall  = `the sample has few codes and addresses; run 'postgeo dataset build' for all of them`
	NoOutputFolder = `the folder %s of the output does not exist; create it or choose another file`
)

// A UsageError is an error of the command line. The exit code is 2.
type UsageError struct {
	Reason  string
	Command string // whose --help explains it; "" if the reason is enough
}

// Error implements error.
func (e *UsageError) Error() string { return e.Reason }

func (e *UsageError) line() string {
	if e.Command == "" {
		return e.Reason
	}
	return e.Reason + fmt.Sprintf(`; see '%s --help'`, e.Command)
}

// Usage returns a UsageError.
func Usage(format string, args ...any) error {
	return &UsageError{Reason: fmt.Sprintf(format, args...)}
}

// UsageOf returns a UsageError that refers to the help of a command.
func UsageOf(command, format string, args ...any) error {
	return &UsageError{Reason: fmt.Sprintf(format, args...), Command: command}
}

// Failure returns an error with the exit code 1.
func Failure(format string, args ...any) error { return fmt.Errorf(format, args...) }

// ErrReported is the error of a command that has reported its failures.
var ErrReported = errors.New("already reported")

// A kinded error begins with its kind on standard error.
type kinded struct {
	kind string
	error
}

func (k *kinded) Unwrap() error { return k.error }

// Kind returns err with the name of the part that failed, such as "accounts". An error of
// an inner Kind, a usage error and nil stay the same.
func Kind(kind string, err error) error {
	if err == nil || errors.As(err, new(*kinded)) || errors.As(err, new(*UsageError)) || errors.Is(err, ErrReported) {
		return err
	}
	return &kinded{kind, err}
}

// report writes an error to standard error and returns the exit code.
func report(env *Env, err error) int {
	usage := env.usageOf(err)
	switch {
	case err == nil:
		return Done
	case errors.Is(err, ErrReported), errors.Is(err, syscall.EPIPE): // EPIPE: "| head" has read enough
		return Failed
	case usage != nil:
		env.Fail("%s", usage.line())
		return Misuse
	default:
		env.Fail("%s", Explain(err))
		return Failed
	}
}

// Explain renders an error as "kind: what happened". The order of the cases matters: an
// error may be several of these, such as a file that cannot be opened and accounts that
// cannot be reached, and the first decides.
func Explain(err error) string {
	failure := envelope.OfInput(err)
	ofInput := failure != nil
	kind, text := "failed", Bare(err)
	e := envelope.AsFailure(err)
	var file *fs.PathError
	var of *kinded
	rowText, ofRow := RowText(err)
	switch {
	case errors.Is(err, context.Canceled):
		rest, _ := strings.CutPrefix(text, context.Canceled.Error())
		if len(rest) == len(text) {
			rest = ""
		}
		return `stopped: interrupted before the end` + rest
	case errors.As(err, &file):
		kind = "file"
	case errors.Is(err, billing.ErrUnavailable):
		kind = "accounts"
	case e != nil && ofInput && e.Thing == envelope.ThingLayer:
		kind, text = "dataset", e.Detail
	case e != nil && ofInput && e.Thing == envelope.ThingArea && e.Kind == envelope.KindNotFound:
		kind, text = "not found", e.Detail
	case e != nil && e.Param == "polygon":
		kind, text = "invalid input", cmp.Or(strings.TrimPrefix(e.Detail, "invalid geometry: "), text)
	case ofInput:
		kind, text = "invalid input", failure.Message
		switch {
		case errors.Is(err, postgeo.ErrAmbiguous):
			kind = "ambiguous"
			if e.Detail != "" || e.Reason == envelope.ReasonIncomplete {
				text = strings.TrimPrefix(Bare(err), e.Op+": ")
			}
		case errors.Is(err, postgeo.ErrUnavailable):
			kind = "dataset"
			if e.Thing == envelope.ThingAddress {
				text += ` Build one with 'postgeo dataset build' and the USPS products (--usps-zip4, --usps-city-state), segments of streets (--addrfeat), or, for geocoding, --streets or --address-points.`
			}
		case failure.Code.Status() == 200, errors.Is(err, postgeo.ErrNotFound):
			kind = "not found"
		case errors.Is(err, postgeo.ErrInvalidCode) && e.Thing != envelope.ThingAddress:
			kind = "invalid code"
		}
	case ofRow:
		kind, text = "table", rowText
	case errors.Is(err, store.ErrNotDataset), errors.Is(err, postgeo.ErrDamaged):
		kind = "dataset"
	case errors.As(err, &of):
		kind = of.kind
	}
	if errors.Is(err, billing.ErrAccountNotFound) {
		text += `; 'postgeo account list' shows the IDs`
	}
	return kind + ": " + text
}

// RowText renders the error of a row with the flag for its remedy. It returns false for
// other errors.
func RowText(err error) (text string, ok bool) {
	var e *table.Error
	if !errors.As(err, &e) || e.Line == 0 {
		return "", false
	}
	text = Bare(e)
	if slices.Contains(e.Options, "Lenient") {
		text += ` (--lenient keeps such rows)`
	}
	return text, true
}

// Bare renders an error without the names of packages, which begin errors in Go and mean
// nothing to people at a command line.
func Bare(err error) string {
	text := err.Error()
	for _, name := range [...]string{"postgeo", "enrich", "export", "build", "fetch", "table", "signed", "sqlite", "billing", "lookup", "dataset"} {
		text = strings.ReplaceAll(strings.TrimPrefix(text, name+": "), ": "+name+": ", ": ")
	}
	return text
}

// usageOf returns the usage error that err means, or nil. The parser refuses
// some flags, the functions that take their values others.
func (e *Env) usageOf(err error) *UsageError {
	var usage *UsageError
	param := envelope.AsFailure(err)
	switch {
	case errors.As(err, &usage):
		return usage
	case param != nil && param.Kind == envelope.KindInvalidParam && param.Range != "":
		return &UsageError{Reason: fmt.Sprintf(InvalidValue, e.params.shown(param.Param), param.Input, Expected(param))}
	case param != nil && param.Kind == envelope.KindInvalidParam && param.Thing == envelope.ThingQuery:
		return &UsageError{Reason: links.Error(param).Message}
	case errors.Is(err, fetch.ErrOptions):
		return &UsageError{Reason: Bare(err)}
	}
	return nil
}

// shown returns how the command names a parameter of an operation.
func (list params) shown(name string) string {
	for _, p := range list {
		if p.Name == name {
			return p.shown()
		}
	}
	return "--" + strings.ReplaceAll(name, "_", "-")
}

// Expected returns the accepted values of a flag.
func Expected(e *envelope.Failure) string {
	if e.Op == "radius" && e.Param == "max" {
		return e.Range + ", or auto or auto-commute"
	}
	return e.Range
}
