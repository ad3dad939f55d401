package cli

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/dataset"
)

// A setting is one thing that "postgeo serve" can be told: as a flag, in the
// environment, or in a file, of which the first that says something counts.
type setting struct {
	name     string // of the flag, and the key in the file
	env      string
	expected string // of a value, for errors
	fallback string // what stands when nobody says anything; "": nothing
	secret   bool   // is not shown
	file     bool   // the value is a file, in the configuration relative to it
	field    func(*serveFlags) any
	ok       func(string) bool
}

// settings are all there are, in the order of the help.
var settings = []setting{
	{name: "listen", env: "POSTGEO_LISTEN", fallback: "127.0.0.1:8080", expected: "HOST:PORT, e.g. 127.0.0.1:8080, or systemd", field: func(f *serveFlags) any { return &f.Listen }, ok: func(s string) bool { return isPassed(s) || isAddress(s) }},
	{name: "private-listen", env: "POSTGEO_PRIVATE_LISTEN", fallback: "127.0.0.1:8081", expected: "HOST:PORT, e.g. 127.0.0.1:8081, none or systemd:NAME", field: func(f *serveFlags) any { return &f.PrivateListen }, ok: func(s string) bool { return s == noAddress || isPassed(s) || isAddress(s) }},
	{name: "open", env: "POSTGEO_OPEN", expected: "true or false", field: func(f *serveFlags) any { return &f.Open }, ok: isYesOrNo},
	{name: "accounts", env: "POSTGEO_ACCOUNTS", expected: "a file or postgres://…", field: func(f *serveFlags) any { return &f.Accounts }, ok: func(s string) bool { return !strings.Contains(s, "://") || isPostgres(s) && isURL(s) }},
	{name: "pepper-file", env: "POSTGEO_PEPPER_FILE", file: true, expected: "a file", field: func(f *serveFlags) any { return &f.PepperFile }, ok: isAnything},
	{name: "accounts-strict", env: "POSTGEO_ACCOUNTS_STRICT", expected: "true or false", field: func(f *serveFlags) any { return &f.AccountsStrict }, ok: isYesOrNo},
	{name: "demo-key", env: "POSTGEO_DEMO_KEY", secret: true, expected: "16 to 64 printable ASCII characters", field: func(f *serveFlags) any { return &f.DemoKey }, ok: func(s string) bool { return billing.CheckDemoKey(s) == nil }},
	{name: "limits", env: "POSTGEO_LIMITS", fallback: inMemory, expected: "memory, redis://host:6379/0, rediss://… or unix:///path", field: func(f *serveFlags) any { return &f.Limits }, ok: isLimits},
	{name: "limit-processes", env: "POSTGEO_LIMIT_PROCESSES", fallback: "1", expected: "a whole number from 1 to 1000", field: func(f *serveFlags) any { return &f.LimitProcesses }, ok: within(1, 1000)},
	{name: "trusted-proxies", env: "POSTGEO_TRUSTED_PROXIES", expected: "addresses and networks, e.g. 10.0.0.0/8", field: func(f *serveFlags) any { return &f.TrustedProxies }, ok: isNetworks},
	{name: "request-timeout", env: "POSTGEO_REQUEST_TIMEOUT", fallback: "20s", expected: aSpan, field: func(f *serveFlags) any { return &f.RequestTimeout }, ok: isSpan},
	{name: "read-header-timeout", env: "POSTGEO_READ_HEADER_TIMEOUT", fallback: "5s", expected: aSpan, field: func(f *serveFlags) any { return &f.ReadHeaderTimeout }, ok: isSpan},
	{name: "read-timeout", env: "POSTGEO_READ_TIMEOUT", fallback: "15s", expected: aSpan, field: func(f *serveFlags) any { return &f.ReadTimeout }, ok: isSpan},
	{name: "write-timeout", env: "POSTGEO_WRITE_TIMEOUT", fallback: "45s", expected: aSpan, field: func(f *serveFlags) any { return &f.WriteTimeout }, ok: isSpan},
	{name: "idle-timeout", env: "POSTGEO_IDLE_TIMEOUT", fallback: "120s", expected: aSpan, field: func(f *serveFlags) any { return &f.IdleTimeout }, ok: isSpan},
	{name: "drain-timeout", env: "POSTGEO_DRAIN_TIMEOUT", fallback: "20s", expected: aSpan, field: func(f *serveFlags) any { return &f.DrainTimeout }, ok: isSpan},
	{name: "min-rate", env: "POSTGEO_MIN_RATE", fallback: "16", expected: "KiB per second, a whole number from 1 to 1000000", field: func(f *serveFlags) any { return &f.MinRate }, ok: within(1, 1_000_000)},
	{name: "max-waiting", env: "POSTGEO_MAX_WAITING", fallback: "2048", expected: "a whole number from 1 to 1000000", field: func(f *serveFlags) any { return &f.MaxWaiting }, ok: within(1, 1_000_000)},
	{name: "memory-limit", env: "POSTGEO_MEMORY_LIMIT", expected: "at least 128MiB, in the form of GOMEMLIMIT, e.g. 1GiB, or off", field: func(f *serveFlags) any { return &f.MemoryLimit }, ok: isMemory},
	{name: "max-header", env: "POSTGEO_MAX_HEADER", fallback: "32", expected: "KiB, a whole number from 4 to 1024", field: func(f *serveFlags) any { return &f.MaxHeader }, ok: within(4, 1024)},
	{name: "verify-rate", env: "POSTGEO_VERIFY_RATE", fallback: "4", expected: "MiB a second, a whole number from 0 to 1024", field: func(f *serveFlags) any { return &f.VerifyRate }, ok: within(0, 1024)},
	{name: "site-url", env: "POSTGEO_SITE_URL", expected: "the address of a page, e.g. https://example.com/", field: func(f *serveFlags) any { return &f.SiteURL }, ok: isPage},
	{name: "account-url", env: "POSTGEO_ACCOUNT_URL", expected: "the address of a page, e.g. https://example.com/account", field: func(f *serveFlags) any { return &f.AccountURL }, ok: isPage},
	{name: "pricing-url", env: "POSTGEO_PRICING_URL", expected: "the address of a page, e.g. https://example.com/pricing", field: func(f *serveFlags) any { return &f.PricingURL }, ok: isPage},
	{name: "docs-url", env: "POSTGEO_DOCS_URL", expected: "the address of a page, e.g. https://example.com/docs", field: func(f *serveFlags) any { return &f.DocsURL }, ok: isPage},
	{name: "data", env: "POSTGEO_DATA", file: true, expected: "a file", field: func(f *serveFlags) any { return &f.Data }, ok: isAnything},
	{name: "acs-memory", env: "POSTGEO_ACS_MEMORY", fallback: strconv.Itoa(dataset.DefaultACSMemory >> 20), expected: fmt.Sprintf("MiB, a whole number from 0 to %d", maxACSMemory), field: func(f *serveFlags) any { return &f.ACSMemory }, ok: within(0, maxACSMemory)},
}

