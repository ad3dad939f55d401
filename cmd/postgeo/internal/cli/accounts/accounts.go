// Package accounts holds the commands of accounts, API keys and credits, and opens
// the stores of accounts.
package accounts

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
)

// Commands returns "postgeo account", "postgeo key" and "postgeo credits".
func Commands() []*cobra.Command {
	const group = "The server and its accounts"
	return []*cobra.Command{
		command.Group("account", group, "Create, list and change accounts.", accountCommands()...),
		command.Group("key", group, "Create, list, rotate and deactivate API keys.", keyCommands()...),
		command.Group("credits", group, "Grant credits and show their use.", creditsCommands()...),
	}
}

// A task declares a command with options O that reads or changes the accounts. It
// writes rows R.
type task[O, R any] struct {
	name, short string
	examples    string
	check       func(o *O, env *command.Env) error // nil accepts all options
	list        bool                               // JSON is an array
	summary     []string                           // columns of the table of a list; none: all
	create      bool                               // missing accounts are created
	store       func(o *O) Flags
	run         func(o *O, c *call) ([]R, error)
}

// A call is one run of a task.
type call struct {
	*command.Call
	*Store
	ctx context.Context
	now time.Time
}

// command returns the command of a task. The format is read before the accounts
// are opened, so that an invalid one changes nothing.
func (t task[O, R]) command() *cobra.Command {
	return command.New(command.Spec[O, R]{
		Name: t.name, Short: t.short, Examples: t.examples, Check: t.check,
		View: func(*O, *command.Call) (command.View, error) {
			v := command.View{All: output.Columns[R](), Array: t.list}
			if t.list {
				v.Summary = v.All
			}
			if t.summary != nil {
				v.Summary = command.Paths(t.summary...)
			}
			return v, nil
		},
		Run: func(o *O, c *command.Call) (command.Result, error) {
			s, err := t.store(o).Open(c.Context, c.Env, t.create)
			if err != nil {
				return command.Result{}, command.Kind("accounts", err)
			}
			rows, err := t.run(o, &call{Call: c, Store: s, ctx: c.Context, now: time.Now()})
			return command.Rows(rows), command.Kind("accounts", errors.Join(err, s.Close()))
		},
	})
}

// accountRef names an account, as an argument or as a flag.
type accountRef struct {
	ID      string `arg:"" optional:"" name:"account" help:"The account's ID; or --account."`
	Account string `help:"The account's ID." placeholder:"ID" name:"account"`
}

// resolve puts the ID of the account into r.ID.
func (r *accountRef) resolve() error {
	switch {
	case r.ID != "" && r.Account != "" && r.ID != r.Account:
		return command.Usage(`two accounts, %s and %s; use one`, r.ID, r.Account)
	case r.ID == "" && r.Account == "":
		return command.Usage(`missing flag --account=ID; 'postgeo account list' shows the IDs`)
	case r.ID == "":
		r.ID = r.Account
	}
	return nil
}

// ofAccount are the options of a command about one account.
type ofAccount struct {
	accountRef
	Flags
	command.Format
}

func (o *ofAccount) check(*command.Env) error { return o.resolve() }

func (o *ofAccount) store() Flags { return o.Flags }

// ofAll are the options of a command about all accounts.
type ofAll struct {
	Flags
	command.Format
}

func (o *ofAll) store() Flags { return o.Flags }

// stamp writes a time as RFC 3339; the zero time is "".
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// parseMoment reads a day ("2027-01-31", its 00:00 UTC), a time in RFC 3339 form, or
// a duration before or after now ("36h", "90d").
func parseMoment(flag, s string, now time.Time, sign int) (time.Time, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n <= 36_500 {
			return now.AddDate(0, 0, sign*n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(time.Duration(sign) * d), nil
	}
	if t, err := operation.ParseTime(s); err == nil {
		return t, nil
	}
	return time.Time{}, command.Usage(command.InvalidValue, flag, s, `a duration (36h, 90d), a day (2027-01-31) or a time (2027-01-31T12:00:00Z)`)
}
