package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server"
)

// serveFlags are the flags of "postgeo serve". Zero values were not given.
type serveFlags struct {
	Config        string `help:"File with settings: a JSON object with the names of these flags. A flag counts before the environment ($$POSTGEO_LISTEN for --listen), that before the file. Default: $$POSTGEO_CONFIG." placeholder:"FILE" type:"path"`
	Listen        string `help:"Address for callers. Default: 127.0.0.1:8080." placeholder:"HOST:PORT"`
	PrivateListen string `help:"Address for /live, /ready, /metrics and /reload, which callers should not reach; 'none' for no such address. Default: 127.0.0.1:8081." placeholder:"HOST:PORT"`
	Open          bool   `help:"Answer everybody without keys, on any address."`

	serveAccounts

	SiteURL    string `help:"Page that errors without a better one point to." placeholder:"URL" name:"site-url"`
	AccountURL string `help:"Page about accounts and keys." placeholder:"URL" name:"account-url"`
	PricingURL string `help:"Page about plans and prices." placeholder:"URL" name:"pricing-url"`
	DocsURL    string `help:"Documentation." placeholder:"URL" name:"docs-url"`

	dataFlag
	ACSMemory string `help:"The most memory for figures of the American Community Survey that searches summed up last, in MiB. Default: 64." placeholder:"MIB" name:"acs-memory"`

	origins map[string]origin // of the settings, by name
}

// serveCmd is "postgeo serve".
type serveCmd struct {
	serveFlags
}

// Run serves until the context is done or the process is told to stop
// (SIGINT, SIGTERM). On SIGHUP it opens the dataset file again and answers
// from the new one.
func (c *serveCmd) Run(ctx context.Context, env *Env) error {
	logger := slog.New(slog.NewJSONHandler(env.Stderr, nil))
	if !env.StderrTerminal && env.Tell == nil {
		env.Tell = func(level slog.Level, line string) { logger.Log(ctx, level, line) } // one form for whoever reads the log
	}
	if err := c.settle(env); err != nil {
		return tellAll(env, err)
	}
	if err := c.checkOpen(env); err != nil {
		return err
	}
	cfg := server.Config{Logger: logger, Links: c.links()}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()

	db, path, err := c.openServed(env)
	if err != nil {
		return err
	}
	defer db.Close()

	if c.asked() {
		store, accounts, closer, err := c.openAccounts(ctx, env, logger)
		if err != nil {
			return err
		}
		defer func() {
			if err := closer.Close(); err != nil {
				logger.Error("accounts not closed", "error", err.Error())
			}
		}()
		cfg.Accounts = accounts
		swept := make(chan struct{})
		defer func() { stop(); <-swept }() // before the store is closed
		go func() {
			defer close(swept)
			sweep(ctx, store, logger)
		}()
	}
	cfg.Reload = func(context.Context) error {
		if path == "" {
			return errors.New("the embedded sample is no file; serve a dataset with --data to reload it")
		}
		if err := db.Swap(path); err != nil {
			return err
		}
		prepare(db, logger)
		return nil
	}
	srv, err := server.New(db, cfg)
	if err != nil {
		return err
	}
	public, private, err := c.listeners(ctx)
	if err != nil {
		return err
	}
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	go reload(ctx, hangUps, srv)
	go prepare(db, logger)

	env.say("serving dataset %s on http://%s", db.Info().Version, public.Addr())
	if private != nil {
		env.say("/live, /ready, /metrics and /reload on http://%s", private.Addr())
	}

	if err := srv.Run(ctx, public, private); err != nil {
		return err
	}
	env.say("stopped; every request was answered")
	return nil
}

// openServed opens the dataset as a server does.
func (c *serveFlags) openServed(env *Env) (db *postgeo.DB, path string, err error) {
	mib, err := strconv.ParseInt(c.ACSMemory, 10, 64)
	if err != nil {
		return nil, "", fmt.Errorf("--acs-memory: %w", err) // settings were settled before
	}
	opt := postgeo.OpenOptions{ACSMemory: mib << 20}
	if mib == 0 {
		opt.ACSMemory = -1
	}
	return c.openWith(env, opt)
}

// links are the pages that errors point to.
func (c *serveFlags) links() envelope.Links {
	l := envelope.Links{Site: c.SiteURL, Account: c.AccountURL, Pricing: c.PricingURL, Docs: c.DocsURL}
	if c.DocsURL != "" {
		l.AuthDocs = c.DocsURL + "#authentication"
	}
	return l
}

// checkOpen decides whether callers may be answered without keys (decision
// D44): on a loopback address they may, elsewhere only when told so.
func (c *serveFlags) checkOpen(env *Env) error {
	switch {
	case c.Open && c.Accounts != "":
		return wrongUse("--open asks nobody for a key and --accounts everybody; give one of them")
	case c.Open, c.asked():
		return nil
	case c.DemoKey != "" || c.AccountsStrict || c.PepperFile != "" || c.Limits != inMemory || len(c.TrustedProxies) > 0:
		return wrongUse("--accounts-strict, --demo-key, --limits, --pepper-file and --trusted-proxies are about accounts; name them with --accounts FILE")
	}
	addr, err := net.ResolveTCPAddr("tcp", c.Listen)
	if err != nil {
		return wrongUse("--listen %q is no address: %v; give HOST:PORT, e.g. 127.0.0.1:8080", c.Listen, err)
	}
	if !addr.IP.IsLoopback() {
		return wrongUse("--listen %s can be reached from other machines, and neither --open nor --accounts says who may call; "+
			"add --accounts FILE to ask for keys, or --open to answer everybody without", c.Listen)
	}
	env.say("neither --open nor --accounts given: open to every program on this machine, no key is asked")
	return nil
}

func (c *serveCmd) listeners(ctx context.Context) (public, private net.Listener, err error) {
	var lc net.ListenConfig
	public, err = lc.Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return nil, nil, fmt.Errorf("--listen: %w; choose another address", err)
	}
	if c.PrivateListen == noAddress {
		return public, nil, nil
	}
	private, err = lc.Listen(ctx, "tcp", c.PrivateListen)
	if err != nil {
		err = fmt.Errorf("--private-listen: %w; choose another address, or 'none'", err)
		return nil, nil, errors.Join(err, public.Close())
	}
	return public, private, nil
}

// reload swaps the dataset at every hang-up signal.
func reload(ctx context.Context, hangUps <-chan os.Signal, srv *server.Server) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangUps:
			_ = srv.Reload(ctx) // logged
		}
	}
}

// prepare makes what the first search would wait for.
func prepare(db *postgeo.DB, logger *slog.Logger) {
	if err := db.Prepare(); err != nil && !errors.Is(err, postgeo.ErrClosed) {
		logger.Error("indexes for searches not made; the first search makes them", "error", err.Error())
	}
}
