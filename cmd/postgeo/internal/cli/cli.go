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

import (
	"context"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/accounts"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/data"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/query"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/serve"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/survey"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/tables"
)

// Exit codes.
const (
	Done   = command.Done
	Failed = command.Failed // a failure, or a code that was not found
	Misuse = command.Misuse // a usage error
)

// Env is the environment of a command.
type Env = command.Env

// Process returns the Env of the running process.
func Process() Env { return command.Process() }

// Run parses the words after the program's name, runs their command, and returns
// the exit code. It stops at the end of the context. It uses only the streams of
// the Env, files and the network.
func Run(ctx context.Context, words []string, env Env) int {
	return command.Main(ctx, program(), words, env)
}

func program() *command.Command {
	p := &command.Command{
		Name: "postgeo", Short: "US and Canadian postal geography.",
		Long: `The dataset is --data FILE, else $POSTGEO_DATA, else the file of "postgeo dataset build", else an embedded sample of invented data around real codes.` + "\n\n" +
			`Exit codes: 0 success, 1 failure or nothing found, 2 usage error. "postgeo help COMMAND" shows a command's arguments, flags and examples.`,
	}
	p.Commands = append(p.Commands, query.Commands()...)
	p.Commands = append(p.Commands, survey.Command())
	p.Commands = append(p.Commands, tables.Commands()...)
	p.Commands = append(p.Commands, serve.Commands()...)
	p.Commands = append(p.Commands, accounts.Commands()...)
	p.Commands = append(p.Commands, data.Command(), command.VersionCommand(), command.CompletionCommand())
	return p.Link()
}
