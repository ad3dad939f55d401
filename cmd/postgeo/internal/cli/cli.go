// Package cli is the postgeo command line: it runs one command and returns an
// exit code.
//
// # Usage
//
//	code := cli.Run(ctx, os.Args[1:], cli.Process())
//
// Commands are declared in a folder for each topic: query, survey, tables, serve,
// accounts and data. Package command makes them commands of cobra and runs them. Tests
// run commands in their own process with an [Env] of buffers.
//
// # Errors
//
// An error is one line on standard error. Exit codes: [Done], [Failed], [Misuse].
package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
	return command.Main(ctx, Program(), words, env)
}

// about is the heading of the commands about datasets and the program.
const about = "Datasets and this program"

// Program returns the commands.
func Program() *cobra.Command {
	cobra.EnableCommandSorting = false
	p := command.Group("postgeo", "", "US and Canadian postal geography.", slices.Concat(
		query.Commands(), []*cobra.Command{survey.Command()}, tables.Commands(), []*cobra.Command{serve.Command()}, accounts.Commands(),
		[]*cobra.Command{data.Command(), command.VersionCommand(about)},
	)...)
	p.Long += "\n\n" + `The dataset is --data FILE, else $POSTGEO_DATA, else the file of "postgeo dataset build", else an embedded sample of about 400 ZIP Codes.` + "\n\n" +
		`Exit codes: 0 success, 1 failure or nothing found, 2 usage error. "postgeo help COMMAND" shows a command's arguments, flags and examples.`
	p.Version = command.ReadVersion().String()
	p.SetCompletionCommandGroupID(about)
	for _, c := range p.Commands() {
		c.SuggestFor = strings.Fields(synonyms[c.Name()])
		for _, below := range c.Commands() {
			below.SuggestFor = strings.Fields(synonyms[c.Name()+" "+below.Name()])
		}
	}
	return p
}

// synonyms are words that people type for commands.
var synonyms = map[string]string{
	"lookup": "zip zipcode postal postcode code get", "suggest": "find search complete autocomplete", "address": "match parse validate",
	"nearest": "near closest", "radius": "around within circle", "inside": "polygon", "codes-in": "county codes", "neighbors": "neighbours adjacent",
	"boundary": "outline geojson shape", "distance": "bearing", "acs": "census survey", "acs profile": "demographics",
	"enrich": "csv bulk join", "export": "dump", "map": "svg draw plot", "serve": "server start run http api",
	"dataset build": "download update", "dataset info": "data", "key list": "keys", "account list": "accounts",
}
