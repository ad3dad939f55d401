// Package operationtest describes an invented operation. Tests of the front ends
// plant it.
package operationtest

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// Echo repeats a code. No front end offers it outside tests.
var Echo = operation.New((*EchoInput).Run, operation.Operation{
	Name: "echo_code", Path: "/v2/echo", Command: "echo",
	Summary: "Repeat a code several times.", Detail: "The result has no use.", Price: "1 for each time.",
})

// EchoInput is the input of [Echo].
type EchoInput struct {
	operation.Place
	Times   int            `least:"1" most:"5" default:"2" placeholder:"N" help:"Number of times."`
	Include envelope.Flags `values:"upper" placeholder:"FLAG" help:"upper returns capital letters."`
}

// An EchoResult is the result of [Echo].
type EchoResult struct {
	Codes []string `json:"codes"` // each as given
}

// Run repeats the code.
func (in *EchoInput) Run(context.Context, operation.DB) (*EchoResult, error) {
	code := in.Code
	if len(in.Include) > 0 {
		code = strings.ToUpper(code)
	}
	out := &EchoResult{}
	for range in.Times {
		out.Codes = append(out.Codes, code)
	}
	return out, nil
}
