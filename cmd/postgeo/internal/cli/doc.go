// Package cli is the postgeo command line: it runs one command and returns an
// exit code.
//
// # Usage
//
//	code := cli.Run(ctx, os.Args[1:], cli.Process())
//
// Commands are declared in a folder for each topic: query, survey, tables, serve,
// accounts and data. Package command parses their flags and runs them; package
// message is the table of their texts. Tests run commands in their own
// process with an [Env] of buffers.
//
// # Errors
//
// An error is one line on standard error. Exit codes: [Done], [Failed], [Misuse].
package cli
