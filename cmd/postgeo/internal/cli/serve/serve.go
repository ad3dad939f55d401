// Package serve holds the commands of the server and its configuration.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"reflect"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/accounts"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server"
)

// group is the heading of the commands in the help.
const group = "The server and its accounts"

// Command returns "postgeo serve".
func Command() *cobra.Command {
	return command.New(command.About{Name: "serve", Group: group, Short: "Serve lookups and searches over HTTP."},
		(*settings).run,
		"postgeo serve", "for this machine, without keys",
		"postgeo serve --listen 0.0.0.0:8080 --accounts accounts.db", "for callers with keys",
		"postgeo serve --config /etc/postgeo/postgeo.json", "as a service",
	)
}

// run serves until the end of the context, SIGINT or SIGTERM. On SIGHUP it reads
// the settings and the dataset file again.
func (c *settings) run(call *command.Call) error {
	ctx, env, flags := call.Context, call.Env, *c // the flags alone, for reloads
	logger := slog.New(slog.NewJSONHandler(env.Stderr, nil))
	if !env.StderrTerminal && env.Log == nil {
		env.Log = func(level slog.Level, line string) { logger.Log(ctx, level, line) }
	}
	if errs := c.check(env); len(errs) > 0 {
		for _, err := range errs[:len(errs)-1] {
			env.Fail("%s", err)
		}
		return errs[len(errs)-1]
	}
	ofRuntime := debug.SetMemoryLimit(-1) // $GOMEMLIMIT
	c.limitMemory(env, ofRuntime)
	cfg := c.config(logger)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	hangUps := make(chan os.Signal, 1) // one during the start is not lost
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)

	db, path, err := c.OpenWith(env, postgeo.OpenOptions{ACSMemory: cmp.Or(int64(c.ACSMemory)<<20, -1)})
	if err != nil {
		return err
	}
	defer db.Close()
	// Before the server listens: a damaged page that no request reads today would fail one
	// tomorrow, and the first requests must not wait for the sections of the file. Both read
	// the file, one of them its checksums and the other its values.
	verified := make(chan error, 1)
	go func() { verified <- db.VerifyPages(ctx) }()
	if err := cmp.Or(db.Prepare(ctx), <-verified); err != nil {
		return err
	}

	if c.Accounts != "" {
		store, err := c.openAccounts(ctx, env, logger)
		if err != nil {
			return command.Kind("accounts", err)
		}
		defer func() {
			if err := store.Close(); err != nil {
				logger.Error("accounts not closed", "error", err.Error())
			}
		}()
		cfg.Accounts = store
	}
	var srv *server.Server
	// Settings are checked before the dataset is replaced: an invalid one leaves everything as
	// it is.
	cfg.Reload = func(context.Context) error {
		next := flags
		chosen, err := c.reload(env, logger, &next)
		if err != nil {
			return err
		}
		if err := db.Swap(ctx, chosen); err != nil {
			return err
		}
		next.limitMemory(env, ofRuntime)
		return srv.Change(next.config(logger))
	}
	if srv, err = server.New(db, cfg); err != nil {
		return err
	}
	public, private, err := c.listeners(ctx)
	if err != nil {
		return err
	}
	go onHangUp(ctx, hangUps, srv)

	env.Report(`serving dataset %s (%s) on http://%s; %s`, db.Info().Version, command.FileName(path), public.Addr(), c.access())
	if private != nil {
		env.Report(`/live, /ready, /metrics and /reload on http://%s`, private.Addr())
	}

	if err := notifyReady(ctx, env); err != nil {
		logger.Warn(fmt.Sprintf(`the service manager was not notified: %v`, err))
	}
	if err := srv.Run(ctx, public, private); err != nil {
		return err
	}
	env.Report(`stopped; all requests were answered`)
	return nil
}

// limitMemory sets the memory limit of the settings, else $GOMEMLIMIT, which the runtime has
// read, else that of the control group.
func (c *settings) limitMemory(env *command.Env, ofRuntime int64) {
	if c.MemoryLimit > 0 {
		debug.SetMemoryLimit(c.MemoryLimit.Runtime())
		return
	}
	debug.SetMemoryLimit(ofRuntime)
	memory.Limit(env.Getenv, math.MaxInt64)
}

// live are the settings that a reload changes. The others are parts of listeners, of
// net/http's server, of queues and of the accounts, which are made once.
var live = []string{"data", "memory-limit", "request-timeout", "min-rate", "trusted-proxies"}

