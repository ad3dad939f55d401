// Package envelope holds the shapes that every answer of the interface shares:
// codes, sentences, notices, items, credits, meta data, the echo of a request
// and the response around them, together with the one writer of their JSON.
//
// # Usage
//
// A Go program that calls the library can produce the bytes that a server
// would send:
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
// A property without a value is left out, with the exceptions that the
// contract makes; lists that are always present are written as [] and never
// as null. HTML characters are not escaped, and nothing follows the closing
// brace: no newline ends a body.
//
// # Errors
//
// A Go error that implements [Failure] knows its contract code and sentence.
// [Links.Error] turns it into what a caller sees, and any other error into
// INTERNAL_ERROR, whose sentence never changes.
package envelope
