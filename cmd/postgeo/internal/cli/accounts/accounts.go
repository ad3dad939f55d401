// Package accounts holds the commands of accounts, API keys and credits, and opens
// the stores of accounts.
package accounts

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// Commands returns "postgeo account", "postgeo key" and "postgeo credits".
func Commands() []*cobra.Command {
	const group = "The server and its accounts"
	suspend := func(suspended bool) func(o *ofAccount, c *call) (accountInfo, error) {
		return func(o *ofAccount, c *call) (accountInfo, error) {
			return c.update(o.ID, func(a *billing.Account) { a.Suspended = suspended })
		}
	}
	turn := func(off bool) func(o *ofKey, c *call) (keyInfo, error) {
		return func(o *ofKey, c *call) (keyInfo, error) { return o.update(c, func(k *billing.Key) { k.Off = off }) }
	}
	return []*cobra.Command{
		command.Group("account", group, "Create, list and change accounts.",
			page("create", "Create an account.", (*createOptions).run, `postgeo account create --plan free --name "Example & Co."`, ""),
			list("list", "List the accounts, oldest first.", nil, listAccounts, "postgeo account list", ""),
			page("show", "Show an account with its credits and keys.", showAccount, "postgeo account show acct_0123456789abcdef", ""),
			page("suspend", "Refuse an account's keys.", suspend(true), "postgeo account suspend acct_0123456789abcdef", ""),
			page("resume", "Accept a suspended account's keys again.", suspend(false), "postgeo account resume acct_0123456789abcdef", ""),
			page("plan", "Change an account's plan.", (*planOptions).run, "postgeo account plan acct_0123456789abcdef business", ""),
			page("backup", "Copy the accounts' file while servers use it.", (*backupOptions).run, "postgeo account backup accounts-copy.db", ""),
		),
		command.Group("key", group, "Create, list, rotate and deactivate API keys.",
			page("create", "Create a key and print it, once.", (*keyCreateOptions).run,
				"postgeo key create --account acct_0123456789abcdef --name web --origin https://app.example.com", "for pages of one site",
				"postgeo key create --account acct_0123456789abcdef --ip 192.0.2.0/24 --expires 90d", "for one network"),
			list("list", "List the keys of an account, oldest first.", []string{"id", "kind", "shown", "state", "name", "created", "expires"}, listKeys,
				"postgeo key list acct_0123456789abcdef", ""),
			page("show", "Show a key, without its secret.", showKey, "postgeo key show key_0123456789ab", ""),
			page("rotate", "Replace a key with a new one; the old one stays valid for a while.", (*rotateOptions).run,
				"postgeo key rotate key_0123456789ab --grace 48h", "the old key stays valid for two days"),
			page("deactivate", "Refuse a key from now on.", turn(true), "postgeo key deactivate key_0123456789ab", ""),
			page("activate", "Accept a deactivated key again.", turn(false), "postgeo key activate key_0123456789ab", ""),
			page("allow", "Set the addresses and pages that may use a key.", (*allowOptions).run,
				"postgeo key allow key_0123456789ab --ip 192.0.2.7", "from there only", "postgeo key allow key_0123456789ab", "from everywhere again"),
		),
		command.Group("credits", group, "Grant credits and show their use.",
			page("grant", "Grant an account a pack or the credits of its billing period.", (*grantOptions).run,
				"postgeo credits grant acct_0123456789abcdef --source pack --amount 25000 --reference invoice-17", ""),
			page("balance", "Show the credits that an account can spend.", showBalance, "postgeo credits balance acct_0123456789abcdef", ""),
			list("history", "Show the grants and the spending of an account by day, newest first.", nil, (*historyOptions).run,
				"postgeo credits history acct_0123456789abcdef --since 7d", ""),
			list("refunds", "Show refunds for responses that callers cut off, by account and day, newest first.", nil, (*refundsOptions).run,
				"postgeo credits refunds --since 7d", "the refunds of all accounts"),
			page("audit", "Check that the grants, holds and charges of all accounts balance.", audit, "postgeo credits audit", ""),
		),
	}
}

