package operation

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// ZIP3 is the population of the ZIP Codes with the same first three digits (decision
// D82).
var ZIP3 = define((*ZIP3Input).Run, Operation{
	Name: "zip3", Path: "/v2/zip3", Command: "lookup", Absent: "one code a request",
	Summary:  "Count the people of the ZIP Codes that begin with three digits.",
	Detail:   "safe_harbor is the code if more than 20,000 people live there, else 000: data without identities may name only such areas (45 CFR 164.514).",
	Price:    "1. Not found: 1.",
	Failures: []envelope.Code{envelope.NotFoundZIP},
})

// ZIP3Input is the input of [ZIP3].
type ZIP3Input struct {
	Code string `arg:"" is:"zip" json:"code" example:"902" help:"Three digits (902), or a ZIP Code, which stands for its first three."` // as given
}

// Echo returns the input as failed items repeat it.
func (in *ZIP3Input) Echo() envelope.Input { return envelope.Input{Code: in.Code} }

// Run finds the area.
func (in *ZIP3Input) Run(ctx context.Context, db interface {
	ZIP3(ctx context.Context, code string) (*lookup.ZIP3, error)
},
) (*lookup.ZIP3, error) {
	return db.ZIP3(ctx, in.Code)
}

// IsZIP3 reports whether a code has three digits.
func IsZIP3(code string) bool {
	code = strings.TrimSpace(code)
	return len(code) == 3 && strings.Trim(code, "0123456789") == ""
}
