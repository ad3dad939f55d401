// Package command makes commands of cobra from structs of options and runs them.
//
// # Usage
//
// The options of a command are a struct, and a function runs it. Tags describe flags and
// arguments, see package operation:
//
//	type options struct {
//		Center string `arg:"" join:"codes" help:"Code or latitude,longitude."`
//		Count  int    `short:"n" default:"1" placeholder:"N" help:"Number of codes."`
//
//		command.Data
//		command.GeoFormat
//	}
//
//	command.New(command.About{Name: "near", Short: "Find the nearest codes."}, (*options).run)
//
// Options that embed [Data] get an open dataset, those that embed [Format] or
// [GeoFormat] a writer. Tags of the command line are:
//
//	short        short name of a flag
//	arg          an argument instead of a flag
//	optional     an argument that may be missing
//	enum         accepted values, separated by commas
//	placeholder  name of the value in the help
//	join         how words of the shell become arguments, see [JoinWords]
//	whole        commas belong to the values of a list
//
// # Errors
//
// [Usage] makes an error of the command line (exit code 2). Every other error
// is a failure (exit code 1). Errors are one line on standard error.
package command

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

// Commands, flags, help and completion are cobra's. This package adds to cobra:
//
//   - flags from the tags of operations, so that no front end lists parameters a second time;
//   - arguments that are joined and parsed like flags;
//   - errors that name the remedy;
//   - one way from options to rows (execute), which opens and closes the dataset.

// An About describes a command for people.
type About struct {
	Name  string
	Group string // heading of the help of the program
	Short string // such as "Find …"
	Long  string
}

// Of describes the command of an operation.
func Of(o *operation.Operation, group, more string) About {
	_, name, below := strings.Cut(o.Command, " ")
	if !below {
		name = o.Command
	}
	return About{Name: name, Group: group, Short: o.Summary, Long: strings.TrimSpace(o.Detail + " " + more)}
}

// New returns a command that runs a function with options O, and with examples as pairs of
// a command line and its purpose.
func New[O any](a About, run func(o *O, c *Call) error, examples ...string) *cobra.Command {
	o := new(O)
	c := &cobra.Command{Use: a.Name, GroupID: a.Group, Short: a.Short, Long: a.Short, Example: exampleText(examples)}
	if a.Long != "" {
		c.Long += "\n\n" + a.Long
	}
	params := bind(c, reflect.ValueOf(o).Elem())
	c.RunE = func(c *cobra.Command, words []string) error {
		env, _ := c.Context().Value(envKey{}).(*Env)
		env.running, env.params = true, params // an error from here on is not cobra's
		if err := params.fill(c, words); err != nil {
			return err
		}
		return execute(c.Context(), env, o, run)
	}
	return c
}

// Group returns a command that groups others.
func Group(name, group, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name + " <command>", GroupID: group, Short: short, Long: short, Args: cobra.ArbitraryArgs, RunE: missing, FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
	for _, child := range commands {
		if id := child.GroupID; id != "" && !c.ContainsGroup(id) {
			c.AddGroup(&cobra.Group{ID: id, Title: id + ":"})
		}
		c.AddCommand(child)
	}
	return c
}

// missing refuses a group without one of its commands.
func missing(c *cobra.Command, words []string) error {
	if len(words) > 0 {
		return unknownCommand(c, words)
	}
	return UsageOf(c.CommandPath(), `missing command; '%s' has %s`, c.CommandPath(), names(c))
}

func exampleText(pairs []string) string {
	var lines []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			lines = append(lines, "  # "+pairs[i+1])
		}
		lines = append(lines, "  "+pairs[i])
	}
	return strings.Join(lines, "\n")
}

// Exit codes.
const (
	Done   = 0
	Failed = 1 // a failure, or a code that was not found
	Misuse = 2 // a usage error
)

type envKey struct{}

