// Package envelope defines the types that all responses share: codes, messages,
// notices, items, credits, metadata and the response itself.
//
// # Usage
//
// A program that reads the responses of a server can take the result types of the library:
//
//	var r envelope.Response[json.RawMessage, lookup.QuickRecord]
//	err := json.Unmarshal(body, &r)
//
// Package server/client does this, and sends the requests.
//
// # Nulls
//
// Properties without a value are omitted unless the contract requires null.
// Required lists are [] when empty. HTML characters are not escaped, and a body
// does not end with a newline.
//
// # Errors
//
// A [Failure] is the error of an operation of the library:
//
//	_, err := db.Radius(ctx, "90210", radius.Options{Max: 9999})
//	if f := envelope.AsFailure(err); f != nil && f.Kind == envelope.KindInvalidParam {
//		fmt.Println(f.Param, f.Range)
//	}
//
// [FaultOf] returns its code and message in the contract, and [Links.Error] the public
// error. Any other error becomes INTERNAL_ERROR with a fixed message.
package envelope
