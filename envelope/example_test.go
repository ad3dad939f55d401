package envelope_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

// A program reads the response of a server.
func Example() {
	body := `{"success":true,"request":{"code":"90210","code_type":"ZIP","include":[]},
		"results":[{"success":true,"code":"90210","city":"Beverly Hills"}],
		"meta":{"request_id":"01J0000000000000000000000A","credits":{"used":1,"source":"subscription"}}}`
	type place struct {
		envelope.Item
		City string `json:"city"`
	}
	var r envelope.Response[json.RawMessage, place]
	err := json.Unmarshal([]byte(body), &r)
	fmt.Println(r.Results[0].Value.City, r.Meta.Credits.Used, err)
	// Output:
	// Beverly Hills 1 <nil>
}

func ExampleLinks_Error() {
	links := envelope.Links{Docs: "https://example.com/docs"}
	e := links.Error(&envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam("code", "zip")})
	fmt.Println(e.Code, e.Message, e.URL)
	// Output:
	// VALIDATION_MISSING_PARAM Parameter 'code' is required. Did you mean 'code' instead of 'zip'? https://example.com/docs
}

func ExampleParseFlags() {
	fmt.Println(envelope.ParseFlags("Timezone, state-leg", "timezone"))
	// Output:
	// [timezone state_leg]
}

// The server translates errors of the library.
func ExampleFaultOf() {
	err := fmt.Errorf("row 5: %w", &envelope.Failure{
		Op: "address", Kind: envelope.KindUnavailable, Thing: envelope.ThingAddress,
		Input: "Ely", Lacks: "street records",
	})
	failure := envelope.FaultOf(err)
	fmt.Println(failure.Code)
	fmt.Println(failure.Message)
	fmt.Println(envelope.OfInput(&envelope.Failure{Kind: envelope.KindDamaged}) == nil)
	// Output:
	// SERVICE_UNAVAILABLE
	// The address "Ely" cannot be matched: this dataset holds no street records.
	// true
}

func ExampleFailure() {
	var err error = &envelope.Failure{Op: "radius", Kind: envelope.KindInvalidParam, Param: "max", Input: "9999", Range: "above 0 and at most 500 miles"}
	fmt.Println(err)
	fmt.Println(errors.Is(err, envelope.ErrInvalidParam), envelope.AsFailure(err).Kind)
	// Output:
	// postgeo: radius: max is 9999; expected above 0 and at most 500 miles
	// true invalid parameter
}

func ExampleIn() {
	err := &envelope.Failure{Kind: envelope.KindNotFound, Thing: envelope.ThingZIP, Input: "99999"}
	fmt.Println(envelope.In("distance", "from", err))
	// Output: postgeo: distance: from ZIP code "99999" not found
}

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
