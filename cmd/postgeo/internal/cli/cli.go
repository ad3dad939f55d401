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
	Help helpFlag `help:"Show what a command does and its flags." short:"h"`

	Lookup     lookupCmd     `cmd:"" help:"Look up ZIP, ZIP+4, FSA and postal codes, and coordinates."`
	Address    addressCmd    `cmd:"" help:"Match US addresses to ZIP+4 records, or parse them."`
	Distance   distanceCmd   `cmd:"" help:"Distances and bearings between codes or coordinates."`
	Radius     radiusCmd     `cmd:"" help:"Find the codes around a code or coordinate."`
	Nearest    nearestCmd    `cmd:"" help:"Find the codes nearest to a code or coordinate."`
	Inside     insideCmd     `cmd:"" help:"Find the codes inside a polygon."`
	CodesIn    codesInCmd    `cmd:"" name:"codes-in" help:"List the ZIPs or FSAs of a county, place, tract, district or other area."`
	Neighbors  neighborsCmd  `cmd:"" help:"List the codes whose areas touch that of a code."`
	Boundary   boundaryCmd   `cmd:"" help:"Write the boundaries of codes, or of areas, as GeoJSON."`
	Crosswalk  crosswalkCmd  `cmd:"" help:"Write which codes and which areas share something, and how much."`
	Enrich     enrichCmd     `cmd:"" help:"Add fields of any answer to every row of a table: CSV, TSV, NDJSON or Parquet."`
	Export     exportCmd     `cmd:"" help:"Write codes, crosswalks, the survey and areas as plain tables for other engines."`
	Suggest    suggestCmd    `cmd:"" help:"Complete a name or code as one types."`
	Acs        acsCmd        `cmd:"" name:"acs" help:"Ask the American Community Survey: fields, series, aggregates, comparisons."`
	Map        mapCmd        `cmd:"" help:"Draw the area of a code as SVG."`
	Serve      serveCmd      `cmd:"" help:"Answer the same questions over HTTP."`
	Config     configCmd     `cmd:"" help:"Check and show what the server is configured to."`
	Dataset    datasetCmd    `cmd:"" help:"Build, inspect, verify and compare datasets."`
	Account    accountCmd    `cmd:"" help:"Create, list and change accounts."`
	Key        keyCmd        `cmd:"" help:"Create, list, rotate and deactivate API keys."`
	Credits    creditsCmd    `cmd:"" help:"Grant credits and show what became of them."`
	Version    versionCmd    `cmd:"" help:"Show the version of this program."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
}

const description = `US and Canadian postal geography.

The dataset is --data FILE, else $POSTGEO_DATA, else the file that "postgeo dataset build" wrote, else an embedded sample of invented data around real codes.

Exit codes: 0 done, 1 failed or nothing found, 2 wrong use.`

// Run parses the arguments, runs the command that they name, and returns the
// exit code. It stops when ctx is done. It uses nothing of the process but
// what env holds, except for files and the network.
func Run(ctx context.Context, args []string, env Env) int {
	if len(args) > 0 && args[0] == completeCommand {
		complete(args[1:], env.Stdout)
		return Done
	}
	if len(args) > 0 && args[0] == manCommand {
		return report(&env, manual(env.Stdout, strings.Join(args[1:], " ")))
	}
	parser, err := newParser(&grammar{}, &env)
	if err != nil {
		return report(&env, err)
	}
	if len(args) == 0 {
		parser.Stdout = env.Stderr // help that nobody asked for is no result
		if err := parse(ctx, parser, []string{"--help"}, &env); err != nil {
			return report(&env, err)
		}
		return WrongUse
	}
	return report(&env, parse(ctx, parser, args, &env))
}

func newParser(g *grammar, env *Env) (*kong.Kong, error) {
	return kong.New(g,
		kong.Name("postgeo"),
		kong.Description(description),
		kong.NoDefaultHelp(),
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true, WrapUpperBound: 100}),
		kong.Writers(env.Stdout, env.Stderr),
		kong.Vars{"layers": strings.Join(layerList(), ", ")},
	)
}

func parse(ctx context.Context, parser *kong.Kong, args []string, env *Env) error {
	command, err := parser.Parse(arrange(parser.Model.Node, args))
	if errors.Is(err, errHelpShown) {
		return nil
	}
	if err != nil {
		return &usageError{reason: err.Error(), command: selected(command, err)}
	}
	command.BindTo(ctx, (*context.Context)(nil))
	return command.Run(env)
}

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

// A helpFlag prints the help of the command it stands after.
type helpFlag bool

var errHelpShown = errors.New("help was shown")

// IgnoreDefault keeps the parser from resetting the flag.
func (helpFlag) IgnoreDefault() {}

// BeforeReset prints the help, before anything is found missing.
func (helpFlag) BeforeReset(ctx *kong.Context) error {
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	return errHelpShown
}