const (
	noAddress = "none"   // of --private-listen
	inMemory  = "memory" // of --limits

	maxACSMemory = 1 << 20 // MiB: a tebibyte
)

func isAnything(string) bool { return true }

func isAddress(s string) bool {
	_, port, err := net.SplitHostPort(s)
	n, errPort := strconv.ParseUint(port, 10, 16)
	return err == nil && errPort == nil && n < 1<<16
}

func isYesOrNo(s string) bool {
	_, err := strconv.ParseBool(s)
	return err == nil
}

func isLimits(s string) bool {
	if s == inMemory {
		return true
	}
	scheme, _, ok := strings.Cut(s, "://")
	return ok && slices.Contains([]string{"redis", "rediss", "unix"}, scheme) && isURL(s)
}

// within accepts whole numbers of a range.
func within(least, most int) func(string) bool {
	return func(s string) bool {
		n, err := strconv.Atoi(s)
		return err == nil && n >= least && n <= most
	}
}

// The spans that a server can be told to wait.
const (
	minSpan = 100 * time.Millisecond
	maxSpan = time.Hour
	aSpan   = "a span of time from 100ms to 1h, e.g. 30s"
)

func isSpan(s string) bool {
	d, err := time.ParseDuration(s)
	return err == nil && d >= minSpan && d <= maxSpan
}

func isNetworks(s string) bool {
	_, err := billing.ParseAddrList(strings.Split(s, ","))
	return err == nil
}

