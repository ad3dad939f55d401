// Package envelope defines the types that all responses share: codes, messages,
// notices, items, credits, metadata, the echo of the request, and the response
// itself. It also encodes them.
//
// # Usage
//
// A program that calls the library can produce the response of a server:
//
//	r := envelope.Response[envelope.CodeRequest, *lookup.QuickRecord]{
//		Success: true,
//		Request: envelope.CodeRequest{Code: "90210", CodeType: "ZIP"},
//		Results: envelope.Delivered(record),
//		Meta:    envelope.Meta{RequestID: id, Version: envelope.Version, Credits: credits},
//	}
//	body, err := envelope.Marshal(&r)
//
// # Nulls
//
// Properties without a value are omitted unless the contract requires null.
// Required lists are [] when empty. HTML characters are not escaped, and a body
// does not end with a newline.
//
// # Errors
//
// A Go error that implements [Failure] has a contract code and message.
// [Links.Error] converts it to a public error. Any other error becomes
// INTERNAL_ERROR with a fixed message.
package envelope
