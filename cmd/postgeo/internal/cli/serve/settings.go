package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
// type:"path" is relative to the folder of the configuration; a URL stays as it is.
type settings struct {
	Config        string `help:"File with settings: a JSON object with the names of these flags. A flag precedes the environment ($POSTGEO_LISTEN for --listen), which precedes the file. Default: $POSTGEO_CONFIG." placeholder:"FILE" type:"path"`
	Listen        string `help:"Address for callers. Default: 127.0.0.1:8080." placeholder:"HOST:PORT" range:"HOST:PORT, such as 127.0.0.1:8080" default:"127.0.0.1:8080"`
	PrivateListen string `help:"Address for /live, /ready, /metrics and /reload, which callers should not reach; 'none' for no address. Default: 127.0.0.1:8081." placeholder:"HOST:PORT" range:"HOST:PORT, such as 127.0.0.1:8081, or none" default:"127.0.0.1:8081"`
	Open          bool   `help:"Serve all calls without API keys, on any address." range:"true or false"`

	Accounts       string   `help:"Require API keys and charge credits: file of the accounts, or a PostgreSQL database that several servers share (postgres://…). Default: $POSTGEO_ACCOUNTS, else no API keys are required." placeholder:"FILE|URL" type:"path" range:"a file or postgres://…"`
	PepperFile     string   `help:"File with the secret for hashing API keys. Default: the text of $POSTGEO_PEPPER, else the accounts' file with .pepper after it." placeholder:"FILE" type:"path" range:"a file"`
	AccountsStrict bool     `help:"Respond only after the charge is on disk, safe against power failures; slower." range:"true or false"`
	DemoKey        demoKey  `help:"Shared key for the demo codes, 16 to 64 printable ASCII characters; 5 requests a minute from one address. Default: $POSTGEO_DEMO_KEY, else none." placeholder:"KEY" range:"16 to 64 printable ASCII characters"`
	Limits         counter  `help:"Counter of requests per minute: 'memory', for one process, or a Redis or Valkey server that several servers share (redis://host:6379/0, rediss://…, unix:///path). Default: $POSTGEO_LIMITS, else memory." placeholder:"memory|URL" range:"memory, redis://host:6379/0, rediss://… or unix:///path" default:"memory"`
	LimitProcesses int      `help:"Number of servers that share --limits: without Redis each allows its part. Default: 1." placeholder:"N" range:"a whole number from 1 to 1000" default:"1" least:"1" most:"1000"`
	TrustedProxies networks `help:"Addresses and networks whose X-Forwarded-For is trusted." placeholder:"NETWORK,..." range:"addresses and networks, such as 10.0.0.0/8"`

	RequestTimeout    time.Duration `help:"Maximum time for the work on a request; then 504 and a refund. Default: 20s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"20s" least:"0.1" most:"3600"`
	ReadHeaderTimeout time.Duration `help:"Maximum time for a caller to send the header of a request. Default: 5s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"5s" least:"0.1" most:"3600"`
	ReadTimeout       time.Duration `help:"Maximum time for a caller to send a request. Default: 15s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"15s" least:"0.1" most:"3600"`
	WriteTimeout      time.Duration `help:"Maximum time for a caller to read a response. Default: 45s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"45s" least:"0.1" most:"3600"`
	IdleTimeout       time.Duration `help:"Maximum time between two requests on a connection. Default: 120s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"120s" least:"0.1" most:"3600"`
	DrainTimeout      time.Duration `help:"Maximum time for the requests in flight when the server stops. Default: 20s." placeholder:"SPAN" range:"a duration from 100ms to 1h, such as 30s" default:"20s" least:"0.1" most:"3600"`
	MinRate           int           `help:"Minimum rate at which a caller reads a long response, in KiB per second; a slower one is cut off. Default: 16." placeholder:"KIB" range:"KiB per second, a whole number from 1 to 1000000" default:"16" least:"1" most:"1000000"`
	MaxWaiting        int           `help:"Maximum number of requests that wait for a processor or for memory; more get 503. Default: 2048." placeholder:"N" range:"a whole number from 1 to 1000000" default:"2048" least:"1" most:"1000000"`
	MaxHeader         int           `help:"Maximum size of the header of a request, in KiB. Default: 32." placeholder:"KIB" range:"KiB, a whole number from 4 to 1024" default:"32" least:"4" most:"1024"`
	MemoryLimit       memory.Size   `help:"Maximum memory of the process, in the form of GOMEMLIMIT, such as 1GiB; 'off' for no limit. Default: $GOMEMLIMIT, else the limit of the control group." placeholder:"SIZE" range:"at least 128MiB, in the form of GOMEMLIMIT, such as 1GiB, or off"`

	SiteURL    page `help:"Page of errors without a more specific one." placeholder:"URL" name:"site-url" range:"the address of a page, such as https://example.com/"`
	AccountURL page `help:"Page about accounts and keys." placeholder:"URL" name:"account-url" range:"the address of a page, such as https://example.com/account"`
	PricingURL page `help:"Page about plans and prices." placeholder:"URL" name:"pricing-url" range:"the address of a page, such as https://example.com/pricing"`
	DocsURL    page `help:"Documentation." placeholder:"URL" name:"docs-url" range:"the address of a page, such as https://example.com/docs"`

	command.DataFile
	ACSMemory int `help:"Maximum memory for figures of the American Community Survey that searches used last, in MiB. Default: 64." placeholder:"MIB" name:"acs-memory" range:"MiB, a whole number from 0 to 1048576" default:"64" least:"0" most:"1048576"`
}

// settingList describes the settings in the order of the help, without --config.
var settingList = operation.Params(reflect.TypeFor[settings]())[1:]

// networks are addresses and networks.
type networks struct{ billing.AddrList }

