// Package cli is the postgeo command line: it parses arguments, runs one
// command and tells with an exit code how that went.
//
// # Usage
//
//	code := cli.Run(ctx, os.Args[1:], cli.Process())
//
// Every subcommand is a struct in a file of its own. A command writes results
// to Env.Stdout and everything else to Env.Stderr, so that tests run commands
// in their own process with an Env of buffers.
//
// # Errors
//
// An error is one line on standard error that begins with its kind ("wrong
// use", "not found", "dataset" …) and says what was given, what was expected
// and what to do. Exit codes: [Done], [Failed], [WrongUse].
package cli
