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
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server"
)

// serveFlags are the flags of "postgeo serve". Zero values were not given.
type serveFlags struct {
	Config        string `help:"File with settings: a JSON object with the names of these flags. A flag counts before the environment ($$POSTGEO_LISTEN for --listen), that before the file. Default: $$POSTGEO_CONFIG." placeholder:"FILE" type:"path"`
	Listen        string `help:"Address for callers; 'systemd' or 'systemd:NAME' for a socket that a socket unit opened. Default: 127.0.0.1:8080." placeholder:"HOST:PORT"`
	PrivateListen string `help:"Address for /live, /ready, /metrics and /reload, which callers should not reach; 'none' for no such address, 'systemd:NAME' for a socket. Default: 127.0.0.1:8081." placeholder:"HOST:PORT"`
	Open          bool   `help:"Answer everybody without keys, on any address."`

	serveAccounts

	RequestTimeout    string `help:"The most time for the work on a request; then 504 and the credits back. Default: 20s." placeholder:"SPAN"`
	ReadHeaderTimeout string `help:"The most time for a caller to send the header of a request. Default: 5s." placeholder:"SPAN"`
	ReadTimeout       string `help:"The most time for a caller to send a whole request. Default: 15s." placeholder:"SPAN"`
	WriteTimeout      string `help:"The most time for a caller to take an answer. Default: 45s." placeholder:"SPAN"`
	IdleTimeout       string `help:"How long a connection may wait for its next request. Default: 120s." placeholder:"SPAN"`
	DrainTimeout      string `help:"How long requests in flight may take when the server stops. Default: 20s." placeholder:"SPAN"`
	MinRate           string `help:"How fast a caller has to take a long answer, in KiB per second; a slower one is cut off. Default: 16." placeholder:"KIB"`
	MaxWaiting        string `help:"How many requests may wait for a processor or for memory; more get 503. Default: 2048." placeholder:"N"`
	MemoryLimit       string `help:"The most memory for the process, in the form of GOMEMLIMIT, e.g. 1GiB; 'off' for no limit. Default: $$GOMEMLIMIT, else the limit of the control group." placeholder:"SIZE"`
	MaxHeader         string `help:"The largest header of a request, in KiB. Default: 32." placeholder:"KIB"`

	VerifyRate string `help:"How fast the file of the dataset is verified in the background, once an hour, in MiB a second; 0 for never. Default: 4." placeholder:"MIB"`

	SiteURL    string `help:"Page that errors without a better one point to." placeholder:"URL" name:"site-url"`
	AccountURL string `help:"Page about accounts and keys." placeholder:"URL" name:"account-url"`
	PricingURL string `help:"Page about plans and prices." placeholder:"URL" name:"pricing-url"`
	DocsURL    string `help:"Documentation." placeholder:"URL" name:"docs-url"`

	dataFlag
	ACSMemory string `help:"The most memory for figures of the American Community Survey that searches summed up last, in MiB. Default: 64." placeholder:"MIB" name:"acs-memory"`

	origins map[string]origin // of the settings, by name
	refused map[string]bool   // settings whose value cannot be meant
	unread  bool              // not all of the configuration could be read
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
	if errs := c.check(env); len(errs) > 0 {
		return tellAll(env, errs)
	}
	limitMemory(env, c.MemoryLimit)
	cfg := c.config(logger)
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
	public, private, err := c.listeners(ctx, env)
	if err != nil {
		return err
	}
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	go reload(ctx, hangUps, srv)
	go prepare(db, logger)

	env.say("serving dataset %s (%s) on http://%s; %s", db.Info().Version, fileName(path), public.Addr(), c.doors())
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
	opt := postgeo.OpenOptions{ACSMemory: int64(number(c.ACSMemory)) << 20}
	if opt.ACSMemory == 0 {
		opt.ACSMemory = -1
	}
	return c.openWith(env, opt)
}

// fileName is how a dataset's file is called where people read.
func fileName(path string) string {
	if path == "" {
		return "the embedded sample"
	}
	return path
}

