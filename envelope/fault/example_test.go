package fault_test

import (
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/envelope/fault"
)

func ExampleError() {
	var err error = &fault.Error{Op: "radius", Kind: fault.InvalidParam, Param: "max", Input: "9999", Range: "above 0 and at most 500 miles"}
	fmt.Println(err)
	fmt.Println(errors.Is(err, fault.ErrInvalidParam), fault.As(err).Kind)
	// Output:
	// postgeo: radius: max is 9999; expected above 0 and at most 500 miles
	// true invalid parameter
}

// A dataset without outlines does not rule out an area around a coordinate.
func ExampleError_Lasting() {
	err := &fault.Error{Op: "lookup", Kind: fault.Unavailable, Thing: fault.Coordinates, Input: "34.1,-118.4", Lacks: "boundaries"}
	fmt.Println(err)
	fmt.Println(err.Lasting())
	// Output:
	// postgeo: lookup: the dataset has no boundaries
	// true
}

func ExampleWrap() {
	err := &fault.Error{Op: "survey", Kind: fault.InvalidParam, Param: "fields", Detail: `unknown field: "x"`}
	fmt.Println(fault.Wrap("area 10001", err))
	fmt.Println(fault.In("distance", "from", &fault.Error{Kind: fault.NotFound, Thing: fault.ZIP, Input: "99999"}))
	// Output:
	// postgeo: survey: area 10001: unknown field: "x"
	// postgeo: distance: from ZIP code "99999" not found
}
