package accounts

import (
	"crypto/rand"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/envelope"
)

func creditsCommands() []*cobra.Command {
	return []*cobra.Command{
		task[grantOptions, grantInfo]{
			name: "grant", short: "Grant an account a pack or the credits of its billing period.",
			examples: command.Examples("postgeo credits grant acct_0123456789abcdef --source pack --amount 25000 --reference invoice-17", ""),
			check:    (*grantOptions).check, store: func(o *grantOptions) Flags { return o.Flags }, run: (*grantOptions).run,
		}.command(),
		task[ofAccount, balanceInfo]{
			name: "balance", short: "Show the credits that an account can spend.", examples: command.Examples("postgeo credits balance acct_0123456789abcdef", ""),
			check: (*ofAccount).check, store: (*ofAccount).store,
			run: func(o *ofAccount, c *call) ([]balanceInfo, error) {
				b, err := c.Balance(c.ctx, o.ID)
				return []balanceInfo{{Account: o.ID, Plan: string(b.Account.Plan), funds: fundsOf(&b)}}, err
			},
		}.command(),
		task[historyOptions, historyInfo]{
			name: "history", short: "Show the grants and the spending of an account by day, newest first.",
			examples: command.Examples("postgeo credits history acct_0123456789abcdef --since 7d", ""),
			check:    (*historyOptions).check, store: func(o *historyOptions) Flags { return o.Flags }, list: true, run: (*historyOptions).run,
		}.command(),
		task[refundsOptions, refundInfo]{
			name: "refunds", short: "Show refunds for responses that callers cut off, by account and day, newest first.",
			examples: command.Examples("postgeo credits refunds --since 7d", "the refunds of all accounts"),
			check:    (*refundsOptions).check, store: func(o *refundsOptions) Flags { return o.Flags }, list: true, run: (*refundsOptions).run,
		}.command(),
		task[ofAll, auditInfo]{
			name: "audit", short: "Check that the grants, holds and charges of all accounts balance.", examples: command.Examples("postgeo credits audit", ""),
			store: (*ofAll).store, run: audit,
		}.command(),
	}
}

type grantOptions struct {
	accountRef

	Source    string `help:"pack (never expires) or subscription (until the billing period ends)." required:"" placeholder:"SOURCE"`
	Amount    int    `help:"Credits. Default for a subscription: the credits of its period." placeholder:"N"`
	Reference string `help:"Such as an invoice number; the same reference is granted once. Default: new for every pack, the period's first day for a subscription." placeholder:"TEXT"`

	Flags
	command.Format

	source envelope.CreditSource
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

func (o *grantOptions) check(*command.Env) (err error) {
	if err := o.resolve(); err != nil {
		return err
	}
	if o.source = envelope.CreditSource(o.Source); o.source != billing.PackCredits && o.source != billing.SubscriptionCredits {
		return command.Usage(`invalid --source %q: must be pack or subscription (free credits are granted every day)`, o.Source)
	}
	if o.Amount < 0 || o.Amount > billing.MaxCredits || o.Amount == 0 && o.source == billing.PackCredits {
		return command.Usage(`invalid --amount %d: must be from 1 to %d`, o.Amount, billing.MaxCredits)
	}
	if err := billing.CheckName(o.Reference); err != nil {
		return invalid("--reference", err)
	}
	return nil
}

func (o *grantOptions) run(c *call) ([]grantInfo, error) {
	g := billing.Grant{Account: o.ID, Source: o.source, Reference: o.Reference, Amount: o.Amount}
	if g.Reference == "" && g.Source == billing.PackCredits {
		g.Reference = "pack " + rand.Text()
	}
	g, granted, err := c.Grant(c.ctx, g)
	if err != nil {
		return nil, err
	}
	if !granted {
		c.Report(`nothing granted: account %s already has the grant %q from %s; use another --reference for a new grant`, o.ID, g.Reference, g.Source)
	}
	b, err := c.Balance(c.ctx, o.ID)
	return []grantInfo{{
		Account: o.ID, Source: string(g.Source), Amount: g.Amount, Reference: g.Reference, Expires: stamp(g.Expires), Granted: granted, Available: b.Available,
	}}, err
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
		switch p.Source {
		case billing.DailyCredits:
			f.FreeDaily = p.Credits
		case billing.SubscriptionCredits:
			f.Subscription = p.Credits
		case billing.PackCredits:
			f.Pack = p.Credits
		}
	}
	return f
}

// A balanceInfo is the result of "credits balance".
type balanceInfo struct {
	Account string `json:"account"`
	Plan    string `json:"plan"`
	funds
}

type historyOptions struct {
	accountRef
	Since string `help:"Start: a duration before now (36h, 30d), a day or a time." default:"30d" placeholder:"WHEN"`

	Flags
	command.Format

	since time.Time
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

func (o *historyOptions) check(*command.Env) (err error) {
	if err := o.resolve(); err != nil {
		return err
	}
	o.since, err = parseMoment("--since", o.Since, time.Now(), -1)
	return err
}

func (o *historyOptions) run(c *call) ([]historyInfo, error) {
	entries, err := c.History(c.ctx, o.ID, o.since)
	infos := make([]historyInfo, len(entries))
	for i, e := range entries {
		infos[i] = historyInfo{
			Time: stamp(e.Time), Kind: string(e.Kind), Source: string(e.Source), Credits: e.Credits, Requests: e.Requests,
			Reference: e.Reference, Expires: stamp(e.Expires),
		}
	}
	return infos, err
}

type refundsOptions struct {
	ID      string `arg:"" optional:"" name:"account" help:"The account's ID; or --account. Default: all accounts."`
	Account string `help:"The account's ID." placeholder:"ID" name:"account"`
	Since   string `help:"Start: a duration before now (36h, 30d), a day or a time." default:"30d" placeholder:"WHEN"`

	Flags
	command.Format

	since time.Time
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

func (o *refundsOptions) check(*command.Env) (err error) {
	if account := (accountRef{o.ID, o.Account}); o.ID != "" || o.Account != "" {
		if err := account.resolve(); err != nil {
			return err
		}
		o.ID = account.ID
	}
	o.since, err = parseMoment("--since", o.Since, time.Now(), -1)
	return err
}

func (o *refundsOptions) run(c *call) ([]refundInfo, error) {
	days, err := c.Refunds(c.ctx, o.ID, o.since)
	infos := make([]refundInfo, len(days))
	for i, d := range days {
		infos[i] = refundInfo{
			Account: d.Account, Day: d.Day.Format(time.DateOnly),
			Refunded: tallyInfo(d.Cut), Kept: tallyInfo(d.Kept), Batches: tallyInfo(d.Batch), LastInTurn: d.LastInTurn,
		}
	}
	return infos, err
}

// An auditInfo is the result of "credits audit".
type auditInfo struct {
	File     string `json:"file"`
	OK       bool   `json:"ok"`
	Released int    `json:"released"` // holds of requests that never ended
}

// audit releases expired holds and checks the books.
func audit(_ *ofAll, c *call) ([]auditInfo, error) {
	released, err := c.Sweep(c.ctx)
	if err != nil {
		return nil, err
	}
	return []auditInfo{{File: c.Store.Path, OK: true, Released: released}}, c.Audit(c.ctx)
}
