package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	Done     = 0 // everything that was asked for was answered
	Failed   = 1 // something failed, or a code was not found
	WrongUse = 2 // the command line is not right
)

// grammar is the command line. Its fields are the subcommands.
type grammar struct {
	Help        helpFlag    `help:"Show what a command does and its flags." short:"h"`
	ShowVersion versionFlag `help:"Show the version of this program." short:"v" name:"version"`

	Lookup   lookupCmd   `cmd:"" group:"codes" help:"Look up ZIP, ZIP+4, FSA and postal codes, and coordinates."`
	Suggest  suggestCmd  `cmd:"" group:"codes" help:"Find places, codes and areas by name, or complete what is typed."`
	Address  addressCmd  `cmd:"" group:"codes" help:"Match US addresses to ZIP+4 records, or parse them."`
	Distance distanceCmd `cmd:"" group:"codes" help:"Measure distances and bearings between codes or coordinates."`

	Radius    radiusCmd    `cmd:"" group:"areas" help:"Find the codes around a code or coordinate."`
	Nearest   nearestCmd   `cmd:"" group:"areas" help:"Find the codes nearest to a code or coordinate."`
	Inside    insideCmd    `cmd:"" group:"areas" help:"Find the codes inside a polygon."`
	CodesIn   codesInCmd   `cmd:"" group:"areas" name:"codes-in" help:"List the codes of a county, place, tract, district or other area."`
	Neighbors neighborsCmd `cmd:"" group:"areas" help:"List the codes whose areas touch that of a code."`
	Crosswalk crosswalkCmd `cmd:"" group:"areas" help:"Write which codes and which areas share something, and how much."`
	Boundary  boundaryCmd  `cmd:"" group:"areas" help:"Write the boundaries of codes, or of areas, as GeoJSON."`
	Map       mapCmd       `cmd:"" group:"areas" help:"Draw the area of a code as SVG."`

	Acs acsCmd `cmd:"" group:"survey" name:"acs" help:"Ask the American Community Survey: series, sums, comparisons."`

	Enrich enrichCmd `cmd:"" group:"tables" help:"Add fields to every row of a table: CSV, TSV, NDJSON or Parquet."`
	Export exportCmd `cmd:"" group:"tables" help:"Write codes, crosswalks, the survey and areas as plain tables."`

	Serve   serveCmd   `cmd:"" group:"server" help:"Answer the same questions over HTTP."`
	Config  configCmd  `cmd:"" group:"server" help:"Check and show what the server is configured to."`
	Account accountCmd `cmd:"" group:"server" help:"Create, list and change accounts."`
	Key     keyCmd     `cmd:"" group:"server" help:"Create, list, rotate and deactivate API keys."`
	Credits creditsCmd `cmd:"" group:"server" help:"Grant credits and show what became of them."`

	Dataset    datasetCmd    `cmd:"" group:"program" help:"Build, inspect, verify and compare datasets."`
	Version    versionCmd    `cmd:"" group:"program" help:"Show the version of this program."`
	Completion completionCmd `cmd:"" group:"program" help:"Print a completion script for a shell."`
}

// groups are the headings of the commands in the help, in its order.
var groups = []kong.Group{
	{Key: "codes", Title: "Codes, places and addresses:"},
	{Key: "areas", Title: "Searches and areas:"},
	{Key: "survey", Title: "The survey:"},
	{Key: "tables", Title: "Tables:"},
	{Key: "server", Title: "The server and its accounts:"},
	{Key: "program", Title: "Datasets and this program:"},
	{Key: "key", Title: "Columns of the keys, found by their names where none is given:"}, // of enrich
}

const description = `US and Canadian postal geography.

The dataset is --data FILE, else $POSTGEO_DATA, else the file that "postgeo dataset build" wrote, else an embedded sample of invented data around real codes.

Exit codes: 0 done, 1 failed or nothing found, 2 wrong use. "postgeo help COMMAND" shows a command's arguments, flags and examples.`

// Run parses the arguments, runs the command that they name, and returns the
// exit code. It stops when ctx is done. It uses nothing of the process but
// the streams, except for files and the network.
func Run(ctx context.Context, args []string, streams Env) int {
	env := streams.escaped()
	if len(args) > 0 && args[0] == completeCommand {
		complete(args[1:], env.Stdout)
		return Done
	}
	if len(args) > 0 && args[0] == manCommand {
		return report(env, manual(env.Stdout, strings.Join(args[1:], " ")))
	}
	parser, err := newParser(&grammar{}, env)
	if err != nil {
		return report(env, err)
	}
	if len(args) > 0 && args[0] == helpCommand {
		args = append(args[1:len(args):len(args)], "--help")
	}
	if len(args) == 0 {
		parser.Stdout = env.Stderr // help that nobody asked for is no result
		if err := parse(ctx, parser, []string{"--help"}, env); err != nil {
			return report(env, err)
		}
		return WrongUse
	}
	return report(env, parse(ctx, parser, args, env))
}

func newParser(g *grammar, env *Env) (*kong.Kong, error) {
	parser, err := kong.New(g,
		kong.Name("postgeo"),
		kong.Description(description),
		kong.NoDefaultHelp(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
		kong.Help(printHelp),
		kong.ValueFormatter(valueHelp),
		kong.ExplicitGroups(groups),
		kong.Writers(env.Stdout, env.Stderr),
		kong.Vars{"layers": strings.Join(layerList(), ", ")},
	)
	if err != nil {
		return nil, err
	}
	addExamples(parser.Model.Node)
	return parser, nil
}

func parse(ctx context.Context, parser *kong.Kong, args []string, env *Env) error {
	args, err := arrange(parser.Model.Node, args)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if errors.Is(err, errShown) {
		return nil
	}
	if err != nil {
		return &usageError{reason: plainly.Replace(err.Error()), command: selected(command, err)}
	}
	command.BindTo(ctx, (*context.Context)(nil))
	return command.Run(env)
}

// plainly says in words what the parser expected.
var plainly = strings.NewReplacer(
	"expected a valid 64 bit int but got", "expected a whole number but got",
	"expected a float but got", "expected a number but got",
	" (string)", "",
	"expected duration but got", "expected a span of time such as 30s or 24h but got",
	`must be one of "auto","table"`, `must be one of "table"`,
)

// selected names the command that a parse error belongs to.
func selected(command *kong.Context, err error) string {
	var parseErr *kong.ParseError
	if command == nil && errors.As(err, &parseErr) {
		command = parseErr.Context
	}
	if command == nil || command.Selected() == nil {
		return "postgeo"
	}
	return command.Selected().FullPath()
}
