package cli

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// creditsCmd is "postgeo credits".
type creditsCmd struct {
	Grant   creditsGrantCmd   `cmd:"" help:"Give an account a pack or the credits of its billing period."`
	Balance creditsBalanceCmd `cmd:"" help:"Show what an account can spend."`
	History creditsHistoryCmd `cmd:"" help:"Show what an account was granted and spent, by day."`
	Refunds creditsRefundsCmd `cmd:"" help:"Show what was refunded for answers that callers cut off, by account and day."`
	Audit   creditsAuditCmd   `cmd:"" help:"Check that every credit is accounted for."`
}

// creditsGrantCmd is "postgeo credits grant".
type creditsGrantCmd struct {
	accountRef

	Source    string `help:"pack (never expires) or subscription (until the billing period ends)." required:"" placeholder:"SOURCE"`
	Amount    int    `help:"Credits. Default for a subscription: what its period has." placeholder:"N"`
	Reference string `help:"Such as an invoice number; the same reference is granted once. Default: new for every pack, the period's first day for a subscription." placeholder:"TEXT"`

	accountsFlag
	formatFlag
}

// A grantInfo is what "credits grant" tells.
type grantInfo struct {
	Account   string `json:"account"`
	Source    string `json:"source"`
	Amount    int    `json:"amount"`
	Reference string `json:"reference"`
	Expires   string `json:"expires,omitzero"`
	Granted   bool   `json:"granted"` // false: it had been granted before
	Available int    `json:"available"`
}

// Run grants the credits.
func (c *creditsGrantCmd) Run(ctx context.Context, env *Env) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	source, err := billing.ParseSource(c.Source)
	if err != nil || source == billing.DailyCredits {
		return wrongUse("--source %q cannot be granted; expected pack or subscription (free credits come by themselves every day)", c.Source)
	}
	if c.Amount < 0 || c.Amount > billing.MaxCredits || c.Amount == 0 && source == billing.PackCredits {
		return wrongUse("--amount %d: expected 1 to %d", c.Amount, billing.MaxCredits)
	}
	if err := billing.CheckName(c.Reference); err != nil {
		return wrongUse("--reference: %s", bare(err))
	}
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag}, func(s *accounts) ([]grantInfo, error) {
		g, err := c.grant(ctx, s, id, source)
		if err != nil {
			return nil, err
		}
		g, given, err := s.Grant(ctx, g)
		if err != nil {
			return nil, err
		}
		if !given {
			env.say("nothing granted: account %s has a grant %q from %s already; give another --reference for another one", id, g.Reference, g.Source)
		}
		b, err := s.Balance(ctx, id)
		if err != nil {
			return nil, err
		}
		return []grantInfo{{
			Account: id, Source: g.Source.String(), Amount: g.Amount, Reference: g.Reference, Expires: stamp(g.Expires), Granted: given, Available: b.Available,
		}}, nil
	})
}

func (c *creditsGrantCmd) grant(ctx context.Context, s *accounts, id string, source billing.Source) (billing.Grant, error) {
	now := time.Now().UTC().Truncate(time.Millisecond)
	if source == billing.SubscriptionCredits {
		a, err := s.Account(ctx, id)
		if err != nil {
			return billing.Grant{}, err
		}
		g, err := billing.NewSubscriptionGrant(&a, c.Amount, now)
		if c.Reference != "" {
			g.Reference = c.Reference
		}
		return g, err
	}
	g := billing.Grant{Account: id, Source: source, Reference: c.Reference, Amount: c.Amount, Granted: now}
	if g.Reference == "" {
		g.Reference = "pack " + rand.Text()
	}
	return g, nil
}

// Funds are the credits of an account.
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

// creditsBalanceCmd is "postgeo credits balance".
type creditsBalanceCmd struct {
	accountRef
	accountsFlag
	formatFlag
}

// A balanceInfo is what "credits balance" tells.
type balanceInfo struct {
	Account string `json:"account"`
	Plan    string `json:"plan"`
	funds
}

