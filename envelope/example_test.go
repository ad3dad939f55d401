package envelope_test

import (
	"fmt"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/wording"
)

func ExampleMarshal() {
	type place struct {
		envelope.Item
		City string `json:"city"`
	}
	r := envelope.Response[envelope.CodeRequest, *place]{
		Success: true,
		Request: envelope.CodeRequest{Code: "90210", CodeType: "ZIP"},
		Results: envelope.Delivered(&place{Item: envelope.Item{Success: true}, City: "Beverly Hills"}),
		Meta: envelope.Meta{
			RequestID: "01J0000000000000000000000A", Version: envelope.Version,
			Credits: envelope.Credits{Used: 1, Source: envelope.SourceNone, Breakdown: envelope.Breakdown{Base: 1}},
		},
	}
	body, err := envelope.Marshal(&r)
	fmt.Println(string(body), err)
	// Output:
	// {"success":true,"request":{"code":"90210","code_type":"ZIP","include":[]},"results":[{"success":true,"city":"Beverly Hills"}],"meta":{"request_id":"01J0000000000000000000000A","version":"2.0.0","timing_ms":0,"credits":{"used":1,"source":"none","breakdown":{"base":1,"enrichments":{}}}}} <nil>
}

func ExampleLinks_Error() {
	links := envelope.Links{Docs: "https://example.com/docs"}.OrOwn()
	e := links.Error(envelope.NewFault(envelope.ValidationMissingParam, wording.MissingParam("code", "zip")))
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
