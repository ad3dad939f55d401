package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
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
	if err := c.settle(env); err != nil {
		return tellAll(env, err)
	}
	if err := c.checkOpen(env); err != nil {
		return err
	}
	db, path, err := c.openServed(env)
	if err != nil {
		return err
	}
	defer db.Close()
	if path == "" {
		path = "the embedded sample"
	}
	fmt.Fprintf(env.Stdout, "dataset: %s, version %s\n", path, db.Info().Version)
	var accounts *server.Accounts
	if c.asked() {
		logger := slog.New(slog.NewTextHandler(io.Discard, nil))
		store, asked, closer, err := c.openAccounts(ctx, env, logger)
		if err != nil {
			return err
		}
		defer closer.Close()
		accounts = asked
		if err := c.checkAccounts(ctx, env, store, asked); err != nil {
			return err
		}
	}
	if _, err := server.New(db, server.Config{Links: c.links(), Accounts: accounts}); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, "the configuration is right")
	return nil
}

// checkAccounts asks the stores for a sign of life.
func (c *configCheckCmd) checkAccounts(ctx context.Context, env *Env, store *accounts, asked *server.Accounts) error {
	list, err := store.Accounts(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "accounts: %s, %d\n", store.path, len(list))
	if asked.Limits != nil {
		if err := asked.Limits.Ping(ctx); err != nil {
			return fmt.Errorf("limits: %w", &billing.UnavailableError{Err: err})
		}
	}
	fmt.Fprintf(env.Stdout, "limits: %s\n", redacted(c.Limits))
	return nil
}

// tellAll reports the errors that are joined in one, each on a line.
func tellAll(env *Env, err error) error {
	for _, e := range parts(err) {
		env.fail("wrong use: %s", e)
	}
	return errWrongUseReported
}

// parts returns the errors that are joined in one.
func parts(err error) []error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var list []error
	for _, e := range joined.Unwrap() {
		list = append(list, parts(e)...)
	}
	return list
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
	if err := c.settle(env); err != nil {
		return tellAll(env, err)
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
	return show(c.formatFlag, env, true, output.Columns[shownSetting](), list...)
}