// A call is one run of a command with open accounts.
type call struct {
	*command.Call
	*Store
	now time.Time
}

// A user is a pointer to options that embed [Flags].
type user[O any] interface {
	*O
	flags() Flags
}

// page returns a command with one row as its result.
func page[O, R any, P user[O]](name, short string, run func(o *O, c *call) (R, error), examples ...string) *cobra.Command {
	return leaf[O, R, P](name, short, command.View{All: output.Columns[R]()}, func(o *O, c *call) ([]R, error) {
		row, err := run(o, c)
		return []R{row}, err
	}, examples)
}

// list returns a command with rows as its result. Tables have the summary, by default all columns.
func list[O, R any, P user[O]](name, short string, summary []string, run func(o *O, c *call) ([]R, error), examples ...string) *cobra.Command {
	v := command.Table(output.Columns[R]())
	if summary != nil {
		v.Summary = command.Paths(summary...)
	}
	return leaf[O, R, P](name, short, v, run, examples)
}

// leaf returns a command that opens the accounts and writes the rows of a function.
func leaf[O, R any, P user[O]](name, short string, v command.View, run func(o *O, c *call) ([]R, error), examples []string) *cobra.Command {
	return command.New(command.About{Name: name, Short: short}, func(o *O, c *command.Call) error {
		if err := c.View(v); err != nil {
			return err
		}
		if checked, ok := any(o).(interface{ check() error }); ok {
			if err := checked.check(); err != nil {
				return err
			}
		}
		_, creates := any(o).(*createOptions)
		s, err := P(o).flags().Open(c.Context, c.Env, creates)
		if err != nil {
			return command.Kind("accounts", err)
		}
		rows, err := run(o, &call{c, s, time.Now()})
		if err = errors.Join(err, s.Close()); err != nil {
			return command.Kind("accounts", err)
		}
		return command.More(c, rows)
	}, examples...)
}

// describe returns a row for each item.
func describe[T, R any](items []T, err error, row func(*T) R) ([]R, error) {
	rows := make([]R, len(items))
	for i := range items {
		rows[i] = row(&items[i])
	}
	return rows, err
}

// ofAll are the options of a command about all accounts.
type ofAll struct {
	Flags
	command.Format
}

// ofAccount are the options of a command about one account.
type ofAccount struct {
	ID string `arg:"" name:"account" help:"The account's ID, as 'account list' shows it."`
	ofAll
}

// A label is a name or a reference that an owner chooses.
type label string

// UnmarshalText refuses labels that the accounts do not take.
func (l *label) UnmarshalText(text []byte) error {
	*l = label(text)
	if err := billing.CheckName(string(text)); err != nil {
		return command.Usage("%s", command.Bare(err))
	}
	return nil
}

// stamp writes a time as RFC 3339; the zero time is "".
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// A moment is a time to come, and a past one a time before now.
type (
	moment struct{ time.Time }
	past   struct{ time.Time }
)

// UnmarshalText reads a day ("2027-01-31", its 00:00 UTC), a time in RFC 3339 form, or a
// duration from now ("36h", "90d").
func (m *moment) UnmarshalText(text []byte) (err error) {
	now := time.Now()
	if m.Time, err = readMoment(string(text), now, 1); err == nil && !m.After(now) {
		err = &envelope.Failure{Kind: envelope.KindInvalidParam, Range: "in the future"}
	}
	return err
}

// UnmarshalText is like that of moment, with durations before now.
func (m *past) UnmarshalText(text []byte) (err error) {
	m.Time, err = readMoment(string(text), time.Now(), -1)
	return err
}

func readMoment(s string, now time.Time, sign int) (time.Time, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n <= 36_500 {
			return now.AddDate(0, 0, sign*n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(time.Duration(sign) * d), nil
	}
	t, err := operation.ParseTime(s)
	if err != nil {
		err = &envelope.Failure{Kind: envelope.KindInvalidParam, Range: `a duration (36h, 90d), a day (2027-01-31) or a time (2027-01-31T12:00:00Z)`}
	}
	return t, err
}
