package envelope_test

import (
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/envelope"
)

func ExampleFailure() {
	var err error = &envelope.Failure{Op: "radius", Kind: envelope.KindInvalidParam, Param: "max", Input: "9999", Range: "above 0 and at most 500 miles"}
	fmt.Println(err)
	fmt.Println(errors.Is(err, envelope.ErrInvalidParam), envelope.AsFailure(err).Kind)
	// Output:
	// postgeo: radius: max is 9999; expected above 0 and at most 500 miles
	// true invalid parameter
}

// A dataset without outlines does not rule out an area around a coordinate.
func ExampleFailure_Lasting() {
	err := &envelope.Failure{Op: "lookup", Kind: envelope.KindUnavailable, Thing: envelope.ThingCoordinates, Input: "34.1,-118.4", Lacks: "boundaries"}
	fmt.Println(err)
	fmt.Println(err.Lasting())
	// Output:
	// postgeo: lookup: the dataset has no boundaries
	// true
}

func ExampleWrap() {
	err := &envelope.Failure{Op: "survey", Kind: envelope.KindInvalidParam, Param: "fields", Detail: `unknown field: "x"`}
	fmt.Println(envelope.Wrap("area 10001", err))
	fmt.Println(envelope.In("distance", "from", &envelope.Failure{Kind: envelope.KindNotFound, Thing: envelope.ThingZIP, Input: "99999"}))
	// Output:
	// postgeo: survey: area 10001: unknown field: "x"
	// postgeo: distance: from ZIP code "99999" not found
}
