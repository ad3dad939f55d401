package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/service"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/accounts"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/server"
)

// hasAccounts reports whether calls require API keys.
func (c *settings) hasAccounts() bool { return c.Accounts != "" }

// openAccounts opens the accounts and the limits. The closer closes both.
func (c *settings) openAccounts(ctx context.Context, env *command.Env, logger *slog.Logger) (*accounts.Store, *server.Accounts, io.Closer, error) {
	proxies, err := billing.ParseAddrList(c.TrustedProxies)
	if err != nil {
		return nil, nil, nil, command.Usage(`%s: %s`, "--trusted-proxies", command.Bare(err))
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
	keys := &server.Accounts{Gate: gate, Ledger: store, TrustedProxies: proxies}
	if shared, ok := limiter.(billing.Pinger); ok {
		keys.Limits = shared
	}
	return store, keys, all, nil
}

// openLimits opens the counts of requests per minute.
func (c *settings) openLimits(ctx context.Context, logger *slog.Logger) (billing.Limiter, io.Closer, error) {
	address := c.Limits
	if address == inMemory {
		address = ""
	}
	l, closer, err := service.OpenLimits(ctx, address, number(c.LimitProcesses), logger)
	if err != nil {
		return nil, nil, command.Usage(`%s: %s`, "--limits", command.Bare(err))
	}
	return l, closer, nil
}

// closers are closed one after the other.
type closers []io.Closer

func (c closers) Close() error {
	var errs []error
	for _, x := range c {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}
