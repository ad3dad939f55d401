package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/server"
)

// configCmd is "postgeo config".
type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Check what 'postgeo serve' would be started with."`
	Show  configShowCmd  `cmd:"" help:"Show what 'postgeo serve' would be started with, and where that comes from."`
}

// configCheckCmd is "postgeo config check".
type configCheckCmd struct {
	serveFlags
}

// Run tells everything that is wrong, or that nothing is. It opens what the
// server would open, and listens nowhere.
func (c *configCheckCmd) Run(ctx context.Context, env *Env) error {
	errs := c.check(env)
	fact := func(name, format string, args ...any) { _ = plain.Linef(env.Stdout, name+": "+format, args...) }
	if len(errs) == 0 {
		fact("callers", "%s; %s", c.Listen, c.doors())
		fact("operators", "%s", c.PrivateListen)
	}
	var db *postgeo.DB
	if c.settled("data", "acs-memory") {
		var path string
		var err error
		if db, path, err = c.openServed(env); err != nil {
			errs = append(errs, err)
		} else {
			defer db.Close()
			fact("dataset", "%s, version %s", fileName(path), db.Info().Version)
		}
	}
	var accounts *server.Accounts
	if c.asked() && !c.Open && c.settled("accounts", "pepper-file", "limits", "limit-processes", "trusted-proxies", "demo-key") {
		store, asked, closer, err := c.openAccounts(ctx, env, slog.New(slog.DiscardHandler))
		if err != nil {
			errs = append(errs, err)
		} else {
			defer closer.Close()
			accounts = asked
			errs = append(errs, c.checkAccounts(ctx, fact, store, asked)...)
		}
	}
	if len(errs) == 0 {
		cfg := c.config(nil)
		cfg.Accounts = accounts
		if _, err := server.New(db, cfg); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return tellAll(env, errs)
	}
	fmt.Fprintln(env.Stdout, "the configuration is right")
	return nil
}

// checkAccounts asks the stores for a sign of life.
func (c *configCheckCmd) checkAccounts(ctx context.Context, fact func(name, format string, args ...any), store *accounts, asked *server.Accounts) (errs []error) {
	if list, err := store.Accounts(ctx); err != nil {
		errs = append(errs, err)
	} else {
		fact("accounts", "%d in %s", len(list), store.path)
	}
	if asked.Limits != nil {
		if err := asked.Limits.Ping(ctx); err != nil {
			return append(errs, fmt.Errorf("limits: %w", &billing.UnavailableError{Err: err}))
		}
	}
	fact("limits", "%s", redacted(c.Limits))
	return errs
}

// tellAll reports errors about settings, each on a line. They are wrong use,
// unless all are of what the settings name.
func tellAll(env *Env, errs []error) error {
	result := errReported
	for _, err := range errs {
		if usage := new(usageError); errors.As(err, &usage) {
			env.fail("wrong use: %s", usage.reason)
			result = errWrongUseReported
		} else {
			env.fail("%s", explain(err))
		}
	}
	return result
}

// configShowCmd is "postgeo config show".
type configShowCmd struct {
	serveFlags
	formatFlag
}

// A shownSetting is a setting as it is in force.
type shownSetting struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
	From    string `json:"from"`
}

// Run lists the settings. Secrets are not shown.
func (c *configShowCmd) Run(env *Env) error {
	show, err := newShower[shownSetting](env, showing{format: c.formatFlag, array: true})
	if err != nil {
		return err
	}
	if errs := c.settle(env); len(errs) > 0 {
		return tellAll(env, errs)
	}
	var list []shownSetting
	for i := range settings {
		s := &settings[i]
		value := redacted(textOf(s.field(&c.serveFlags)))
		if s.secret && value != "" {
			value = "(secret)"
		}
		list = append(list, shownSetting{s.name, value, c.origins[s.name].where})
	}
	if env.Getenv("POSTGEO_PEPPER") != "" && c.PepperFile == "" {
		list = append(list, shownSetting{"pepper", "(secret)", "POSTGEO_PEPPER"})
	}
	return show(list)
}
