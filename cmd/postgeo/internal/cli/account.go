package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// accountCmd is "postgeo account".
type accountCmd struct {
	Create  accountCreateCmd  `cmd:"" help:"Create an account."`
	List    accountListCmd    `cmd:"" help:"List the accounts."`
	Show    accountShowCmd    `cmd:"" help:"Show an account with its credits and keys."`
	Suspend accountSuspendCmd `cmd:"" help:"Refuse an account's keys."`
	Resume  accountResumeCmd  `cmd:"" help:"Accept a suspended account's keys again."`
	Plan    accountPlanCmd    `cmd:"" help:"Change an account's plan."`
}

// accountCreateCmd is "postgeo account create".
type accountCreateCmd struct {
	Plan    string `help:"free, restricted, developer, professional, business or enterprise." default:"free" placeholder:"PLAN"`
	Name    string `help:"What you call it; at most 200 characters." placeholder:"TEXT"`
	Monthly int    `help:"Credits of a billing period, where another number than the plan's was agreed." placeholder:"N" name:"monthly-credits"`

	accountsFlag
	formatFlag
}

// An accountCreated is what "account create" tells.
type accountCreated struct {
	Account string `json:"account"`
}

// Run creates the account, and the accounts' file where there is none.
func (c *accountCreateCmd) Run(ctx context.Context, env *Env) error {
	plan, err := billing.ParsePlan(c.Plan)
	if err != nil {
		return wrongUse("--plan: %s", bare(err))
	}
	if err := checkMonthly(plan, c.Monthly); err != nil {
		return err
	}
	if err := billing.CheckName(c.Name); err != nil {
		return wrongUse("--name: %s", bare(err))
	}
	id, err := billing.NewAccountID(rand.Reader)
	if err != nil {
		return err
	}
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag, create: true}, func(s *accounts) ([]accountCreated, error) {
		now := time.Now().UTC().Truncate(time.Millisecond)
		a := billing.Account{ID: id, Name: c.Name, Created: now}
		a.Subscribe(plan, now)
		a.MonthlyCredits = c.Monthly
		if err := s.CreateAccount(ctx, a); err != nil {
			return nil, err
		}
		if plan.Paid() && env.StderrTerminal {
			env.say("credits of a subscription are granted when they are paid: 'postgeo credits grant --account %s --source subscription'", id)
		}
		return []accountCreated{{id}}, nil
	})
}

func checkMonthly(p billing.Plan, n int) error {
	if n < 0 || n > billing.MaxCredits || n > 0 && !p.Paid() {
		return wrongUse("--monthly-credits %d: expected 0 to %d, and 0 on the plan %s without a subscription", n, billing.MaxCredits, p)
	}
	return nil
}

// An accountInfo is what is told of an account.
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
	p := a.Period(now)
	return accountInfo{
		Account: a.ID, Name: a.Name, Plan: a.Plan.String(), State: a.State(), Created: stamp(a.Created),
		MonthlyCredits: a.PeriodCredits(), PeriodStart: stamp(p.Start), PeriodEnd: stamp(p.End),
	}
}

// accountListCmd is "postgeo account list".
type accountListCmd struct {
	accountsFlag
	formatFlag
}

// Run lists the accounts, oldest first.
func (c *accountListCmd) Run(ctx context.Context, env *Env) error {
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag, array: true}, func(s *accounts) ([]accountInfo, error) {
		list, err := s.Accounts(ctx)
		if err != nil {
			return nil, err
		}
		infos := make([]accountInfo, len(list))
		for i := range list {
			infos[i] = describeAccount(&list[i], time.Now())
		}
		return infos, nil
	})
}

// accountShowCmd is "postgeo account show".
type accountShowCmd struct {
	accountRef
	accountsFlag
	formatFlag
}

// An accountPage is an account with its limits, credits and keys.
type accountPage struct {
	accountInfo

	RatePerMinute int       `json:"rate_per_minute"`
	MaxKeys       int       `json:"max_keys"`
	Credits       funds     `json:"credits"`
	Keys          []keyInfo `json:"keys"`
}

