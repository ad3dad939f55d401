package command

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/dataset/build/fetch"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/fault"
)

// A UsageError is an error of the command line. The exit code is 2.
type UsageError struct {
	Reason  string
	Command string // whose --help explains it; "" if the reason is enough
}

// Error implements error.
func (e *UsageError) Error() string { return e.Reason }

// line returns the error with a reference to the help.
func (e *UsageError) line() string {
	if e.Command == "" {
		return e.Reason
	}
	return e.Reason + fmt.Sprintf(message.SeeHelp, e.Command)
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

// Errors of commands that have reported their failures.
var (
	ErrReported       = errors.New("already reported")
	ErrMisuseReported = errors.New("usage error, already reported")
)

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
		return &UsageError{Reason: fmt.Sprintf(message.InvalidValue, "--"+strings.ToLower(param.Param), param.Input, Expected(param))}
	case errors.As(err, &refused) && refused.Code == envelope.ValidationInvalidParam:
		return &UsageError{Reason: parameter.ReplaceAllString(refused.Message, "--$1")}
	case errors.Is(err, fetch.ErrOptions):
		return &UsageError{Reason: strings.TrimPrefix(strings.TrimPrefix(err.Error(), "build: "), "fetch: ")}
	}
	return nil
}

// Expected returns the accepted values of a flag.
func Expected(e *fault.Error) string {
	if e.Op == "radius" && e.Param == "Max" {
		return e.Range + ", or auto or auto-commute"
	}
	return strings.ReplaceAll(e.Range, "Max", "--max")
}

// parameter matches how the contract's messages name a parameter.
var parameter = regexp.MustCompile(`^Parameter '([a-z_]+)'`)
