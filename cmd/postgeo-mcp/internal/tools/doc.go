// Package tools offers the calls of a [postgeo.DB] as tools of the Model
// Context Protocol.
//
// # Usage
//
// [New] makes a server that any transport of the SDK can carry:
//
//	s, err := tools.New(db, tools.Options{Version: version})
//	err = s.Run(ctx, &mcp.StdioTransport{})
//
// # Data
//
// Every tool reads and none writes. Structured content is the item of the HTTP
// interface, the same bytes are its text, and its schema is made of the Go type.
// Results are bounded: lists by the argument limit, everything by
// [Options.MaxResult]; the argument only chooses members of them.
//
// # Concurrency
//
// Calls may come at once; as many are worked at the same time as there are
// processors, the others wait.
//
// # Errors
//
// What a caller can mend is a tool error: its text begins with a code of the
// interface, and the failed item is in its meta data, see [FailedItem]. Arguments are checked
// here against the schema that a tool declares, so that it is the interface's
// sentences that a caller reads.
package tools
