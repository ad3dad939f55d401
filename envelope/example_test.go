package envelope_test

import (
	"encoding/json"
	"fmt"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
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
func ExampleAsFailure() {
	err := fmt.Errorf("row 5: %w", &fault.Error{
		Op: "address", Kind: fault.Unavailable, Thing: fault.Address,
		Input: "Ely", Lacks: "street records",
	})
	var failure envelope.Failure
	fmt.Println(envelope.AsFailure(err, &failure), failure.ContractCode())
	fmt.Println(failure.ContractMessage())
	_, ok := envelope.OfInput(&fault.Error{Kind: fault.Damaged})
	fmt.Println(ok)
	// Output:
	// true SERVICE_UNAVAILABLE
	// The address "Ely" cannot be matched: this dataset holds no street records.
	// false
}
