package accounts

import (
	"crypto/rand"
	"os"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/envelope"
)

type createOptions struct {
	Plan    string `help:"free, restricted, developer, professional, business or enterprise." enum:"free,restricted,developer,professional,business,enterprise" default:"free" placeholder:"PLAN"`
	Name    label  `help:"Name for your reference; at most 200 characters." placeholder:"TEXT"`
	Monthly int    `help:"Credits of a billing period, if not the number of the plan." placeholder:"N" name:"monthly-credits"`
	ofAll
}

func (o *createOptions) check() error { return checkMonthly(o.Plan, o.Monthly) }

// checkMonthly refuses credits of a billing period that a plan cannot have.
func checkMonthly(plan string, monthly int) error {
	if monthly < 0 || monthly > billing.MaxCredits || monthly > 0 && !billing.Plan(plan).Paid() {
		return command.Usage(`invalid --monthly-credits %d: must be from 0 to %d, and 0 for the plan %s without a subscription`, monthly, billing.MaxCredits, plan)
	}
	return nil
}

// An accountCreated is the result of "account create".
type accountCreated struct {
	Account string `json:"account"`
}

func (o *createOptions) run(c *call) (accountCreated, error) {
	a, err := c.CreateAccount(c.Context, billing.Account{Name: string(o.Name), Plan: billing.Plan(o.Plan), MonthlyCredits: o.Monthly})
	if err == nil && a.Plan.Paid() && c.StderrTerminal {
		c.Report(`grant the credits of a subscription after payment: 'postgeo credits grant %s --source subscription'`, a.ID)
	}
	return accountCreated{a.ID}, err
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

func listAccounts(_ *ofAll, c *call) ([]accountInfo, error) {
	all, err := c.Accounts(c.Context)
	return describe(all, err, c.account)
}

// An accountPage is an account with its limits, credits and keys.
type accountPage struct {
	accountInfo

	RatePerMinute int       `json:"rate_per_minute"`
	MaxKeys       int       `json:"max_keys"`
	Credits       funds     `json:"credits"`
	Keys          []keyInfo `json:"keys"`
}

func showAccount(o *ofAccount, c *call) (accountPage, error) {
	b, err := c.Balance(c.Context, o.ID)
	if err != nil {
		return accountPage{}, err
	}
	keys, err := c.Keys(c.Context, o.ID)
	infos, err := describe(keys, err, c.key)
	limits := b.Account.Plan.Limits()
	return accountPage{c.account(&b.Account), limits.RatePerMinute, limits.Keys, fundsOf(&b), infos}, err
}

// update changes an account. Servers apply it within a second.
func (c *call) update(id string, change func(a *billing.Account)) (accountInfo, error) {
	a, err := c.UpdateAccount(c.Context, id, func(a *billing.Account) error { change(a); return nil })
	return c.account(&a), err
}

type planOptions struct {
	ID      string `arg:"" name:"account" help:"The account's ID, as 'account list' shows it."`
	To      string `arg:"" name:"plan" help:"free, restricted, developer, professional, business or enterprise." enum:"free,restricted,developer,professional,business,enterprise"`
	Monthly int    `help:"Credits of a billing period, if not the number of the plan." placeholder:"N" name:"monthly-credits"`
	ofAll
}

func (o *planOptions) check() error { return checkMonthly(o.To, o.Monthly) }

// run changes the plan. An account without a subscription begins a billing period.
func (o *planOptions) run(c *call) (accountInfo, error) {
	return c.update(o.ID, func(a *billing.Account) {
		a.Subscribe(billing.Plan(o.To), c.now.UTC().Truncate(time.Millisecond))
		a.MonthlyCredits = o.Monthly
	})
}

type backupOptions struct {
	File string `arg:"" help:"New file for the copy. It must not exist."`
	ofAll
}

// A backupInfo is the result of "account backup".
type backupInfo struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

func (o *backupOptions) run(c *call) (b backupInfo, err error) {
	if err := c.Backup(c.Context, o.File); err != nil {
		return b, err
	}
	info, err := os.Stat(o.File)
	if err != nil {
		return b, err
	}
	return backupInfo{o.File, info.Size()}, nil
}

type grantOptions struct {
	ID        string `arg:"" name:"account" help:"The account's ID, as 'account list' shows it."`
	Source    string `help:"pack (never expires) or subscription (until the billing period ends); free credits are granted every day." enum:"pack,subscription" required:"" placeholder:"SOURCE"`
	Amount    int    `help:"Credits. Default for a subscription: the credits of its period." placeholder:"N"`
	Reference label  `help:"Such as an invoice number; the same reference is granted once. Default: new for every pack, the period's first day for a subscription." placeholder:"TEXT"`
	ofAll
}

// A grantInfo is the result of "credits grant".
type grantInfo struct {
	Account   string `json:"account"`
	Source    string `json:"source"`
	Amount    int    `json:"amount"`
	Reference string `json:"reference"`
	Expires   string `json:"expires,omitzero"`
	Granted   bool   `json:"granted"` // false if it existed before
	Available int    `json:"available"`
}

func (o *grantOptions) check() error {
	if o.Amount < 0 || o.Amount > billing.MaxCredits || o.Amount == 0 && o.Source == string(billing.PackCredits) {
		return command.Usage(`invalid --amount %d: must be from 1 to %d`, o.Amount, billing.MaxCredits)
	}
	return nil
}

func (o *grantOptions) run(c *call) (info grantInfo, err error) {
	g := billing.Grant{Account: o.ID, Source: envelope.CreditSource(o.Source), Reference: string(o.Reference), Amount: o.Amount}
	if g.Reference == "" && g.Source == billing.PackCredits {
		g.Reference = "pack " + rand.Text()
	}
	g, granted, err := c.Grant(c.Context, g)
	if err != nil {
		return info, err
	}
	if !granted {
		c.Report(`nothing granted: account %s already has the grant %q from %s; use another --reference for a new grant`, o.ID, g.Reference, g.Source)
	}
	b, err := c.Balance(c.Context, o.ID)
	return grantInfo{o.ID, string(g.Source), g.Amount, g.Reference, stamp(g.Expires), granted, b.Available}, err
}

// funds are the credits of an account.
type funds struct {
	Available    int `json:"available"`
	Held         int `json:"held"` // for requests in flight
	FreeDaily    int `json:"free_daily"`
	Subscription int `json:"subscription"`
	Pack         int `json:"pack"`
}

func fundsOf(b *billing.Balance) funds {
	f := funds{Available: b.Available, Held: b.Held}
	for _, p := range b.Parts {
		*map[envelope.CreditSource]*int{billing.DailyCredits: &f.FreeDaily, billing.SubscriptionCredits: &f.Subscription, billing.PackCredits: &f.Pack}[p.Source] = p.Credits
	}
	return f
}

// A balanceInfo is the result of "credits balance".
type balanceInfo struct {
	Account string `json:"account"`
	Plan    string `json:"plan"`
	funds
}

func showBalance(o *ofAccount, c *call) (balanceInfo, error) {
	b, err := c.Balance(c.Context, o.ID)
	return balanceInfo{o.ID, string(b.Account.Plan), fundsOf(&b)}, err
}

type historyOptions struct {
	ofAccount
	Since past `help:"Start: a duration before now (36h, 30d), a day or a time." default:"30d" placeholder:"WHEN"`
}

// A historyInfo is a line of "credits history".
type historyInfo struct {
	Time      string `json:"time"`
	Kind      string `json:"kind"` // granted, spent, cut_refunded, cut_kept or batch_refunded
	Source    string `json:"source"`
	Credits   int    `json:"credits"`
	Requests  int    `json:"requests,omitzero"`
	Reference string `json:"reference,omitzero"`
	Expires   string `json:"expires,omitzero"`
}

func (o *historyOptions) run(c *call) ([]historyInfo, error) {
	entries, err := c.History(c.Context, o.ID, o.Since.Time)
	return describe(entries, err, func(e *billing.Entry) historyInfo {
		return historyInfo{stamp(e.Time), e.Kind, string(e.Source), e.Credits, e.Requests, e.Reference, stamp(e.Expires)}
	})
}

type refundsOptions struct {
	ID    string `arg:"" optional:"" name:"account" help:"The account's ID. Default: all accounts."`
	Since past   `help:"Start: a duration before now (36h, 30d), a day or a time." default:"30d" placeholder:"WHEN"`
	ofAll
}

// A refundInfo is a line of "credits refunds": the requests of an account that
// the callers cut off on one day.
type refundInfo struct {
	Account    string    `json:"account"`
	Day        string    `json:"day"`
	Refunded   tallyInfo `json:"refunded"`     // single requests
	Kept       tallyInfo `json:"kept"`         // single requests that stay charged
	Batches    tallyInfo `json:"batches"`      // refunded batches
	LastInTurn bool      `json:"last_in_turn"` // whether the account's batches run last now
}

type tallyInfo struct {
	Requests int `json:"requests"`
	Credits  int `json:"credits"`
}

func (o *refundsOptions) run(c *call) ([]refundInfo, error) {
	days, err := c.Refunds(c.Context, o.ID, o.Since.Time)
	return describe(days, err, func(d *billing.RefundDay) refundInfo {
		return refundInfo{d.Account, d.Day.Format(time.DateOnly), tallyInfo(d.Cut), tallyInfo(d.Kept), tallyInfo(d.Batch), d.LastInTurn}
	})
}

// An auditInfo is the result of "credits audit".
type auditInfo struct {
	File     string `json:"file"`
	OK       bool   `json:"ok"`
	Released int    `json:"released"` // holds of requests that never ended
}

// audit releases expired holds and checks the books.
func audit(_ *ofAll, c *call) (auditInfo, error) {
	released, err := c.Sweep(c.Context)
	if err == nil {
		err = c.Audit(c.Context)
	}
	return auditInfo{c.Store.Path, true, released}, err
}
