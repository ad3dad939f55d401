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
// Every tool reads and none writes. Package operation describes the tools and
// their arguments. Structured content is the item of the HTTP interface, the text
// has the same bytes, and the schema follows the Go type. The argument limit bounds
// lists, and [Options.MaxResult] bounds every result. The argument only selects
// members.
//
// # Concurrency
//
// The server runs as many calls at once as there are processors. Others wait.
//
// # Errors
//
// Errors of the input are tool errors. The text begins with a code of the HTTP
// interface, and the metadata has the failed item, see [FailedItem]. This package
// checks arguments, so that callers get the messages of the interface.
package tools
