package accounts

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

func accountCommands() []*cobra.Command {
	about := func(name, short string) command.About { return command.About{Name: name, Short: short} }
	suspend := func(suspended bool) func(o *ofAccount, c *command.Call) error {
		return func(o *ofAccount, c *command.Call) error {
			return o.update(c, o.ID, func(a *billing.Account, _ time.Time) { a.Suspended = suspended })
		}
	}
	return []*cobra.Command{
		command.New[createOptions](about("create", "Create an account."), `postgeo account create --plan free --name "Example & Co."`, ""),
		command.With(about("list", "List the accounts, oldest first."), listAccounts, "postgeo account list", ""),
		command.With(about("show", "Show an account with its credits and keys."), showAccount, "postgeo account show acct_0123456789abcdef", ""),
		command.With(about("suspend", "Refuse an account's keys."), suspend(true), "postgeo account suspend acct_0123456789abcdef", ""),
		command.With(about("resume", "Accept a suspended account's keys again."), suspend(false), "postgeo account resume acct_0123456789abcdef", ""),
		command.New[planOptions](about("plan", "Change an account's plan."), "postgeo account plan acct_0123456789abcdef business", ""),
		command.New[backupOptions](about("backup", "Copy the accounts' file while servers use it."), "postgeo account backup accounts-copy.db", ""),
	}
}

type createOptions struct {
	Plan    string `help:"free, restricted, developer, professional, business or enterprise." default:"free" placeholder:"PLAN"`
	Name    string `help:"Name for your reference; at most 200 characters." placeholder:"TEXT"`
	Monthly int    `help:"Credits of a billing period, if not the number of the plan." placeholder:"N" name:"monthly-credits"`

	Flags
	command.Format
}

// An accountCreated is the result of "account create".
type accountCreated struct {
	Account string `json:"account"`
}

// Run implements the command.
func (o *createOptions) Run(c *command.Call) error {
	plan, err := parsePlan(o.Plan, o.Monthly)
	if err != nil {
		return err
	}
	if err := billing.CheckName(o.Name); err != nil {
		return invalid("--name", err)
	}
	o.Create = true
	return write(c, o.Flags, page[accountCreated](), func(c *call) ([]accountCreated, error) {
		a, err := c.CreateAccount(c.Context, billing.Account{Name: o.Name, Plan: plan, MonthlyCredits: o.Monthly})
		if err == nil && plan.Paid() && c.StderrTerminal {
			c.Report(`grant the credits of a subscription after payment: 'postgeo credits grant %s --source subscription'`, a.ID)
		}
		return one(accountCreated{a.ID}, err)
	})
}

// parsePlan reads a plan and checks the credits of its billing period.
func parsePlan(name string, monthly int) (billing.Plan, error) {
	p, err := billing.ParsePlan(name)
	if err != nil {
		return p, invalid("--plan", err)
	}
	if monthly < 0 || monthly > billing.MaxCredits || monthly > 0 && !p.Paid() {
		return p, command.Usage(`invalid --monthly-credits %d: must be from 0 to %d, and 0 for the plan %s without a subscription`, monthly, billing.MaxCredits, p)
	}
	return p, nil
}

// An accountInfo describes an account.
type accountInfo struct {
	Account        string `json:"account"`
	Name           string `json:"name,omitzero"`
	Plan           string `json:"plan"`
	State          string `json:"state"`
	Created        string `json:"created"`
	MonthlyCredits int    `json:"monthly_credits,omitzero"`
	PeriodStart    string `json:"period_start,omitzero"`
	PeriodEnd      string `json:"period_end,omitzero"`
}

func (c *call) account(a *billing.Account) accountInfo {
	start, end := a.Period(c.now)
	state := "active"
	if a.Suspended {
		state = "suspended"
	}
	return accountInfo{
		Account: a.ID, Name: a.Name, Plan: string(a.Plan), State: state, Created: stamp(a.Created),
		MonthlyCredits: a.PeriodCredits(), PeriodStart: stamp(start), PeriodEnd: stamp(end),
	}
}

func listAccounts(o *ofAll, c *command.Call) error {
	return write(c, o.Flags, list[accountInfo](), func(c *call) ([]accountInfo, error) {
		all, err := c.Accounts(c.Context)
		return describe(all, err, c.account)
	})
}

// An accountPage is an account with its limits, credits and keys.
type accountPage struct {
	accountInfo

	RatePerMinute int       `json:"rate_per_minute"`
	MaxKeys       int       `json:"max_keys"`
	Credits       funds     `json:"credits"`
	Keys          []keyInfo `json:"keys"`
}

func showAccount(o *ofAccount, c *command.Call) error {
	return write(c, o.Flags, page[accountPage](), func(c *call) ([]accountPage, error) {
		b, err := c.Balance(c.Context, o.ID)
		if err != nil {
			return nil, err
		}
		keys, err := c.Keys(c.Context, o.ID)
		infos, err := describe(keys, err, c.key)
		limits := b.Account.Plan.Limits()
		return one(accountPage{c.account(&b.Account), limits.RatePerMinute, limits.Keys, fundsOf(&b), infos}, err)
	})
}

// update changes an account. Servers apply it within a second.
func (o *ofAll) update(c *command.Call, id string, change func(a *billing.Account, now time.Time)) error {
	return write(c, o.Flags, page[accountInfo](), func(c *call) ([]accountInfo, error) {
		a, err := c.UpdateAccount(c.Context, id, func(a *billing.Account) error {
			change(a, c.now.UTC().Truncate(time.Millisecond))
			return nil
		})
		return one(c.account(&a), err)
	})
}

func (o *ofAccount) update(c *command.Call, id string, change func(a *billing.Account, now time.Time)) error {
	return (&ofAll{o.Flags, o.Format}).update(c, id, change)
}

type planOptions struct {
	accountRef

	To      string `arg:"" name:"plan" help:"free, restricted, developer, professional, business or enterprise."`
	Monthly int    `help:"Credits of a billing period, if not the number of the plan." placeholder:"N" name:"monthly-credits"`

	ofAll
}

// Check implements the command.
func (o *planOptions) Check(*command.Env) error {
	_, err := parsePlan(o.To, o.Monthly)
	return err
}

// Run changes the plan. An account without a subscription begins a billing period.
func (o *planOptions) Run(c *command.Call) error {
	plan, _ := parsePlan(o.To, o.Monthly)
	return o.update(c, o.ID, func(a *billing.Account, now time.Time) {
		a.Subscribe(plan, now)
		a.MonthlyCredits = o.Monthly
	})
}

type backupOptions struct {
	File string `arg:"" help:"New file for the copy. It must not exist."`

	Flags
	command.Format
}

// A backupInfo is the result of "account backup".
type backupInfo struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

// Run implements the command.
func (o *backupOptions) Run(c *command.Call) error {
	return write(c, o.Flags, page[backupInfo](), func(c *call) ([]backupInfo, error) {
		if err := c.Backup(c.Context, o.File); err != nil {
			return nil, err
		}
		info, err := os.Stat(o.File)
		if err != nil {
			return nil, err
		}
		return one(backupInfo{o.File, info.Size()}, nil)
	})
}
