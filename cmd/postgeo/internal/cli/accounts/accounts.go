// Package accounts holds the commands of accounts, API keys and credits, and opens
// the stores of accounts.
package accounts

import (
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

// A call is one run of a command with open accounts.
type call struct {
	*command.Call
	*Store
	now time.Time
}

// page returns the view of one item.
func page[R any]() command.View { return command.View{All: output.Columns[R]()} }

// list returns the view of a list with some columns in tables, by default all.
func list[R any](summary ...string) command.View {
	v := command.Table(output.Columns[R]())
	if len(summary) > 0 {
		v.Summary = command.Paths(summary...)
	}
	return v
}

// write opens the accounts, and writes the rows that a function reads or changes. The
// view is set before, so that an invalid flag changes nothing.
func write[R any](c *command.Call, f Flags, v command.View, do func(c *call) ([]R, error)) error {
	if err := c.View(v); err != nil {
		return err
	}
	s, err := f.Open(c.Context, c.Env, f.Create)
	if err != nil {
		return command.Kind("accounts", err)
	}
	rows, err := do(&call{c, s, time.Now()})
	if err = errors.Join(err, s.Close()); err != nil {
		return command.Kind("accounts", err)
	}
	return command.More(c, rows)
}

// one returns a row.
func one[R any](row R, err error) ([]R, error) { return []R{row}, err }

// describe returns a row for each item.
func describe[T, R any](items []T, err error, row func(*T) R) ([]R, error) {
	rows := make([]R, len(items))
	for i := range items {
		rows[i] = row(&items[i])
	}
	return rows, err
}

// accountRef names an account.
type accountRef struct {
	ID string `arg:"" name:"account" help:"The account's ID, as 'account list' shows it."`
}

// ofAccount are the options of a command about one account.
type ofAccount struct {
	accountRef
	Flags
	command.Format
}

// ofAll are the options of a command about all accounts.
type ofAll struct {
	Flags
	command.Format
}

// invalid makes a usage error of a value that package billing refuses.
func invalid(flag string, err error) error {
	if err == nil {
		return nil
	}
	return command.Usage(`%s: %s`, flag, command.Bare(err))
}

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
