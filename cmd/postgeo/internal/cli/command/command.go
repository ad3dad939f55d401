// Package command makes commands of cobra from structs of options and runs them.
//
// # Usage
//
// A [Spec] declares a command: its options, its columns and its function. The tags
// of the options describe flags and arguments, see package operation:
//
//	type options struct {
//		Center string `arg:"" join:"codes" help:"Code or latitude,longitude."`
//		Count  int    `short:"n" default:"1" placeholder:"N" help:"Number of codes."`
//
//		command.Data
//		command.GeoFormat
//	}
//
// Options that embed [Data] get an open dataset, those that embed [Format] or
// [GeoFormat] a writer. Tags of the command line are:
//
//	short        short name of a flag
//	arg          an argument instead of a flag
//	optional     an argument that may be missing
//	enum         accepted values, separated by commas
//	placeholder  name of the value in the help
//	xor          at most one flag of those with the same text may be set
//	join         how words of the shell become arguments, see [JoinWords]
//	terms        names of NAME=TEXT that may follow the last value of a list, after commas
//	whole        commas belong to the values of a list
//	type:"path"  a file name: "~" and relative names are made absolute
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

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// A Spec declares a command with options O that writes rows R.
type Spec[O, R any] struct {
	Name     string
	Aliases  []string
	Group    string // heading of the help of the program
	Short    string // such as "Find …"
	Long     string
	Examples string // see [Examples]

	// Check reads the options before the dataset is opened. Nil accepts all.
	Check func(o *O, env *Env) error
	// View returns the columns of the rows. Nil means all columns of R, with a
	// table of one row upright.
	View func(o *O, c *Call) (View, error)
	// Run returns the result.
	Run func(o *O, c *Call) (Result, error)
}

// New returns the command of a declaration.
func New[O, R any](s Spec[O, R]) *cobra.Command {
	o := new(O)
	c := &cobra.Command{Use: s.Name, Aliases: s.Aliases, GroupID: s.Group, Short: s.Short, Long: s.Short, Example: s.Examples}
	if s.Long != "" {
		c.Long += "\n\n" + s.Long
	}
	params := bind(c, reflect.ValueOf(o).Elem())
	c.RunE = func(c *cobra.Command, words []string) error {
		env := envOf(c)
		env.params = params
		if err := params.fill(c, words); err != nil {
			return err
		}
		if s.Check != nil {
			if err := s.Check(o, env); err != nil {
				return err
			}
		}
		view := func(*Call) (View, error) { return View{All: output.Columns[R]()}, nil }
		if s.View != nil {
			view = func(c *Call) (View, error) { return s.View(o, c) }
		}
		return execute(c.Context(), env, params, o, view, func(c *Call) (Result, error) { return s.Run(o, c) })
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
	return UsageOf(c.CommandPath(), `missing command; '%s' has %s`, c.CommandPath(), listed(names(c)))
}

// Examples returns the examples of pairs of a command line and its purpose.
func Examples(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			b.WriteString("  # " + pairs[i+1] + "\n")
		}
		b.WriteString("  " + pairs[i] + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Exit codes.
const (
	Done   = 0
	Failed = 1 // a failure, or a code that was not found
	Misuse = 2 // a usage error
)

type envKey struct{}

// envOf returns the Env of a command that runs.
func envOf(c *cobra.Command) *Env {
	env, _ := c.Context().Value(envKey{}).(*Env)
	env.running = true
	return env
}

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
	if err != nil && !env.running && env.usageOf(err) == nil {
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

// marked marks negative numbers, such as southern latitudes, which are not flags.
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

// names lists the commands of a group.
func names(c *cobra.Command) (list []string) {
	for _, child := range c.Commands() {
		if child.IsAvailableCommand() {
			list = append(list, child.Name())
		}
	}
	return list
}

// listed writes "a, b and c".
func listed(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
