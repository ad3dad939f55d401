package accounts

import (
	"cmp"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

func accountCommands() []*cobra.Command {
	return []*cobra.Command{
		task[createOptions, accountCreated]{
			name: "create", short: "Create an account.",
			examples: command.Examples(`postgeo account create --plan free --name "Example & Co."`, ""),
			check:    (*createOptions).check, store: func(o *createOptions) Flags { return o.Flags }, create: true, run: (*createOptions).run,
		}.command(),
		task[ofAll, accountInfo]{
			name: "list", short: "List the accounts, oldest first.", examples: command.Examples("postgeo account list", ""),
			store: (*ofAll).store, list: true, run: listAccounts,
		}.command(),
		task[ofAccount, accountPage]{
			name: "show", short: "Show an account with its credits and keys.", examples: command.Examples("postgeo account show acct_0123456789abcdef", ""),
			check: (*ofAccount).check, store: (*ofAccount).store, run: showAccount,
		}.command(),
		changeAccount("suspend", "Refuse an account's keys.", true),
		changeAccount("resume", "Accept a suspended account's keys again.", false),
		task[planOptions, accountInfo]{
			name: "plan", short: "Change an account's plan.", examples: command.Examples("postgeo account plan acct_0123456789abcdef business", ""),
			check: (*planOptions).check, store: func(o *planOptions) Flags { return o.Flags }, run: (*planOptions).run,
		}.command(),
		task[backupOptions, backupInfo]{
			name: "backup", short: "Copy the accounts' file while servers use it.", examples: command.Examples("postgeo account backup accounts-copy.db", ""),
			store: func(o *backupOptions) Flags { return o.Flags }, run: (*backupOptions).run,
		}.command(),
	}
}

type createOptions struct {
	Plan    string `help:"free, restricted, developer, professional, business or enterprise." default:"free" placeholder:"PLAN"`
	Name    string `help:"Name for your reference; at most 200 characters." placeholder:"TEXT"`
	Monthly int    `help:"Credits of a billing period, if not the number of the plan." placeholder:"N" name:"monthly-credits"`

	Flags
	command.Format

	plan billing.Plan
}

// An accountCreated is the result of "account create".
type accountCreated struct {
	Account string `json:"account"`
}

func (o *createOptions) check(*command.Env) (err error) {
	if o.plan, err = parsePlan(o.Plan, o.Monthly); err != nil {
		return err
	}
	if err := billing.CheckName(o.Name); err != nil {
		return invalid("--name", err)
	}
	return nil
}

func (o *createOptions) run(c *call) ([]accountCreated, error) {
	a, err := c.CreateAccount(c.ctx, billing.Account{Name: o.Name, Plan: o.plan, MonthlyCredits: o.Monthly})
	if err != nil {
		return nil, err
	}
	if o.plan.Paid() && c.StderrTerminal {
		c.Report(`grant the credits of a subscription after payment: 'postgeo credits grant --account %s --source subscription'`, a.ID)
	}
	return []accountCreated{{a.ID}}, nil
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

// invalid makes a usage error of a value that package billing refuses.
func invalid(flag string, err error) error {
	return command.Usage(`%s: %s`, flag, command.Bare(err))
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

func describeAccount(a *billing.Account, now time.Time) accountInfo {
	start, end := a.Period(now)
	return accountInfo{
		Account: a.ID, Name: a.Name, Plan: string(a.Plan), State: a.State(), Created: stamp(a.Created),
		MonthlyCredits: a.PeriodCredits(), PeriodStart: stamp(start), PeriodEnd: stamp(end),
	}
}

func listAccounts(_ *ofAll, c *call) ([]accountInfo, error) {
	list, err := c.Accounts(c.ctx)
	infos := make([]accountInfo, len(list))
	for i := range list {
		infos[i] = describeAccount(&list[i], c.now)
	}
	return infos, err
}

// An accountPage is an account with its limits, credits and keys.
type accountPage struct {
	accountInfo

	RatePerMinute int       `json:"rate_per_minute"`
	MaxKeys       int       `json:"max_keys"`
	Credits       funds     `json:"credits"`
	Keys          []keyInfo `json:"keys"`
}

func showAccount(o *ofAccount, c *call) ([]accountPage, error) {
	b, err := c.Balance(c.ctx, o.ID)
	if err != nil {
		return nil, err
	}
	keys, err := c.Keys(c.ctx, o.ID)
	if err != nil {
		return nil, err
	}
	limits := b.Account.Plan.Limits()
	page := accountPage{
		accountInfo: describeAccount(&b.Account, c.now), RatePerMinute: limits.RatePerMinute, MaxKeys: limits.Keys,
		Credits: fundsOf(&b), Keys: []keyInfo{},
	}
	for i := range keys {
		page.Keys = append(page.Keys, describeKey(&keys[i], c.now))
	}
	return []accountPage{page}, nil
}

// changeAccount declares a command that suspends or resumes an account. Servers
// apply it within a second.
func changeAccount(name, short string, suspended bool) *cobra.Command {
	return task[ofAccount, accountInfo]{
		name: name, short: short, examples: command.Examples("postgeo account "+name+" acct_0123456789abcdef", ""),
		check: (*ofAccount).check, store: (*ofAccount).store,
		run: func(o *ofAccount, c *call) ([]accountInfo, error) {
			return updateAccount(c, o.ID, func(a *billing.Account) error { a.Suspended = suspended; return nil })
		},
	}.command()
}

func updateAccount(c *call, id string, change func(*billing.Account) error) ([]accountInfo, error) {
	a, err := c.UpdateAccount(c.ctx, id, change)
	return []accountInfo{describeAccount(&a, c.now)}, err
}

type planOptions struct {
	accountRef

	To      string `arg:"" optional:"" name:"plan" help:"The plan; or --plan."`
	Plan    string `help:"free, restricted, developer, professional, business or enterprise." placeholder:"PLAN" name:"plan"`
	Monthly int    `help:"Credits of a billing period, if not the number of the plan." placeholder:"N" name:"monthly-credits"`

	Flags
	command.Format

	plan billing.Plan
}

func (o *planOptions) check(*command.Env) (err error) {
	if o.To == "" && o.Account != "" && o.ID != o.Account { // --account ID PLAN
		o.ID, o.To = "", o.ID
	}
	if o.To != "" && o.Plan != "" && o.To != o.Plan {
		return command.Usage(`two plans, %s and %s; use one`, o.To, o.Plan)
	}
	if o.plan, err = parsePlan(cmp.Or(o.To, o.Plan), o.Monthly); err != nil {
		return err
	}
	return o.resolve()
}

// run changes the plan. An account without a subscription begins a billing
// period.
func (o *planOptions) run(c *call) ([]accountInfo, error) {
	return updateAccount(c, o.ID, func(a *billing.Account) error {
		a.Subscribe(o.plan, c.now.UTC().Truncate(time.Millisecond))
		a.MonthlyCredits = o.Monthly
		return nil
	})
}

type backupOptions struct {
	File string `arg:"" help:"New file for the copy. It must not exist." type:"path"`

	Flags
	command.Format
}

// A backupInfo is the result of "account backup".
type backupInfo struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

func (o *backupOptions) run(c *call) ([]backupInfo, error) {
	if err := c.Backup(c.ctx, o.File); err != nil {
		return nil, err
	}
	info, err := os.Stat(o.File)
	if err != nil {
		return nil, err
	}
	return []backupInfo{{o.File, info.Size()}}, nil
}
