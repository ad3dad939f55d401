package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"syscall"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/dataset/build/fetch"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
)

// A usageError says that the command line is not right.
type usageError struct {
	reason  string
	command string // whose --help explains it; "" when the reason says everything
}

func (e *usageError) Error() string { return e.reason }

// wrongUse returns a usageError.
func wrongUse(format string, args ...any) error {
	return &usageError{reason: fmt.Sprintf(format, args...)}
}

// errReported says that a command failed and has told why already.
var errReported = errors.New("already reported")

// errWrongUseReported says the same of a command line that is not right.
var errWrongUseReported = errors.New("wrong use, already reported")

// usageOf returns the wrong use that an error means, or nil: flags are refused
// where they are parsed, and by what they are handed to.
func usageOf(err error) *usageError {
	var usage *usageError
	var refused *envelope.Fault
	param := fault.As(err)
	switch {
	case errors.As(err, &usage):
		return usage
	case param != nil && param.Kind == fault.InvalidParam && (param.Thing == fault.Query || param.Op == "radius" && param.Param == "Mode"):
		return &usageError{reason: param.ContractMessage()}
	case param != nil && param.Kind == fault.InvalidParam && param.Range != "":
		return &usageError{reason: fmt.Sprintf("--%s is %q; expected %s", strings.ToLower(param.Param), param.Input, expected(param))}
	case errors.As(err, &refused) && refused.Code == envelope.ValidationInvalidParam:
		return &usageError{reason: parameter.ReplaceAllString(refused.Message, "--$1")}
	case errors.Is(err, fetch.ErrOptions):
		return &usageError{reason: strings.TrimPrefix(strings.TrimPrefix(err.Error(), "build: "), "fetch: ")}
	}
	return nil
}

// expected returns the accepted values of a flag.
func expected(e *fault.Error) string {
	if e.Op == "radius" && e.Param == "Max" {
		return e.Range + ", or auto or auto-commute"
	}
	return strings.ReplaceAll(e.Range, "Max", "max")
}

// parameter is how the contract's messages name a parameter.
var parameter = regexp.MustCompile(`^Parameter '([a-z_]+)'`)

// report writes the error to standard error and returns the exit code for it.
func report(env *Env, err error) int {
	usage := usageOf(err)
	switch {
	case err == nil:
		return Done
	case errors.Is(err, errWrongUseReported):
		return WrongUse
	case errors.Is(err, errReported), errors.Is(err, syscall.EPIPE):
		return Failed
	case usage != nil:
		hint := ""
		if usage.command != "" {
			hint = fmt.Sprintf("; see '%s --help'", usage.command)
		}
		env.fail("wrong use: %s%s", usage.reason, hint)
		return WrongUse
	default:
		env.fail("%s", explain(err))
		return Failed
	}
}

// explain renders an error as "kind: what happened".
func explain(err error) string {
	failure, ofInput := fault.OfInput(err)
	kind, text := "failed", strings.TrimPrefix(err.Error(), "postgeo: ")
	e := fault.As(err)
	switch {
	case errors.Is(err, context.Canceled):
		rest, _ := strings.CutPrefix(text, context.Canceled.Error())
		if len(rest) == len(text) { // it was met somewhere
			rest = ""
		}
		return "stopped: interrupted before the end" + rest
	case errors.Is(err, billing.ErrUnavailable), strings.HasPrefix(text, "billing: "), strings.HasPrefix(text, "sqlite: "):
		text = "accounts: " + bare(err)
		if errors.Is(err, billing.ErrAccountNotFound) {
			text += "; 'postgeo account list' names them"
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
			kind, text = "dataset", text+recordsHint
		case failure.ContractCode().Status() == 200, errors.Is(err, postgeo.ErrNotFound):
			kind = "not found"
		case errors.Is(err, postgeo.ErrInvalidCode) && e.Thing != fault.Address:
			kind = "invalid code"
		}
	case strings.HasPrefix(text, "lookup: "):
		text = strings.TrimPrefix(text, "lookup: ")
	case strings.HasPrefix(text, "table: "):
		kind, text = "table", tableText(text, "--delimiter")
	case strings.HasPrefix(text, "dataset: "):
		kind, text = "dataset", strings.TrimPrefix(text, "dataset: ")
	case strings.HasPrefix(text, "build: "):
		kind, text = "build", strings.TrimPrefix(text, "build: ")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		kind = "file"
	}
	return kind + ": " + text
}

// recordsHint describes how to build a dataset with address records.
const recordsHint = " Build one with 'postgeo dataset build' and the USPS products " +
	"(--usps-zip4, --usps-city-state) or public ranges of house numbers (--address-ranges, --addrfeat)."

// tableText renders an error of package table with the flags for what it says
// to do; delimiter is the one for the table at hand.
func tableText(text, delimiter string) string {
	flags := strings.NewReplacer("have it overwritten", "give --overwrite", "(resume)", "(--resume)", "give it as the delimiter", "give it with "+delimiter,
		"; a lenient reading keeps such rows", " (--lenient keeps such rows)")
	return flags.Replace(strings.TrimPrefix(text, "table: "))
}

// bare renders an error of the accounts without the packages it comes from.
func bare(err error) string {
	text := err.Error()
	for _, prefix := range []string{"sqlite: ", "billing: "} {
		text = strings.ReplaceAll(strings.TrimPrefix(text, prefix), ": "+prefix, ": ")
	}
	return text
}
