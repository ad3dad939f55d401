package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpCommand before the name of a command asks for its help, as --help behind
// it does.
const helpCommand = "help"

// errShown says that a flag has shown what was asked for.
var errShown = errors.New("already shown")

// A helpFlag prints the help of the command it stands after.
type helpFlag bool

// IgnoreDefault keeps the parser from resetting the flag.
func (helpFlag) IgnoreDefault() {}

// BeforeReset prints the help, before anything is found missing.
func (helpFlag) BeforeReset(ctx *kong.Context) error {
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	return errShown
}

// A versionFlag prints the version in one line.
type versionFlag bool

// IgnoreDefault keeps the parser from resetting the flag.
func (versionFlag) IgnoreDefault() {}

// BeforeReset prints the version, before anything is found missing.
func (versionFlag) BeforeReset(ctx *kong.Context) error {
	v := readVersion()
	if _, err := fmt.Fprintf(ctx.Stdout, "postgeo %s %s %s\n", v.Version, v.Platform, v.Go); err != nil {
		return err
	}
	return errShown
}

// valueHelp is what the help says of a flag, with its default where it has one
// and does not tell it itself.
func valueHelp(v *kong.Value) string {
	if !v.HasDefault || v.Default == "" || strings.Contains(strings.ToLower(v.Help), "default") {
		return v.Help
	}
	fallback := v.Default
	if fallback == "-" {
		fallback = "standard output"
	}
	return v.Help + " Default: " + fallback + "."
}

// printHelp prints the help of a command without the flags that are about the
// program and without the headings of the commands of all of it.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if node := ctx.Selected(); node != nil {
		for _, f := range ctx.Model.Flags {
			f.Hidden = f.Hidden || f.Name == "version"
		}
		for _, child := range node.Children {
			child.Group = nil
		}
	}
	return kong.DefaultHelpPrinter(options, ctx)
}
