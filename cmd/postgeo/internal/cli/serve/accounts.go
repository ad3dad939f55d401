package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/accounts"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/billing/redis"
	"github.com/postgeo/postgeo/server"
)

// hasAccounts reports whether calls require API keys.
func (c *settings) hasAccounts() bool { return c.Accounts != "" }

// openAccounts opens the accounts and the limits. The closer closes both.
func (c *settings) openAccounts(ctx context.Context, env *command.Env, logger *slog.Logger) (*accounts.Store, *server.Accounts, io.Closer, error) {
	proxies, err := billing.ParseAddrList(c.TrustedProxies)
	if err != nil {
		return nil, nil, nil, command.Usage(message.InFlag, "--trusted-proxies", command.Bare(err))
	}
	limiter, limits, err := c.openLimits(ctx, logger)
	if err != nil {
		return nil, nil, nil, err
	}
	store, err := accounts.Flags{Accounts: c.Accounts, PepperFile: c.PepperFile, Strict: c.AccountsStrict}.Open(ctx, env, false)
	if err != nil {
		return nil, nil, nil, errors.Join(err, limits.Close())
	}
	all := closers{store, limits}
	gate, err := billing.NewGate(billing.GateOptions{Directory: store, Pepper: store.Pepper, DemoKey: c.DemoKey, Limiter: limiter})
	if err != nil {
		return nil, nil, nil, errors.Join(err, all.Close())
	}
	keys := &server.Accounts{Gate: gate, Ledger: store, DemoKey: c.DemoKey, TrustedProxies: proxies}
	if shared, ok := limiter.(server.Store); ok {
		keys.Limits = shared
	}
	return store, keys, all, nil
}

// openLimits opens the counts of requests per minute.
func (c *settings) openLimits(ctx context.Context, logger *slog.Logger) (billing.Limiter, closers, error) {
	if c.Limits == inMemory {
		return billing.NewMemoryLimiter(billing.MemoryLimiterOptions{}), nil, nil
	}
	processes := number(c.LimitProcesses)
	l, err := redis.New(c.Limits, redis.Options{Processes: processes, Changed: func(err error) {
		if err != nil {
			logger.Error("limits: the server is unreachable; each process allows its part", "processes", processes, "error", err.Error())
		} else {
			logger.Info("limits: the server is reachable again")
		}
	}})
	if err != nil {
		return nil, nil, command.Usage(message.InFlag, "--limits", command.Bare(err))
	}
	if err := l.Ping(ctx); err != nil {
		logger.Warn("limits: the server does not respond yet", "error", err.Error())
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

// sweepEvery is the interval of releases of credits of lost requests.
const sweepEvery = time.Minute

// sweep releases such credits until the context's end.
func sweep(ctx context.Context, store *accounts.Store, logger *slog.Logger) {
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
