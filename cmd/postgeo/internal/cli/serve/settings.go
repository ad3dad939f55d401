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
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// settings are the settings of "postgeo serve": flags, environment variables and
// keys of a configuration file, in this order of precedence. A file name with the tag
// type:"path" is relative to the folder of the configuration. Further tags are:
//
//	check      name of its check in checks
//	secret     is never shown
type settings struct {
	Config        string `help:"File with settings: a JSON object with the names of these flags. A flag precedes the environment ($POSTGEO_LISTEN for --listen), which precedes the file. Default: $POSTGEO_CONFIG." placeholder:"FILE" type:"path"`
	Listen        string `help:"Address for callers. Default: 127.0.0.1:8080." placeholder:"HOST:PORT" range:"HOST:PORT, such as 127.0.0.1:8080" default:"127.0.0.1:8080" check:"listen"`
	PrivateListen string `help:"Address for /live, /ready, /metrics and /reload, which callers should not reach; 'none' for no address. Default: 127.0.0.1:8081." placeholder:"HOST:PORT" range:"HOST:PORT, such as 127.0.0.1:8081, or none" default:"127.0.0.1:8081" check:"private"`
	Open          bool   `help:"Serve all calls without API keys, on any address." range:"true or false"`

	Accounts       string   `help:"Require API keys and charge credits: file of the accounts, or a PostgreSQL database that several servers share (postgres://…). Default: $POSTGEO_ACCOUNTS, else no API keys are required." placeholder:"FILE|URL" range:"a file or postgres://…" check:"accounts"`
	PepperFile     string   `help:"File with the secret for hashing API keys. Default: the text of $POSTGEO_PEPPER, else the accounts' file with .pepper after it." placeholder:"FILE" type:"path" range:"a file"`
	AccountsStrict bool     `help:"Respond only after the charge is on disk, safe against power failures; slower." range:"true or false"`
	DemoKey        string   `help:"Shared key for the demo codes, 16 to 64 printable ASCII characters; 5 requests a minute from one address. Default: $POSTGEO_DEMO_KEY, else none." placeholder:"KEY" range:"16 to 64 printable ASCII characters" secret:"" check:"demokey"`
	Limits         string   `help:"Counter of requests per minute: 'memory', for one process, or a Redis or Valkey server that several servers share (redis://host:6379/0, rediss://…, unix:///path). Default: $POSTGEO_LIMITS, else memory." placeholder:"memory|URL" range:"memory, redis://host:6379/0, rediss://… or unix:///path" default:"memory" check:"limits"`
	LimitProcesses int      `help:"Number of servers that share --limits: without Redis each allows its part. Default: 1." placeholder:"N" range:"a whole number from 1 to 1000" default:"1" least:"1" most:"1000"`
	TrustedProxies networks `help:"Addresses and networks whose X-Forwarded-For is trusted." placeholder:"NETWORK,…" range:"addresses and networks, such as 10.0.0.0/8"`

	RequestTimeout    time.Duration `help:"Maximum time for the work on a request; then 504 and a refund. Default: 20s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"20s" least:"0.1" most:"3600"`
	ReadHeaderTimeout time.Duration `help:"Maximum time for a caller to send the header of a request. Default: 5s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"5s" least:"0.1" most:"3600"`
	ReadTimeout       time.Duration `help:"Maximum time for a caller to send a request. Default: 15s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"15s" least:"0.1" most:"3600"`
	WriteTimeout      time.Duration `help:"Maximum time for a caller to read a response. Default: 45s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"45s" least:"0.1" most:"3600"`
	IdleTimeout       time.Duration `help:"Maximum time between two requests on a connection. Default: 120s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"120s" least:"0.1" most:"3600"`
	DrainTimeout      time.Duration `help:"Maximum time for the requests in flight when the server stops. Default: 20s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"20s" least:"0.1" most:"3600"`
	MinRate           int           `help:"Minimum rate at which a caller reads a long response, in KiB per second; a slower one is cut off. Default: 16." placeholder:"KIB" range:"KiB per second, a whole number from 1 to 1000000" default:"16" least:"1" most:"1000000"`
	MaxWaiting        int           `help:"Maximum number of requests that wait for a processor or for memory; more get 503. Default: 2048." placeholder:"N" range:"a whole number from 1 to 1000000" default:"2048" least:"1" most:"1000000"`
	MemoryLimit       size          `help:"Maximum memory of the process, in the form of GOMEMLIMIT, such as 1GiB; 'off' for no limit. Default: $GOMEMLIMIT, else the limit of the control group." placeholder:"SIZE" range:"at least 128MiB, in the form of GOMEMLIMIT, such as 1GiB, or off"`
	MaxHeader         int           `help:"Maximum size of the header of a request, in KiB. Default: 32." placeholder:"KIB" range:"KiB, a whole number from 4 to 1024" default:"32" least:"4" most:"1024"`

	SiteURL    string `help:"Page of errors without a more specific one." placeholder:"URL" name:"site-url" range:"the address of a page, such as https://example.com/" check:"page"`
	AccountURL string `help:"Page about accounts and keys." placeholder:"URL" name:"account-url" range:"the address of a page, such as https://example.com/account" check:"page"`
	PricingURL string `help:"Page about plans and prices." placeholder:"URL" name:"pricing-url" range:"the address of a page, such as https://example.com/pricing" check:"page"`
	DocsURL    string `help:"Documentation." placeholder:"URL" name:"docs-url" range:"the address of a page, such as https://example.com/docs" check:"page"`

	command.DataFile
	ACSMemory int `help:"Maximum memory for figures of the American Community Survey that searches used last, in MiB. Default: 64." placeholder:"MIB" name:"acs-memory" range:"MiB, a whole number from 0 to 1048576" default:"64" least:"0" most:"1048576"`

	origins map[string]origin // by name
}

