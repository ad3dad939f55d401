package cli

import (
	"context"
	"log/slog"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/server"
)

// serveAccounts are the flags of "postgeo serve" about keys and credits.
type serveAccounts struct {
	Accounts       string   `help:"Ask for keys and charge credits: file of the accounts. Default: $$POSTGEO_ACCOUNTS, else no keys are asked." placeholder:"FILE"`
	PepperFile     string   `help:"File with the secret that keys are hashed under. Default: the text of $$POSTGEO_PEPPER, else the accounts' file with .pepper after it." placeholder:"FILE" type:"path"`
	DemoKey        string   `help:"Shared key for the demo codes, 5 requests a minute from one address. Default: $$POSTGEO_DEMO_KEY, else none." placeholder:"KEY"`
	TrustedProxies []string `help:"Addresses and networks that may tell callers' addresses in X-Forwarded-For." placeholder:"NETWORK,…"`
}

// asked reports whether callers are to be asked for keys.
func (c *serveAccounts) asked(env *Env) bool {
	if c.Accounts == "" {
		c.Accounts = env.Getenv("POSTGEO_ACCOUNTS")
	}
	return c.Accounts != ""
}

// openAccounts opens what the server needs to ask for keys.
func (c *serveAccounts) openAccounts(ctx context.Context, env *Env) (*accounts, *server.Accounts, error) {
	proxies, err := billing.ParseAddrList(c.TrustedProxies)
	if err != nil {
		return nil, nil, wrongUse("--trusted-proxies: %s", bare(err))
	}
	if c.DemoKey == "" {
		c.DemoKey = env.Getenv("POSTGEO_DEMO_KEY")
	}
	if n := len(c.DemoKey); n != 0 && n != billing.KeyLength {
		return nil, nil, wrongUse("--demo-key has %d characters; every key has %d", n, billing.KeyLength)
	}
	store, err := accountsFlag{Accounts: c.Accounts, PepperFile: c.PepperFile}.open(ctx, env, false)
	if err != nil {
		return nil, nil, err
	}
	gate, err := billing.NewGate(billing.GateOptions{Directory: store, Pepper: store.pepper, DemoKey: c.DemoKey})
	if err != nil {
		store.Close()
		return nil, nil, err
	}
	return store, &server.Accounts{Gate: gate, Ledger: store, TrustedProxies: proxies}, nil
}

// sweepEvery is how often credits are looked for that no request will settle.
const sweepEvery = time.Minute

// sweep releases such credits until ctx is done.
func sweep(ctx context.Context, store *accounts, logger *slog.Logger) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		n, err := store.Sweep(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			logger.Error("credits of lost requests not released; next try in a minute", "error", err.Error())
		case n > 0:
			logger.Warn("credits of lost requests released", "requests", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