// Main runs the command line of a program and returns the exit code.
func Main(ctx context.Context, program *cobra.Command, words []string, streams Env) (code int) {
	env := streams.escaped()
	program.SilenceErrors, program.SilenceUsage = true, true
	program.SetIn(env.Stdin)
	program.SetOut(env.Stdout)
	program.SetErr(env.Stderr)
	program.SetUsageFunc(func(c *cobra.Command) error { return writeUsage(c, helpWidth(env)) })
	program.SetHelpFunc(func(c *cobra.Command, _ []string) {
		c.Println(wrapped(c.Long, helpWidth(env)) + "\n")
		_ = c.Usage()
	})
	program.SetFlagErrorFunc(flagError)
	program.SetHelpCommand(helpCommand())
	program.InitDefaultCompletionCmd()
	if c, _, err := program.Find([]string{"completion"}); err == nil && c != program {
		c.Args, c.RunE = cobra.ArbitraryArgs, missing
	}
	if len(words) == 0 { // this help is not a result
		program.SetOut(env.Stderr)
		words = []string{"--help"}
		defer func() { code = Misuse }()
	}
	program.SetArgs(marked(words))
	c, err := program.ExecuteContextC(context.WithValue(ctx, envKey{}, env))
	if err != nil && !env.running && env.usageOf(err) == nil { // cobra's own errors have no type
		err = UsageOf(c.CommandPath(), "%s", err.Error())
	}
	return report(env, err)
}

// helpCommand returns "help", which unlike cobra's refuses unknown commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{Use: "help [command]", Short: "Show the help of a command.", Hidden: true, RunE: func(c *cobra.Command, words []string) error {
		of, rest, err := c.Root().Find(words)
		if err == nil && len(rest) > 0 {
			err = unknownCommand(of, rest)
		}
		if err != nil {
			return err
		}
		of.InitDefaultHelpFlag()
		of.InitDefaultVersionFlag()
		return of.Help()
	}}
}

// mark begins a word that is an argument in spite of its minus sign. No argument of a
// process can have this byte.
const mark = "\x00"

// marked marks negative numbers, such as western longitudes, which pflag would take for
// short flags. Users need no "--" before them.
func marked(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if len(w) > 1 && w[0] == '-' && strings.IndexByte("0123456789.", w[1]) >= 0 {
			out[i] = mark + w
		}
	}
	return out
}

func unmarked(words []string) []string {
	out := slices.Clone(words)
	for i := range out {
		out[i] = strings.TrimPrefix(out[i], mark)
	}
	return out
}

// flagError returns the error of a flag that pflag refuses.
func flagError(c *cobra.Command, err error) error {
	if e := (*pflag.InvalidValueError)(nil); errors.As(err, &e) {
		err = e.Unwrap()
		if usage := (*UsageError)(nil); errors.As(err, &usage) {
			return &UsageError{Reason: usage.Reason, Command: c.CommandPath()}
		}
		return err
	}
	reason := err.Error()
	if e := (*pflag.NotExistError)(nil); errors.As(err, &e) && len(e.GetSpecifiedName()) > 1 {
		var flags []string
		c.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
		if near := NearName(e.GetSpecifiedName(), flags); near != "" {
			reason += "; did you mean --" + near + "?"
		}
	}
	return UsageOf(c.CommandPath(), "%s", reason)
}

// names lists the commands of a group: "a, b and c".
func names(c *cobra.Command) string {
	var list []string
	for _, child := range c.Commands() {
		if child.IsAvailableCommand() {
			list = append(list, child.Name())
		}
	}
	return listed(list, " and ")
}

// listed joins a list by commas, and its last two by a word.
func listed(list []string, word string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + word + list[last]
}

// unknownCommand returns the error for a word that is not a command of a group, with
// the command that cobra suggests.
func unknownCommand(group *cobra.Command, words []string) error {
	name, path := unmarked(words)[0], group.CommandPath()
	group.SuggestionsMinimumDistance = 2
	near := group.SuggestionsFor(strings.ToLower(name))
	if _, err := lookup.ParseCode(name); err == nil && !group.HasParent() {
		near = []string{"lookup " + name}
	}
	switch {
	case len(near) > 0:
		return UsageOf(path, `unknown command %q; did you mean '%s %s'?`, name, path, near[0])
	case group.HasParent():
		return UsageOf(path, `unknown command %q; '%s' has %s`, name, path, names(group))
	default:
		return UsageOf(path, `unknown command %q`, name)
	}
}

// NearName returns the name nearest to a wrong one, or "" if all differ by more than
// a third of the letters.
func NearName(given string, names []string) string {
	best, least := "", (len(given)+2)/3+1
	for _, name := range names {
		if d := edit.Distance(given, name, least); d < least {
			best, least = name, d
		}
	}
	return best
}