// Run shows the account.
func (c *accountShowCmd) Run(ctx context.Context, env *Env) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	return c.withAccounts(ctx, env, false, func(s *accounts) error {
		b, err := s.Balance(ctx, id)
		if err != nil {
			return err
		}
		keys, err := s.Keys(ctx, id)
		if err != nil {
			return err
		}
		now := time.Now()
		limits := b.Account.Plan.Limits()
		page := accountPage{
			accountInfo: describeAccount(&b.Account, now), RatePerMinute: limits.RatePerMinute, MaxKeys: limits.Keys,
			Credits: fundsOf(&b), Keys: []keyInfo{},
		}
		for i := range keys {
			page.Keys = append(page.Keys, describeKey(&keys[i], now))
		}
		opts, err := c.options(env, view{all: output.Columns[accountPage]()})
		if err != nil {
			return err
		}
		return writeAll(env.Stdout, opts, []accountPage{page})
	})
}

// accountSuspendCmd is "postgeo account suspend".
type accountSuspendCmd struct {
	accountRef
	accountsFlag
	formatFlag
}

// Run suspends the account. Servers learn of it within a second.
func (c *accountSuspendCmd) Run(ctx context.Context, env *Env) error {
	return changeAccount(ctx, env, c.accountRef, c.accountsFlag, c.formatFlag, func(a *billing.Account) error { a.Suspended = true; return nil })
}

// accountResumeCmd is "postgeo account resume".
type accountResumeCmd struct {
	accountRef
	accountsFlag
	formatFlag
}

// Run ends the suspension of the account.
func (c *accountResumeCmd) Run(ctx context.Context, env *Env) error {
	return changeAccount(ctx, env, c.accountRef, c.accountsFlag, c.formatFlag, func(a *billing.Account) error { a.Suspended = false; return nil })
}

// accountPlanCmd is "postgeo account plan".
type accountPlanCmd struct {
	accountRef

	To      string `arg:"" optional:"" name:"plan" help:"The plan; or --plan."`
	Plan    string `help:"free, restricted, developer, professional, business or enterprise." placeholder:"PLAN" name:"plan"`
	Monthly int    `help:"Credits of a billing period, where another number than the plan's was agreed." placeholder:"N" name:"monthly-credits"`

	accountsFlag
	formatFlag
}

// Run changes the plan. A billing period begins now when there was no
// subscription before.
func (c *accountPlanCmd) Run(ctx context.Context, env *Env) error {
	if c.To == "" && c.Account != "" && c.ID != c.Account { // --account ID PLAN
		c.ID, c.To = "", c.ID
	}
	if c.To != "" && c.Plan != "" && c.To != c.Plan {
		return wrongUse("two plans are named, %s and %s; name one", c.To, c.Plan)
	}
	plan, err := billing.ParsePlan(cmp.Or(c.To, c.Plan))
	if err != nil {
		return wrongUse("--plan: %s", bare(err))
	}
	if err := checkMonthly(plan, c.Monthly); err != nil {
		return err
	}
	return changeAccount(ctx, env, c.accountRef, c.accountsFlag, c.formatFlag, func(a *billing.Account) error {
		a.Subscribe(plan, time.Now().UTC().Truncate(time.Millisecond))
		a.MonthlyCredits = c.Monthly
		return nil
	})
}

func changeAccount(ctx context.Context, env *Env, ref accountRef, f accountsFlag, format formatFlag, change func(*billing.Account) error) error {
	id, err := ref.id()
	if err != nil {
		return err
	}
	return showItems(ctx, env, f, showing{format: format}, func(s *accounts) ([]accountInfo, error) {
		a, err := s.UpdateAccount(ctx, id, change)
		if err != nil {
			return nil, err
		}
		return []accountInfo{describeAccount(&a, time.Now())}, nil
	})
}