// isPage accepts web pages, and paths of the server itself.
func isPage(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	if u.Scheme == "" && u.Host == "" {
		return strings.HasPrefix(u.Path, "/")
	}
	return (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func isURL(s string) bool {
	_, err := url.Parse(s)
	return err == nil
}

// An origin says where a setting comes from.
type origin struct {
	level int    // smaller ones win
	where string // e.g. "--listen", "POSTGEO_LISTEN", "postgeo.json: listen"
}

// The levels of origins.
const (
	fromFlag = iota
	fromEnvironment
	fromFile
	fromDefault
)

// settle completes the flags by the environment, the file and the defaults.
// What is wrong is a list of errors, one for each setting.
func (c *serveFlags) settle(env *Env) []error {
	if c.Config == "" {
		c.Config = env.Getenv("POSTGEO_CONFIG")
	}
	var errs []error
	var file map[string]configValue
	whole := true
	if c.Config != "" {
		file, whole, errs = readConfig(c.Config)
		for i, err := range errs {
			errs[i] = wrongUse("%s", err)
		}
	}
	c.origins, c.refused = map[string]origin{}, map[string]bool{}
	for i := range settings {
		s := &settings[i]
		value, from := textOf(s.field(c)), origin{fromFlag, "--" + s.name}
		if value == "" {
			value, from = env.Getenv(s.env), origin{fromEnvironment, s.env}
		}
		if v := file[s.name]; value == "" && v.text != "" {
			value, from = v.text, origin{fromFile, fmt.Sprintf("%s:%d: %s", c.Config, v.line, s.name)}
			if s.file && !filepath.IsAbs(value) {
				value = filepath.Join(filepath.Dir(c.Config), value)
			}
		}
		if value == "" {
			value, from = s.fallback, origin{fromDefault, "default"}
		}
		c.origins[s.name] = from
		switch {
		case value == "":
		case !s.ok(value):
			errs = append(errs, wrongUse("%s is %s; expected %s", from.where, s.shown(value), s.expected))
			c.refused[s.name] = true
		default:
			setText(s.field(c), value)
		}
	}
	c.unread = !whole
	c.chooseOpen()
	return errs
}

// settled reports whether settings have values that can be meant. None has
// where the configuration may say another.
func (c *serveFlags) settled(names ...string) bool {
	return !c.unread && !slices.ContainsFunc(names, func(name string) bool { return c.refused[name] })
}

// chooseOpen lets the stronger origin win where one says that nobody is asked
// for a key and another where the accounts are.
func (c *serveFlags) chooseOpen() {
	open, accounts := c.origins["open"].level, c.origins["accounts"].level
	switch {
	case !c.Open || c.Accounts == "" || open == accounts:
	case open < accounts:
		c.Accounts = ""
	default:
		c.Open = false
	}
}

// shown returns a value as it may be shown.
func (s *setting) shown(value string) string {
	if s.secret {
		return fmt.Sprintf("secret, of %d characters", len(value))
	}
	return strconv.Quote(redacted(value))
}

// redacted hides the password of an address.
func redacted(value string) string {
	scheme, rest, ok := strings.Cut(value, "://")
	if !ok {
		return value
	}
	u, err := url.Parse(value)
	if err != nil {
		_, host, found := strings.Cut(rest, "@")
		if found {
			return scheme + "://xxxxx@" + host
		}
		return value
	}
	query := u.Query()
	for name := range query {
		if strings.Contains(strings.ToLower(name), "pass") {
			query.Set(name, "xxxxx")
			u.RawQuery = query.Encode()
		}
	}
	return u.Redacted()
}

// textOf returns the text of a flag; "": it was not given.
func textOf(field any) string {
	switch v := field.(type) {
	case *string:
		return *v
	case *bool:
		if *v {
			return "true"
		}
	case **int:
		if *v != nil {
			return strconv.Itoa(**v)
		}
	case *[]string:
		return strings.Join(*v, ",")
	}
	return ""
}

// setText is given what the setting's ok has accepted.
func setText(field any, value string) {
	switch v := field.(type) {
	case *string:
		*v = value
	case *bool:
		*v, _ = strconv.ParseBool(value)
	case **int:
		n, _ := strconv.Atoi(value)
		*v = &n
	case *[]string:
		*v = strings.Split(value, ",")
	}
}
