package foreign

import (
	"errors"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
)

// A Failure describes an error.
type Failure struct {
	Status  int32  `json:"status"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Code    string `json:"code,omitzero"` // of the HTTP contract
	Param   string `json:"param,omitzero"`
	Input   string `json:"input,omitzero"`
	Range   string `json:"range,omitzero"`
}

// String returns the JSON of the failure.
func (f Failure) String() string {
	text, err := encode.Marshal(f)
	if err != nil {
		return err.Error() // does not occur
	}
	return string(text)
}

// kinds are the kinds of errors, whose statuses count from 1 and are part of the C
// interface (postgeo.h). An error that matches several is of the first.
var kinds = []struct {
	is   error
	name string
}{
	{postgeo.ErrNotFound, "not found"},
	{postgeo.ErrInvalidCode, "invalid code"},
	{postgeo.ErrInvalidParam, "invalid parameter"},
	{postgeo.ErrUnavailable, "unavailable"},
	{postgeo.ErrAmbiguous, "ambiguous"},
	{postgeo.ErrDamaged, "damaged"},
	{postgeo.ErrClosed, "closed"},
	{postgeo.ErrNotDataset, "not a dataset"},
	{postgeo.ErrVersion, "version"},
	{nil, "other"},
}

// Indexes into kinds.
const (
	invalidParam = 2
	other        = 9
)

// Describe returns the description of an error. The message is that of the library if the
// error comes from it, else that of the contract.
func Describe(err error) Failure {
	fault := envelope.FaultOf(err)
	e := envelope.AsFailure(err)
	if e == nil {
		e = &envelope.Failure{}
	}
	f := Failure{Message: err.Error(), Param: e.Param, Input: e.Input, Range: e.Range}
	if fault != nil {
		f.Code = string(fault.Code)
		if !strings.HasPrefix(f.Message, "postgeo: ") {
			f.Message = fault.Message
		}
	}
	kind := kindOf(err)
	if kind == other && fault != nil {
		kind = invalidParam
	}
	f.Status, f.Kind = int32(kind+1), kinds[kind].name
	return f
}

func kindOf(err error) int {
	if field := (*enrich.FieldError)(nil); errors.As(err, &field) {
		return invalidParam
	}
	for i, k := range kinds[:other] {
		if errors.Is(err, k.is) {
			return i
		}
	}
	return other
}