// Run shows the balance.
func (c *creditsBalanceCmd) Run(ctx context.Context, env *Env) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag}, func(s *accounts) ([]balanceInfo, error) {
		b, err := s.Balance(ctx, id)
		if err != nil {
			return nil, err
		}
		return []balanceInfo{{Account: id, Plan: b.Account.Plan.String(), funds: fundsOf(&b)}}, nil
	})
}

// creditsHistoryCmd is "postgeo credits history".
type creditsHistoryCmd struct {
	accountRef
	Since string `help:"From when: a span before now (36h, 30d), a day or a time. Default: ${default}." default:"30d" placeholder:"WHEN"`

	accountsFlag
	formatFlag
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

// Run shows the history, newest first.
func (c *creditsHistoryCmd) Run(ctx context.Context, env *Env) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	since, err := parseMoment("--since", c.Since, time.Now(), -1)
	if err != nil {
		return err
	}
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag, array: true}, func(s *accounts) ([]historyInfo, error) {
		entries, err := s.History(ctx, id, since)
		if err != nil {
			return nil, err
		}
		infos := make([]historyInfo, len(entries))
		for i, e := range entries {
			infos[i] = historyInfo{
				Time: stamp(e.Time), Kind: e.Kind.String(), Source: e.Source.String(), Credits: e.Credits, Requests: e.Requests,
				Reference: e.Reference, Expires: stamp(e.Expires),
			}
		}
		return infos, nil
	})
}

// creditsRefundsCmd is "postgeo credits refunds".
type creditsRefundsCmd struct {
	ID      string `arg:"" optional:"" name:"account" help:"The account's id; or --account. Default: all accounts."`
	Account string `help:"The account's id." placeholder:"ID" name:"account"`
	Since   string `help:"From when: a span before now (36h, 30d), a day or a time. Default: ${default}." default:"30d" placeholder:"WHEN"`

	accountsFlag
	formatFlag
}

// A refundInfo is a line of "credits refunds": the requests of an account that
// were cut off on one day.
type refundInfo struct {
	Account    string    `json:"account"`
	Day        string    `json:"day"`
	Refunded   tallyInfo `json:"refunded"`     // single requests
	Kept       tallyInfo `json:"kept"`         // single requests that stay charged
	Batches    tallyInfo `json:"batches"`      // refunded batches
	LastInTurn bool      `json:"last_in_turn"` // whether the account's batches are worked last now
}

type tallyInfo struct {
	Requests int `json:"requests"`
	Credits  int `json:"credits"`
}

// Run shows the refunds, newest first.
func (c *creditsRefundsCmd) Run(ctx context.Context, env *Env) error {
	var id string
	if c.ID != "" || c.Account != "" {
		var err error
		if id, err = (accountRef{c.ID, c.Account}).id(); err != nil {
			return err
		}
	}
	since, err := parseMoment("--since", c.Since, time.Now(), -1)
	if err != nil {
		return err
	}
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag, array: true}, func(s *accounts) ([]refundInfo, error) {
		days, err := s.Refunds(ctx, id, since)
		if err != nil {
			return nil, err
		}
		infos := make([]refundInfo, len(days))
		for i, d := range days {
			infos[i] = refundInfo{
				Account: d.Account, Day: d.Day.Format(time.DateOnly),
				Refunded: tallyInfo(d.Cut), Kept: tallyInfo(d.Kept), Batches: tallyInfo(d.Batch), LastInTurn: d.LastInTurn,
			}
		}
		return infos, nil
	})
}

// creditsAuditCmd is "postgeo credits audit".
type creditsAuditCmd struct {
	accountsFlag
	formatFlag
}

// An auditInfo says that the books balance.
type auditInfo struct {
	File     string `json:"file"`
	OK       bool   `json:"ok"`
	Released int    `json:"released"` // holds of requests that never ended
}

// Run releases holds that nobody settled in their time and checks the books.
func (c *creditsAuditCmd) Run(ctx context.Context, env *Env) error {
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag}, func(s *accounts) ([]auditInfo, error) {
		released, err := s.Sweep(ctx)
		if err != nil {
			return nil, err
		}
		if err := s.Audit(ctx); err != nil {
			return nil, err
		}
		return []auditInfo{{File: s.path, OK: true, Released: released}}, nil
	})
}