// config is what the server is told of the settings.
func (c *serveFlags) config(logger *slog.Logger) server.Config {
	return server.Config{
		Logger: logger, Links: c.links(),
		RequestTimeout: span(c.RequestTimeout), ReadHeaderTimeout: span(c.ReadHeaderTimeout), ReadTimeout: span(c.ReadTimeout),
		WriteTimeout: span(c.WriteTimeout), IdleTimeout: span(c.IdleTimeout), Grace: span(c.DrainTimeout),
		MinRate: number(c.MinRate) << 10, MaxWaiting: number(c.MaxWaiting), MaxHeaderBytes: number(c.MaxHeader) << 10,
		VerifyRate: verifyRate(c.VerifyRate),
	}
}

// verifyRate returns bytes a second, and less than 0 for a setting of 0.
func verifyRate(settled string) int64 {
	if n := int64(number(settled)); n > 0 {
		return n << 20
	}
	return -1
}

// number reads a setting that was settled.
func number(settled string) int {
	n, _ := strconv.Atoi(settled)
	return n
}

// span reads a setting that was settled.
func span(settled string) time.Duration {
	d, _ := time.ParseDuration(settled)
	return d
}

// doors says who is asked for a key, and where requests are counted.
func (c *serveFlags) doors() string {
	if !c.asked() {
		return "open: nobody is asked for a key"
	}
	return fmt.Sprintf("keys are asked for, accounts in %s, requests counted in %s", redacted(c.Accounts), redacted(c.Limits))
}

// links are the pages that errors point to.
func (c *serveFlags) links() envelope.Links {
	l := envelope.Links{Site: c.SiteURL, Account: c.AccountURL, Pricing: c.PricingURL, Docs: c.DocsURL}
	if c.DocsURL != "" {
		l.AuthDocs = c.DocsURL + "#authentication"
	}
	return l
}

// check settles the settings and returns everything that is wrong with them,
// one by one and together.
func (c *serveFlags) check(env *Env) []error {
	errs := c.settle(env)
	if c.settled("listen", "open", "accounts") {
		if err := c.checkOpen(env); err != nil {
			errs = append(errs, err)
		}
	}
	if _, port, _ := net.SplitHostPort(c.Listen); c.settled("listen", "private-listen") && c.Listen == c.PrivateListen && port != "0" {
		errs = append(errs, wrongUse("--listen and --private-listen are both %s; give two addresses, or --private-listen none", c.Listen))
	}
	if work, write := span(c.RequestTimeout), span(c.WriteTimeout); c.settled("request-timeout", "write-timeout") && write <= work {
		errs = append(errs, wrongUse("--write-timeout %s is not longer than --request-timeout %s, so that answers would be cut off; give a longer one", c.WriteTimeout, c.RequestTimeout))
	}
	return errs
}

// checkOpen decides whether callers may be answered without keys (decision
// D44): on a loopback address they may, elsewhere only when told so.
func (c *serveFlags) checkOpen(env *Env) error {
	switch {
	case c.Open && c.Accounts != "":
		return wrongUse("--open asks nobody for a key and --accounts everybody; give one of them")
	case c.Open, c.asked():
		return nil
	case c.DemoKey != "" || c.AccountsStrict || c.PepperFile != "" || c.Limits != inMemory && c.Limits != "" || len(c.TrustedProxies) > 0:
		return wrongUse("--accounts-strict, --demo-key, --limits, --pepper-file and --trusted-proxies are about accounts; name them with --accounts FILE")
	case isPassed(c.Listen):
		return wrongUse("neither --open nor --accounts says who may call through the socket; add --accounts FILE to ask for keys, or --open to answer everybody without")
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

func (c *serveCmd) listeners(ctx context.Context, env *Env) (public, private net.Listener, err error) {
	if err := checkPassed(env, c.Listen, c.PrivateListen); err != nil {
		return nil, nil, err
	}
	if public, err = listen(ctx, env, "--listen", c.Listen); err != nil || c.PrivateListen == noAddress {
		return public, nil, err
	}
	if private, err = listen(ctx, env, "--private-listen", c.PrivateListen); err != nil {
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
