package serve

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/dataset/signed"
)

// settings are the settings of "postgeo serve": flags, environment variables and
// keys of a configuration file, in this order of precedence. Zero values are not
// set. Besides the tags of flags a setting has:
//
//	expected   what errors say after "must be"
//	check      name of its check in checks
//	range      least and largest whole number
//	fallback   default
//	secret     is never shown
//	file       a file name, in a configuration relative to its folder
type settings struct {
	Config        string `help:"File with settings: a JSON object with the names of these flags. A flag precedes the environment ($POSTGEO_LISTEN for --listen), which precedes the file. Default: $POSTGEO_CONFIG." placeholder:"FILE" type:"path"`
	Listen        string `help:"Address for callers; 'systemd' or 'systemd:NAME' for a socket of a socket unit. Default: 127.0.0.1:8080." placeholder:"HOST:PORT" expected:"HOST:PORT, such as 127.0.0.1:8080, or systemd" fallback:"127.0.0.1:8080" check:"listen"`
	PrivateListen string `help:"Address for /live, /ready, /metrics and /reload, which callers should not reach; 'none' for no address, 'systemd:NAME' for a socket. Default: 127.0.0.1:8081." placeholder:"HOST:PORT" expected:"HOST:PORT, such as 127.0.0.1:8081, none or systemd:NAME" fallback:"127.0.0.1:8081" check:"private"`
	Open          bool   `help:"Serve all calls without API keys, on any address." expected:"true or false" check:"boolean"`

	Accounts       string   `help:"Require API keys and charge credits: file of the accounts, or a PostgreSQL database that several servers share (postgres://…). Default: $POSTGEO_ACCOUNTS, else no API keys are required." placeholder:"FILE|URL" expected:"a file or postgres://…" check:"accounts"`
	PepperFile     string   `help:"File with the secret for hashing API keys. Default: the text of $POSTGEO_PEPPER, else the accounts' file with .pepper after it." placeholder:"FILE" type:"path" expected:"a file" file:""`
	AccountsStrict bool     `help:"Respond only after the charge is on disk, safe against power failures; slower." expected:"true or false" check:"boolean"`
	DemoKey        string   `help:"Shared key for the demo codes, 16 to 64 printable ASCII characters; 5 requests a minute from one address. Default: $POSTGEO_DEMO_KEY, else none." placeholder:"KEY" expected:"16 to 64 printable ASCII characters" secret:"" check:"demokey"`
	Limits         string   `help:"Counter of requests per minute: 'memory', for one process, or a Redis or Valkey server that several servers share (redis://host:6379/0, rediss://…, unix:///path). Default: $POSTGEO_LIMITS, else memory." placeholder:"memory|URL" expected:"memory, redis://host:6379/0, rediss://… or unix:///path" fallback:"memory" check:"limits"`
	LimitProcesses string   `help:"Number of servers that share --limits: without Redis each allows its part. Default: 1." placeholder:"N" expected:"a whole number from 1 to 1000" fallback:"1" range:"1-1000"`
	TrustedProxies []string `help:"Addresses and networks whose X-Forwarded-For is trusted." placeholder:"NETWORK,…" expected:"addresses and networks, such as 10.0.0.0/8" check:"networks"`

	RequestTimeout    string `help:"Maximum time for the work on a request; then 504 and a refund. Default: 20s." placeholder:"SPAN" expected:"a duration from 100ms to 1h, such as 30s" fallback:"20s" check:"span"`
	ReadHeaderTimeout string `help:"Maximum time for a caller to send the header of a request. Default: 5s." placeholder:"SPAN" expected:"a duration from 100ms to 1h, such as 30s" fallback:"5s" check:"span"`
	ReadTimeout       string `help:"Maximum time for a caller to send a request. Default: 15s." placeholder:"SPAN" expected:"a duration from 100ms to 1h, such as 30s" fallback:"15s" check:"span"`
	WriteTimeout      string `help:"Maximum time for a caller to read a response. Default: 45s." placeholder:"SPAN" expected:"a duration from 100ms to 1h, such as 30s" fallback:"45s" check:"span"`
	IdleTimeout       string `help:"Maximum time between two requests on a connection. Default: 120s." placeholder:"SPAN" expected:"a duration from 100ms to 1h, such as 30s" fallback:"120s" check:"span"`
	DrainTimeout      string `help:"Maximum time for the requests in flight when the server stops. Default: 20s." placeholder:"SPAN" expected:"a duration from 100ms to 1h, such as 30s" fallback:"20s" check:"span"`
	MinRate           string `help:"Minimum rate at which a caller reads a long response, in KiB per second; a slower one is cut off. Default: 16." placeholder:"KIB" expected:"KiB per second, a whole number from 1 to 1000000" fallback:"16" range:"1-1000000"`
	MaxWaiting        string `help:"Maximum number of requests that wait for a processor or for memory; more get 503. Default: 2048." placeholder:"N" expected:"a whole number from 1 to 1000000" fallback:"2048" range:"1-1000000"`
	MemoryLimit       string `help:"Maximum memory of the process, in the form of GOMEMLIMIT, such as 1GiB; 'off' for no limit. Default: $GOMEMLIMIT, else the limit of the control group." placeholder:"SIZE" expected:"at least 128MiB, in the form of GOMEMLIMIT, such as 1GiB, or off" check:"memory"`
	MaxHeader         string `help:"Maximum size of the header of a request, in KiB. Default: 32." placeholder:"KIB" expected:"KiB, a whole number from 4 to 1024" fallback:"32" range:"4-1024"`

	Pull     string `help:"Keep the dataset current: URL or folder as of dataset pull. The file of --data is replaced and reloaded; after a failure the old one remains." placeholder:"URL|DIR" expected:"a URL or an existing folder" check:"source"`
	PullName string `help:"Name of the dataset that is pulled. Default: all." placeholder:"NAME" expected:"a name such as identity" fallback:"all" check:"name"`
	Trust    string `help:"Public key of the publisher." placeholder:"FILE.pub" expected:"file of a public key"`
	Every    string `help:"Time between two pulls. Default: 24h." placeholder:"SPAN" expected:"a duration from 1m to 2400h, such as 24h" fallback:"24h" check:"every"`

	SiteURL    string `help:"Page of errors without a more specific one." placeholder:"URL" name:"site-url" expected:"the address of a page, such as https://example.com/" check:"page"`
	AccountURL string `help:"Page about accounts and keys." placeholder:"URL" name:"account-url" expected:"the address of a page, such as https://example.com/account" check:"page"`
	PricingURL string `help:"Page about plans and prices." placeholder:"URL" name:"pricing-url" expected:"the address of a page, such as https://example.com/pricing" check:"page"`
	DocsURL    string `help:"Documentation." placeholder:"URL" name:"docs-url" expected:"the address of a page, such as https://example.com/docs" check:"page"`

	command.DataFile `expected:"a file" file:""`
	ACSMemory        string `help:"Maximum memory for figures of the American Community Survey that searches used last, in MiB. Default: 64." placeholder:"MIB" name:"acs-memory" expected:"MiB, a whole number from 0 to 1048576" fallback:"64" range:"0-1048576"`

	origins map[string]origin // by name
	refused map[string]bool   // settings with invalid values
	unread  bool              // a part of the configuration could not be read
}

