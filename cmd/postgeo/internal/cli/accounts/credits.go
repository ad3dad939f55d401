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
	about := func(name, short string) command.About { return command.About{Name: name, Short: short} }
	return []*cobra.Command{
		command.New[grantOptions](about("grant", "Grant an account a pack or the credits of its billing period."),
			"postgeo credits grant acct_0123456789abcdef --source pack --amount 25000 --reference invoice-17", ""),
		command.With(about("balance", "Show the credits that an account can spend."), showBalance, "postgeo credits balance acct_0123456789abcdef", ""),
		command.New[historyOptions](about("history", "Show the grants and the spending of an account by day, newest first."),
			"postgeo credits history acct_0123456789abcdef --since 7d", ""),
		command.New[refundsOptions](about("refunds", "Show refunds for responses that callers cut off, by account and day, newest first."),
			"postgeo credits refunds --since 7d", "the refunds of all accounts"),
		command.With(about("audit", "Check that the grants, holds and charges of all accounts balance."), audit, "postgeo credits audit", ""),
	}
}

type grantOptions struct {
	accountRef

	Source    string `help:"pack (never expires) or subscription (until the billing period ends)." required:"" placeholder:"SOURCE"`
	Amount    int    `help:"Credits. Default for a subscription: the credits of its period." placeholder:"N"`
	Reference string `help:"Such as an invoice number; the same reference is granted once. Default: new for every pack, the period's first day for a subscription." placeholder:"TEXT"`

	Flags
	command.Format
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

// Run implements the command.
func (o *grantOptions) Run(c *command.Call) error {
	source := envelope.CreditSource(o.Source)
	switch {
	case source != billing.PackCredits && source != billing.SubscriptionCredits:
		return command.Usage(`invalid --source %q: must be pack or subscription (free credits are granted every day)`, o.Source)
	case o.Amount < 0 || o.Amount > billing.MaxCredits || o.Amount == 0 && source == billing.PackCredits:
		return command.Usage(`invalid --amount %d: must be from 1 to %d`, o.Amount, billing.MaxCredits)
	}
	if err := billing.CheckName(o.Reference); err != nil {
		return invalid("--reference", err)
	}
	return write(c, o.Flags, page[grantInfo](), func(c *call) ([]grantInfo, error) {
		g := billing.Grant{Account: o.ID, Source: source, Reference: o.Reference, Amount: o.Amount}
		if g.Reference == "" && source == billing.PackCredits {
			g.Reference = "pack " + rand.Text()
		}
		g, granted, err := c.Grant(c.Context, g)
		if err != nil {
			return nil, err
		}
		if !granted {
			c.Report(`nothing granted: account %s already has the grant %q from %s; use another --reference for a new grant`, o.ID, g.Reference, g.Source)
		}
		b, err := c.Balance(c.Context, o.ID)
		return one(grantInfo{o.ID, string(g.Source), g.Amount, g.Reference, stamp(g.Expires), granted, b.Available}, err)
	})
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

func showBalance(o *ofAccount, c *command.Call) error {
	return write(c, o.Flags, page[balanceInfo](), func(c *call) ([]balanceInfo, error) {
		b, err := c.Balance(c.Context, o.ID)
		return one(balanceInfo{o.ID, string(b.Account.Plan), fundsOf(&b)}, err)
	})
}

type historyOptions struct {
	ofAccount
	Since string `help:"Start: a duration before now (36h, 30d), a day or a time." default:"30d" placeholder:"WHEN"`
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

// Run implements the command.
func (o *historyOptions) Run(c *command.Call) error {
	since, err := parseMoment("--since", o.Since, time.Now(), -1)
	if err != nil {
		return err
	}
	return write(c, o.Flags, list[historyInfo](), func(c *call) ([]historyInfo, error) {
		entries, err := c.History(c.Context, o.ID, since)
		return describe(entries, err, func(e *billing.Entry) historyInfo {
			return historyInfo{stamp(e.Time), e.Kind, string(e.Source), e.Credits, e.Requests, e.Reference, stamp(e.Expires)}
		})
	})
}

type refundsOptions struct {
	ID    string `arg:"" optional:"" name:"account" help:"The account's ID. Default: all accounts."`
	Since string `help:"Start: a duration before now (36h, 30d), a day or a time." default:"30d" placeholder:"WHEN"`

	Flags
	command.Format
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

// Run implements the command.
func (o *refundsOptions) Run(c *command.Call) error {
	since, err := parseMoment("--since", o.Since, time.Now(), -1)
	if err != nil {
		return err
	}
	return write(c, o.Flags, list[refundInfo](), func(c *call) ([]refundInfo, error) {
		days, err := c.Refunds(c.Context, o.ID, since)
		return describe(days, err, func(d *billing.RefundDay) refundInfo {
			return refundInfo{d.Account, d.Day.Format(time.DateOnly), tallyInfo(d.Cut), tallyInfo(d.Kept), tallyInfo(d.Batch), d.LastInTurn}
		})
	})
}

// An auditInfo is the result of "credits audit".
type auditInfo struct {
	File     string `json:"file"`
	OK       bool   `json:"ok"`
	Released int    `json:"released"` // holds of requests that never ended
}

// audit releases expired holds and checks the books.
func audit(o *ofAll, c *command.Call) error {
	return write(c, o.Flags, page[auditInfo](), func(c *call) ([]auditInfo, error) {
		released, err := c.Sweep(c.Context)
		if err != nil {
			return nil, err
		}
		return one(auditInfo{c.Store.Path, true, released}, c.Audit(c.Context))
	})
}
