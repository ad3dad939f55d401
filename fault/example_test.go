package fault_test

import (
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/fault"
)

func ExampleError() {
	var err error = &fault.Error{Op: "radius", Kind: fault.InvalidParam, Param: "Max", Input: "9999", Range: "above 0 and at most 500 miles"}
	fmt.Println(err)
	fmt.Println(errors.Is(err, fault.ErrInvalidParam), fault.As(err).Kind)
	// Output:
	// postgeo: radius: Max is 9999; expected above 0 and at most 500 miles
	// true invalid parameter
}

// A dataset without outlines does not rule out an area around a coordinate.
func ExampleError_Lasting() {
	err := &fault.Error{Op: "lookup", Kind: fault.Unavailable, Thing: fault.Coordinates, Input: "34.1,-118.4", Lacks: "boundaries"}
	fmt.Println(err)
	fmt.Println(err.ContractCode(), err.Lasting())
	// Output:
	// postgeo: lookup: the dataset has no boundaries
	// SERVICE_UNAVAILABLE true
}

// A dataset without the records of an address does not rule it out.
func ExampleError_ContractMessage() {
	err := &fault.Error{
		Op: "address", Kind: fault.Unavailable, Thing: fault.Address,
		Input: "PO Box 5, Ely, MN 55731", Lacks: "PO Box records of ZIP Code 55731",
	}
	fmt.Println(err.ContractMessage())
	// Output:
	// The address "PO Box 5, Ely, MN 55731" cannot be matched: this dataset holds no PO Box records of ZIP Code 55731.
}

func ExampleWrap() {
	err := &fault.Error{Op: "survey", Kind: fault.InvalidParam, Param: "fields", Detail: `unknown field: "x"`}
	fmt.Println(fault.Wrap("area 10001", err))
	fmt.Println(fault.In("distance", "from", &fault.Error{Kind: fault.NotFound, Thing: fault.ZIP, Input: "99999"}))
	// Output:
	// postgeo: survey: area 10001: unknown field: "x"
	// postgeo: distance: from ZIP code "99999" not found
}

func ExampleOfInput() {
	_, ok := fault.OfInput(&fault.Error{Kind: fault.Damaged})
	fmt.Println(ok)
	// Output: false
}