// UnmarshalText reads a list with commas.
func (n *networks) UnmarshalText(text []byte) (err error) {
	if n.AddrList, err = billing.ParseAddrList(strings.Split(string(text), ",")); err != nil {
		return &envelope.Failure{Kind: envelope.KindInvalidParam, Range: "addresses and networks, such as 10.0.0.0/8"}
	}
	return nil
}

const (
	noAddress = "none"   // of --private-listen
	inMemory  = "memory" // of --limits
)

// nameOf returns the name of a setting: that of its flag.
func nameOf(p *operation.Param) string { return strings.ReplaceAll(p.Name, "_", "-") }

// resolve completes the flags by the environment and the file. It returns an error for
// each invalid setting.
func (c *settings) resolve(env *command.Env) []error {
	c.Config = cmp.Or(c.Config, env.Getenv("POSTGEO_CONFIG"))
	var errs []error
	var file map[string]string
	rank := map[string]int{} // of the places of settings: 0 flag, 1 environment, 2 file
	if c.Config != "" {
		file, errs = readConfig(c.Config)
	}
	for _, p := range settingList {
		name := nameOf(p)
		if _, given := env.Given(name); given {
			continue
		}
		from := "POSTGEO_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		text := env.Getenv(from)
		if rank[name] = 1; text == "" {
			rank[name] = 2
			from, text = c.Config+": "+name, file[name]
			if p.Tag.Get("type") == "path" && text != "" && !filepath.IsAbs(text) && !strings.Contains(text, "://") {
				text = filepath.Join(filepath.Dir(c.Config), text)
			}
		}
		if text == "" {
			continue
		}
		if err := p.Set(reflect.ValueOf(c).Elem(), text); err != nil {
			var wrong *command.UsageError
			if errors.As(err, &wrong) {
				errs = append(errs, command.Usage("%s: %s", from, wrong.Reason))
				continue
			}
			expected := p.Range
			if e := envelope.AsFailure(err); e != nil && expected == "" {
				expected = e.Range
			}
			errs = append(errs, command.Usage(`%s: `+command.InvalidValue, from, name, text, expected))
		}
	}
	// One opens the server and the other does not. If they come from two places, such as
	// --open and $POSTGEO_ACCOUNTS, the place of higher precedence wins; checkOpen refuses
	// both from one.
	switch {
	case !c.Open || c.Accounts == "":
	case rank["open"] < rank["accounts"]:
		c.Accounts = ""
	case rank["open"] > rank["accounts"]:
		c.Open = false
	}
	return errs
}

// A page is the address of a web page, or the path of one of the server itself.
type page string

// UnmarshalText reads an address that a browser opens, or "".
func (p *page) UnmarshalText(text []byte) error {
	*p = page(text)
	u, err := url.Parse(string(text))
	switch {
	case err != nil:
	case u.Scheme == "" && u.Host == "" && (len(text) == 0 || strings.HasPrefix(u.Path, "/")):
		return nil
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
		return nil
	}
	return &envelope.Failure{Kind: envelope.KindInvalidParam, Range: "the address of a page, such as https://example.com/"}
}

// A demoKey is a key for the demo codes, "" for none. Errors do not repeat it.
type demoKey string

// UnmarshalText reads a key of the form that accounts take.
func (k *demoKey) UnmarshalText(text []byte) error {
	if *k = demoKey(text); len(text) == 0 {
		return nil
	}
	return usage(billing.CheckDemoKey(string(text)))
}

// A counter is the address of the counter of requests, "" for memory, as in
// [billing.Options]. Errors do not repeat its password.
type counter string

// UnmarshalText reads "memory" or the address of a server.
func (c *counter) UnmarshalText(text []byte) error {
	if *c = counter(text); *c == inMemory {
		*c = ""
	}
	return usage(billing.CheckLimits(string(*c)))
}

// usage returns a usage error with the message of err, or nil if err is nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return command.Usage("%s", command.Bare(err))
}

// redacted leaves out the user, the password and the parameters of an address.
func redacted(address string) string {
	scheme, _, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return scheme + "://…"
	}
	return scheme + "://" + u.Host + u.Path
}

// exampleConfig is the configuration that errors show.
const exampleConfig = `{"listen": "127.0.0.1:8080"}`

// readConfig reads a configuration: one JSON object with the names of flags. It returns the
// valid settings besides errors.
func readConfig(path string) (values map[string]string, errs []error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, []error{command.Usage(`configuration: %v; write one such as %s, with the names of the flags of 'postgeo serve', or use another with --config`, err, exampleConfig)}
	}
	return parseConfig(path, data)
}

func parseConfig(path string, data []byte) (values map[string]string, errs []error) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &members)
	if err == nil && members == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return nil, []error{command.Usage(`%s: must be a JSON object with the names of flags, such as %s: %v`, path, exampleConfig, err)}
	}
	values = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		text, ok := textOfJSON(members[name])
		switch known := slices.ContainsFunc(settingList, func(p *operation.Param) bool { return nameOf(p) == name }); {
		case !known:
			errs = append(errs, command.Usage(`%s: unknown setting %q; must be the name of a flag of 'postgeo serve'`, path, name))
		case !ok:
			errs = append(errs, command.Usage(`%s: %s must be a string, a number, a Boolean or a list of strings`, path, name))
		default:
			values[name] = text
		}
	}
	return values, errs
}

func textOfJSON(raw json.RawMessage) (text string, ok bool) {
	switch raw[0] {
	case '"':
		return text, json.Unmarshal(raw, &text) == nil
	case '[':
		var list []string
		err := json.Unmarshal(raw, &list)
		return strings.Join(list, ","), err == nil
	case '{', 'n':
		return "", false
	default:
		return string(raw), true
	}
}