// A setting is one of the settings.
type setting struct {
	name     string // of the flag, and the key in the file
	help     string
	env      string
	expected string
	fallback string
	secret   bool
	file     bool
	ok       func(string) bool
	index    []int
}

// settingList lists the settings in the order of the help.
var settingList = listSettings(reflect.TypeFor[settings]())

func listSettings(t reflect.Type) []setting {
	var list []setting
	for field := range t.Fields() {
		if field.Name == "Config" || !field.IsExported() {
			continue
		}
		tag := field.Tag
		s := setting{name: command.FlagName(field), help: tag.Get("help"), expected: tag.Get("expected"), fallback: tag.Get("fallback"), index: field.Index}
		if field.Anonymous { // the dataset
			s.name, s.help, s.index = "data", field.Type.Field(0).Tag.Get("help"), append(slices.Clone(field.Index), 0)
		}
		s.env = "POSTGEO_" + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
		_, s.secret = tag.Lookup("secret")
		_, s.file = tag.Lookup("file")
		switch least, most, isRange := strings.Cut(tag.Get("range"), "-"); {
		case isRange:
			s.ok = within(least, most)
		case tag.Get("check") != "":
			s.ok = checks[tag.Get("check")]
		default:
			s.ok = func(string) bool { return true }
		}
		list = append(list, s)
	}
	return list
}

func (s *setting) field(of *settings) any {
	return reflect.ValueOf(of).Elem().FieldByIndex(s.index).Addr().Interface()
}

