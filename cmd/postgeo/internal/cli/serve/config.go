package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/accounts"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/server"
)

func configCommands() []*command.Command {
	return []*command.Command{
		command.New(command.Spec[settings, struct{}]{
			Name: "check", Short: "Check the configuration of 'postgeo serve'.",
			Examples: command.Examples("postgeo config check --config /etc/postgeo/postgeo.json", "before a restart of the server"),
			Run: func(c *settings, call *command.Call) (command.Result, error) {
				return command.Result{}, c.checkAll(call.Context, call.Env)
			},
		}),
		command.New(command.Spec[showOptions, shownSetting]{
			Name: "show", Short: "Show the settings of 'postgeo serve' and their origins.",
			Examples: command.Examples("postgeo config show", "every setting and its origin"),
			View: func(*showOptions, *command.Call) (command.View, error) {
				return command.Table(output.Columns[shownSetting]()), nil
			},
			Run: (*showOptions).run,
		}),
	}
}

// checkAll reports all errors, or that the configuration is valid. It opens the
// files and stores of the server, but no addresses.
func (c *settings) checkAll(ctx context.Context, env *command.Env) error {
	errs := c.check(env)
	fact := func(name, format string, args ...any) { _ = plain.Linef(env.Stdout, name+": "+format, args...) }
	if len(errs) == 0 {
		fact("callers", "%s; %s", c.Listen, c.access())
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
			fact("dataset", "%s, version %s", command.FileName(path), db.Info().Version)
		}
	}
	var keys *server.Accounts
	if c.hasAccounts() && !c.Open && c.settled("accounts", "pepper-file", "limits", "limit-processes", "trusted-proxies", "demo-key") {
		store, opened, closer, err := c.openAccounts(ctx, env, slog.New(slog.DiscardHandler))
		if err != nil {
			errs = append(errs, err)
		} else {
			defer closer.Close()
			keys = opened
			errs = append(errs, c.checkAccounts(ctx, fact, store, opened)...)
		}
	}
	if len(errs) == 0 {
		cfg := c.config(nil)
		cfg.Accounts = keys
		if _, err := server.New(db, cfg); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return reportAll(env, errs)
	}
	fmt.Fprintln(env.Stdout, message.ConfigIsValid)
	return nil
}

// checkAccounts queries the stores.
func (c *settings) checkAccounts(ctx context.Context, fact func(name, format string, args ...any), store *accounts.Store, keys *server.Accounts) (errs []error) {
	if list, err := store.Accounts(ctx); err != nil {
		errs = append(errs, err)
	} else {
		fact("accounts", "%d in %s", len(list), store.Path)
	}
	if keys.Limits != nil {
		if err := keys.Limits.Ping(ctx); err != nil {
			return append(errs, command.Failure(message.LimitsDown, &billing.UnavailableError{Err: err}))
		}
	}
	fact("limits", "%s", redacted(c.Limits))
	return errs
}

// reportAll reports errors in settings, each on a line. The exit code is [command.Misuse]
// unless all errors are outside the settings.
func reportAll(env *command.Env, errs []error) error {
	result := command.ErrReported
	for _, err := range errs {
		if usage := new(command.UsageError); errors.As(err, &usage) {
			env.Fail("%s", usage.Reason)
			result = command.ErrMisuseReported
		} else {
			env.Fail("%s", command.Explain(err))
		}
	}
	return result
}

type showOptions struct {
	settings
	command.Format
}

// A shownSetting is a setting in force.
type shownSetting struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
	From    string `json:"from"`
}

// run lists the settings without secrets.
func (o *showOptions) run(call *command.Call) (command.Result, error) {
	if errs := o.settle(call.Env); len(errs) > 0 {
		return command.Result{}, reportAll(call.Env, errs)
	}
	const secret = "(secret)"
	var list []shownSetting
	for _, s := range settingList {
		value := redacted(textOf(s.field(&o.settings)))
		if s.secret && value != "" {
			value = secret
		}
		list = append(list, shownSetting{s.name, value, o.origins[s.name].where})
	}
	if call.Getenv("POSTGEO_PEPPER") != "" && o.PepperFile == "" {
		list = append(list, shownSetting{"pepper", secret, "POSTGEO_PEPPER"})
	}
	return command.Rows(list), nil
}
