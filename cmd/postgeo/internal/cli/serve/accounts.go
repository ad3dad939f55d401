package serve

import (
	"context"
	"log/slog"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/accounts"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/server"
)

// hasAccounts reports whether calls require API keys.
func (c *settings) hasAccounts() bool { return c.Accounts != "" }

// openAccounts opens the accounts with the limits of requests per minute.
func (c *settings) openAccounts(ctx context.Context, env *command.Env, logger *slog.Logger) (*accounts.Store, *server.Accounts, error) {
	proxies, err := billing.ParseAddrList(c.TrustedProxies)
	if err != nil {
		return nil, nil, command.Usage(`%s: %s`, "--trusted-proxies", command.Bare(err))
	}
	o := billing.Options{Strict: c.AccountsStrict, DemoKey: c.DemoKey, Limits: c.Limits, LimitProcesses: number(c.LimitProcesses), Logger: logger}
	if o.Limits == inMemory {
		o.Limits = ""
	}
	if err := billing.CheckLimits(o.Limits); err != nil {
		return nil, nil, command.Usage(`%s: %s`, "--limits", command.Bare(err))
	}
	store, err := accounts.Flags{Accounts: c.Accounts, PepperFile: c.PepperFile, Serve: o}.Open(ctx, env, false)
	if err != nil {
		return nil, nil, err
	}
	return store, server.AccountsOf(store.Store, proxies), nil
}
