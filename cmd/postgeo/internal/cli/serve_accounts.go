package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/redis"
	"github.com/postgeo/postgeo/server"
)

// serveAccounts are the flags of "postgeo serve" about keys and credits.
type serveAccounts struct {
	Accounts       string   `help:"Ask for keys and charge credits: file of the accounts, or a PostgreSQL database that several servers share (postgres://…). Default: $$POSTGEO_ACCOUNTS, else no keys are asked." placeholder:"FILE|URL"`
	PepperFile     string   `help:"File with the secret that keys are hashed under. Default: the text of $$POSTGEO_PEPPER, else the accounts' file with .pepper after it." placeholder:"FILE" type:"path"`
	AccountsStrict bool     `help:"Answer only what is on the disk, also for a failure of power; slower."`
	DemoKey        string   `help:"Shared key for the demo codes, 16 to 64 printable ASCII characters; 5 requests a minute from one address. Default: $$POSTGEO_DEMO_KEY, else none." placeholder:"KEY"`
	Limits         string   `help:"Where requests per minute are counted: 'memory', for this process alone, or a Redis or Valkey server that several servers share (redis://host:6379/0, rediss://…, unix:///path). Default: $$POSTGEO_LIMITS, else memory." placeholder:"memory|URL"`
	LimitProcesses *int     `help:"How many servers share --limits: while Redis is away each allows its part. Default: 1." placeholder:"N"`
	TrustedProxies []string `help:"Addresses and networks that may tell callers' addresses in X-Forwarded-For." placeholder:"NETWORK,…"`
}

// asked reports whether callers are to be asked for keys.
func (c *serveAccounts) asked() bool { return c.Accounts != "" }

// openAccounts opens what the server needs to ask for keys. The closer closes
// all of it.
func (c *serveAccounts) openAccounts(ctx context.Context, env *Env, logger *slog.Logger) (*accounts, *server.Accounts, io.Closer, error) {
	proxies, err := billing.ParseAddrList(c.TrustedProxies)
	if err != nil {
		return nil, nil, nil, wrongUse("--trusted-proxies: %s", bare(err))
	}
	limiter, limits, err := c.openLimits(ctx, logger)
	if err != nil {
		return nil, nil, nil, err
	}
	store, err := accountsFlag{Accounts: c.Accounts, PepperFile: c.PepperFile, strict: c.AccountsStrict}.open(ctx, env, false)
	if err != nil {
		return nil, nil, nil, errors.Join(err, limits.Close())
	}
	all := closers{store, limits}
	gate, err := billing.NewGate(billing.GateOptions{Directory: store, Pepper: store.pepper, DemoKey: c.DemoKey, Limiter: limiter})
	if err != nil {
		return nil, nil, nil, errors.Join(err, all.Close())
	}
	asked := &server.Accounts{Gate: gate, Ledger: store, DemoKey: c.DemoKey, TrustedProxies: proxies}
	if shared, ok := limiter.(server.Store); ok {
		asked.Limits = shared
	}
	return store, asked, all, nil
}

// openLimits opens the counts of requests per minute.
func (c *serveAccounts) openLimits(ctx context.Context, logger *slog.Logger) (billing.Limiter, closers, error) {
	if c.Limits == inMemory {
		return billing.NewMemoryLimiter(billing.MemoryLimiterOptions{}), nil, nil
	}
	l, err := redis.New(c.Limits, redis.Options{Processes: *c.LimitProcesses, Changed: func(err error) {
		if err != nil {
			logger.Error("limits: the server is away; each process allows its part", "processes", *c.LimitProcesses, "error", err.Error())
		} else {
			logger.Info("limits: the server is back")
		}
	}})
	if err != nil {
		return nil, nil, wrongUse("--limits: %s", bare(err))
	}
	if err := l.Ping(ctx); err != nil {
		logger.Warn("limits: the server does not answer yet", "error", err.Error())
	}
	return l, closers{l}, nil
}

// closers are closed one after the other.
type closers []io.Closer

// Close closes all.
func (c closers) Close() error {
	var errs []error
	for _, x := range c {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
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