// settingList describes the settings in the order of the help, without --config.
var settingList = operation.Params(reflect.TypeFor[settings]())[1:]

// An origin is the source of a setting.
type origin struct {
	level int    // smaller ones win
	where string // e.g. "--listen", "POSTGEO_LISTEN", "postgeo.json:2: listen"
	text  string
}

// A size is an amount of memory that is enough for the program and the sample.
type size int64

// UnmarshalText reads an amount as GOMEMLIMIT has it.
func (s *size) UnmarshalText(text []byte) error {
	const least = 128 << 20
	n, err := memory.Parse(string(text))
	if err == nil && n < least {
		err = strconv.ErrRange
	}
	*s = size(n)
	return err
}

// networks are addresses and networks.
type networks struct{ billing.AddrList }

// UnmarshalText reads a list with commas.
func (n *networks) UnmarshalText(text []byte) (err error) {
	n.AddrList, err = billing.ParseAddrList(strings.Split(string(text), ","))
	return err
}

// checks report whether a value is valid.
var checks = map[string]func(string) bool{
	"listen":   isAddress,
	"private":  func(s string) bool { return s == noAddress || isAddress(s) },
	"accounts": func(s string) bool { return !strings.Contains(s, "://") || billing.IsURL(s) && isURL(s) },
	"demokey":  func(s string) bool { return billing.CheckDemoKey(s) == nil },
	"limits":   isLimits,
	"page":     isPage,
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

func isLimits(s string) bool {
	if s == inMemory {
		return true
	}
	scheme, _, ok := strings.Cut(s, "://")
	return ok && slices.Contains([]string{"redis", "rediss", "unix"}, scheme) && isURL(s)
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

// nameOf returns the name of a setting: that of its flag.
func nameOf(p *operation.Param) string { return strings.ReplaceAll(p.Name, "_", "-") }

// resolve completes the flags by the environment and the file. It returns an error for
// each invalid setting.
func (c *settings) resolve(env *command.Env) []error {
	c.Config = cmp.Or(c.Config, env.Getenv("POSTGEO_CONFIG"))
	var errs []error
	var file map[string]origin
	if c.Config != "" {
		file, errs = readConfig(c.Config)
	}
	c.origins = map[string]origin{}
	for _, p := range settingList {
		name := nameOf(p)
		variable := "POSTGEO_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		from := origin{3, "default", p.Default}
		if text, given := env.Given(name); given {
			from = origin{0, "--" + name, text}
		} else if text := env.Getenv(variable); text != "" {
			from = origin{1, variable, text}
		} else if o, ok := file[name]; ok && o.text != "" {
			if from = o; p.Tag.Get("type") == "path" && !filepath.IsAbs(from.text) {
				from.text = filepath.Join(filepath.Dir(c.Config), from.text)
			}
		}
		c.origins[name] = from
		if err := c.set(p, from); err != nil {
			errs = append(errs, err)
		}
	}
	// The stronger origin wins if one opens the server and another names the accounts.
	switch open, accounts := c.origins["open"], c.origins["accounts"]; {
	case !c.Open || c.Accounts == "" || open.level == accounts.level:
	case open.level < accounts.level:
		c.Accounts, accounts.text = "", ""
		c.origins["accounts"] = accounts
	default:
		c.Open, open.text = false, ""
		c.origins["open"] = open
	}
	return errs
}

// set sets a setting to a text.
func (c *settings) set(p *operation.Param, from origin) error {
	var err error
	if from.text != "" {
		err = p.Set(reflect.ValueOf(c).Elem(), from.text)
	}
	check := checks[p.Tag.Get("check")]
	e := envelope.AsFailure(err)
	switch {
	case err == nil && (from.text == "" || check == nil || check(from.text)):
		return nil
	case err == nil || e == nil || e.Range == "" || p.Range != "":
		e = &envelope.Failure{Range: p.Range}
	}
	shown := strconv.Quote(redacted(from.text))
	if _, secret := p.Tag.Lookup("secret"); secret {
		shown = fmt.Sprintf(`(secret, %d characters)`, len(from.text))
	}
	at := strings.LastIndex(from.where, " ") + 1 // after the place in a file
	return command.Usage(`%sinvalid %s %s: must be %s`, from.where[:at], from.where[at:], shown, e.Range)
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