// checks report whether a value is valid.
var checks = map[string]func(string) bool{
	"listen":   func(s string) bool { return isPassed(s) || isAddress(s) },
	"private":  func(s string) bool { return s == noAddress || isPassed(s) || isAddress(s) },
	"boolean":  isBoolean,
	"accounts": func(s string) bool { return !strings.Contains(s, "://") || billing.IsURL(s) && isURL(s) },
	"demokey":  func(s string) bool { return billing.CheckDemoKey(s) == nil },
	"limits":   isLimits,
	"networks": isNetworks,
	"span":     isSpan,
	"memory":   isMemory,
	"source":   func(s string) bool { return signed.CheckSource(s) == nil },
	"name":     func(s string) bool { return signed.CheckName(s) == nil },
	"every": func(s string) bool {
		d, err := time.ParseDuration(s)
		return err == nil && d >= time.Minute && d <= 2400*time.Hour
	},
	"page": isPage,
}

const (
	noAddress = "none"   // of --private-listen
	inMemory  = "memory" // of --limits
)

func isAddress(s string) bool {
	_, port, err := net.SplitHostPort(s)
	n, errPort := strconv.ParseUint(port, 10, 16)
	return err == nil && errPort == nil && n < 1<<16
}

func isBoolean(s string) bool {
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
func within(least, most string) func(string) bool {
	low, _ := strconv.Atoi(least)
	high, _ := strconv.Atoi(most)
	return func(s string) bool {
		n, err := strconv.Atoi(s)
		return err == nil && n >= low && n <= high
	}
}

// The limits of durations.
const (
	minSpan = 100 * time.Millisecond
	maxSpan = time.Hour
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

// leastMemory is the smallest --memory-limit: the program and the sample need
// some of it before the first request.
const leastMemory = 128 << 20

func isMemory(s string) bool {
	n, err := memory.Parse(s)
	return err == nil && n >= leastMemory
}

func isURL(s string) bool {
	_, err := url.Parse(s)
	return err == nil
}

// An origin is the source of a setting.
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

// resolve completes the flags by the environment, the file and the defaults. It
// returns an error for each invalid setting.
func (c *settings) resolve(env *command.Env) []error {
	c.Config = cmp.Or(c.Config, env.Getenv("POSTGEO_CONFIG"))
	var errs []error
	var file map[string]configValue
	whole := true
	if c.Config != "" {
		file, whole, errs = readConfig(c.Config)
		for i, err := range errs {
			errs[i] = command.Usage("%s", command.FileText(err))
		}
	}
	c.origins, c.refused = map[string]origin{}, map[string]bool{}
	for _, s := range settingList {
		field := s.field(c)
		value, from := textOf(field), origin{fromFlag, "--" + s.name}
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
			at := strings.LastIndex(from.where, " ") + 1 // after the place in a file
			errs = append(errs, command.Usage(`%sinvalid %s %s: must be %s`, from.where[:at], from.where[at:], s.shown(value), s.expected))
			c.refused[s.name] = true
		default:
			setText(field, value)
		}
	}
	c.unread = !whole
	c.chooseOpen()
	return errs
}

// settled reports whether settings have valid values. After an error in the
// configuration no setting has.
func (c *settings) settled(names ...string) bool {
	return !c.unread && !slices.ContainsFunc(names, func(name string) bool { return c.refused[name] })
}

// chooseOpen lets the stronger origin win if one opens the server and another
// names the accounts.
func (c *settings) chooseOpen() {
	open, accounts := c.origins["open"].level, c.origins["accounts"].level
	switch {
	case !c.Open || c.Accounts == "" || open == accounts:
	case open < accounts:
		c.Accounts = ""
	default:
		c.Open = false
	}
}

// shown returns a value without secrets.
func (s *setting) shown(value string) string {
	if s.secret {
		return fmt.Sprintf(`(secret, %d characters)`, len(value))
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

// textOf returns the text of a field; "" if it is not set.
func textOf(field any) string {
	switch v := field.(type) {
	case *string:
		return *v
	case *bool:
		if *v {
			return "true"
		}
	case *[]string:
		return strings.Join(*v, ",")
	}
	return ""
}

func setText(field any, value string) {
	switch v := field.(type) {
	case *string:
		*v = value
	case *bool:
		*v, _ = strconv.ParseBool(value)
	case *[]string:
		*v = strings.Split(value, ",")
	}
}