// reload completes the flags again, and returns the file of the dataset. It reports changes
// that need a restart, and refuses settings that the server would not start with.
func (c *settings) reload(env *command.Env, logger *slog.Logger, next *settings) (path string, err error) {
	errs := next.check(env)
	if len(errs) == 0 && c.WriteTimeout <= next.RequestTimeout {
		errs = append(errs, command.Usage(`--request-timeout %v must be shorter than --write-timeout %v, which needs a restart to change`, next.RequestTimeout, c.WriteTimeout))
	}
	if len(errs) > 0 {
		return "", errors.Join(errs...)
	}
	var changed []string
	was, is := reflect.ValueOf(c).Elem(), reflect.ValueOf(next).Elem()
	for _, p := range settingList {
		if name := nameOf(p); !slices.Contains(live, name) && !reflect.DeepEqual(was.FieldByIndex(p.Index).Interface(), is.FieldByIndex(p.Index).Interface()) {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		logger.Warn("settings changed that need a restart", "settings", changed)
	}
	if path, err = next.Choose(env); err == nil && path == "" {
		err = command.Failure(`the embedded sample cannot be reloaded; serve a dataset file with --data`)
	}
	return path, err
}

func (c *settings) config(logger *slog.Logger) server.Config {
	links := envelope.Links{Site: string(c.SiteURL), Account: string(c.AccountURL), Pricing: string(c.PricingURL), Docs: string(c.DocsURL)}
	if links.Docs != "" {
		links.AuthDocs = links.Docs + "#authentication"
	}
	return server.Config{
		Logger: logger, Links: links, TrustedProxies: c.TrustedProxies.AddrList,
		RequestTimeout: c.RequestTimeout, ReadHeaderTimeout: c.ReadHeaderTimeout, ReadTimeout: c.ReadTimeout,
		WriteTimeout: c.WriteTimeout, IdleTimeout: c.IdleTimeout, Grace: c.DrainTimeout,
		MinRate: c.MinRate << 10, MaxWaiting: c.MaxWaiting, MaxHeaderBytes: c.MaxHeader << 10,
	}
}

// access describes who may call, and where requests are counted.
func (c *settings) access() string {
	if c.Accounts == "" {
		return `open: no API keys required`
	}
	return fmt.Sprintf(`API keys required, accounts in %s, requests counted in %s`, redacted(c.Accounts), redacted(cmp.Or(string(c.Limits), inMemory)))
}

// check resolves the settings and returns all errors in them.
func (c *settings) check(env *command.Env) []error {
	errs := c.resolve(env)
	if len(errs) > 0 {
		return errs
	}
	if err := c.checkOpen(env); err != nil {
		errs = append(errs, err)
	}
	if _, port, _ := net.SplitHostPort(c.Listen); c.Listen == c.PrivateListen && port != "0" {
		errs = append(errs, command.Usage(`--listen and --private-listen are both %s; use two addresses, or --private-listen none`, c.Listen))
	}
	if c.WriteTimeout <= c.RequestTimeout {
		errs = append(errs, command.Usage(`--write-timeout %s must be longer than --request-timeout %s, or the server cuts off responses`, c.WriteTimeout, c.RequestTimeout))
	}
	return errs
}

// checkOpen refuses calls without keys (decision D44) except on a loopback address
// or with --open.
func (c *settings) checkOpen(env *command.Env) error {
	switch {
	case c.Open && c.Accounts != "":
		return command.Usage(`--open and --accounts exclude each other: the first requires no API keys, the second requires them`)
	case c.Open, c.Accounts != "":
		return nil
	}
	for _, s := range []struct {
		name string
		set  bool
	}{
		{"trusted-proxies", len(c.TrustedProxies.AddrList) > 0},
		{"demo-key", c.DemoKey != ""},
		{"accounts-strict", c.AccountsStrict},
		{"pepper-file", c.PepperFile != ""},
		{"limits", c.Limits != ""},
	} {
		if s.set {
			return command.Usage(`the setting %s is for a public server; set --accounts FILE to require API keys, or --open to allow calls without keys`, s.name)
		}
	}
	addr, err := net.ResolveTCPAddr("tcp", c.Listen)
	if err != nil {
		return command.Usage(`invalid --listen %q: %v; must be HOST:PORT, such as 127.0.0.1:8080`, c.Listen, err)
	}
	if !addr.IP.IsLoopback() {
		return command.Usage(`--listen %s is reachable from other machines; set --accounts FILE to require API keys, or --open to allow calls without keys`, c.Listen)
	}
	env.Report(`neither --open nor --accounts is set: any program on this machine can call the server without an API key`)
	return nil
}

// listeners opens the two addresses.
func (c *settings) listeners(ctx context.Context) (public, private net.Listener, err error) {
	listen := func(flag, address string) (net.Listener, error) {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
		if bad := (*net.AddrError)(nil); errors.As(err, &bad) {
			err = command.Usage(command.InvalidValue, flag, address, "HOST:PORT, such as 127.0.0.1:8081")
		} else if err != nil {
			err = command.Failure(`%s %s: %w; choose another address`, flag, address, err)
		}
		return l, err
	}
	if public, err = listen("--listen", c.Listen); err != nil || c.PrivateListen == noAddress {
		return public, nil, err
	}
	if private, err = listen("--private-listen", c.PrivateListen); err != nil {
		return nil, nil, errors.Join(err, public.Close())
	}
	return public, private, nil
}

// notifyReady reports to the service manager that the server listens, if it requests
// that with $NOTIFY_SOCKET as systemd does: a datagram READY=1 (sd_notify(3)). Units that
// depend on the server start after it.
func notifyReady(ctx context.Context, env *command.Env) error {
	address := env.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return nil
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unixgram", address)
	if err != nil {
		return err
	}
	_, err = c.Write([]byte("READY=1"))
	return errors.Join(err, c.Close())
}

// onHangUp reloads at every hang-up signal.
func onHangUp(ctx context.Context, hangUps <-chan os.Signal, srv *server.Server) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangUps:
			_ = srv.Reload(ctx) // logged
		}
	}
}

// openAccounts opens the accounts with the limits of requests per minute.
func (c *settings) openAccounts(ctx context.Context, env *command.Env, logger *slog.Logger) (*accounts.Store, error) {
	o := billing.Options{Strict: c.AccountsStrict, DemoKey: string(c.DemoKey), Limits: string(c.Limits), LimitProcesses: c.LimitProcesses, Logger: logger}
	return accounts.Flags{Accounts: c.Accounts, PepperFile: c.PepperFile, Serve: o}.Open(ctx, env, false)
}
