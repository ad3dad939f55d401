package envelope_test

import (
	"fmt"

	"github.com/postgeo/postgeo/envelope"
)

// The status of a response with a code.
func ExampleCode() {
	for _, c := range []envelope.Code{envelope.AuthMissingKey, envelope.NotFoundZIP} {
		fmt.Println(c, c.Status())
	}
	// Output:
	// AUTH_MISSING_KEY 401
	// NOT_FOUND_ZIP 200
}

// An item of a batch that could not be served.
func ExampleLinks_Failed() {
	links := envelope.Links{Docs: "https://example.com/docs"}
	item := links.Failed(envelope.Input{Code: "99999"}, &envelope.Failure{Kind: envelope.KindNotFound, Thing: envelope.ThingZIP, Input: "99999"})
	fmt.Println(item.Success, item.Input.Code, item.Error.Code, item.Error.Message)

	var delivered envelope.Item
	delivered.SetInput(envelope.Input{Code: "90210"})
	fmt.Println(delivered.Input.Code)
	// Output:
	// false 99999 NOT_FOUND_ZIP ZIP code 99999 not found.
	// 90210
}
