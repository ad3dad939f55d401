package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	{name: "listen", env: "POSTGEO_LISTEN", fallback: "127.0.0.1:8080", expected: "HOST:PORT, e.g. 127.0.0.1:8080", field: func(f *serveFlags) any { return &f.Listen }, ok: isAddress},
	{name: "private-listen", env: "POSTGEO_PRIVATE_LISTEN", fallback: "127.0.0.1:8081", expected: "HOST:PORT, e.g. 127.0.0.1:8081, or none", field: func(f *serveFlags) any { return &f.PrivateListen }, ok: func(s string) bool { return s == noAddress || isAddress(s) }},
	{name: "open", env: "POSTGEO_OPEN", expected: "true or false", field: func(f *serveFlags) any { return &f.Open }, ok: isYesOrNo},
	{name: "accounts", env: "POSTGEO_ACCOUNTS", expected: "a file or postgres://…", field: func(f *serveFlags) any { return &f.Accounts }, ok: func(s string) bool { return !strings.Contains(s, "://") || isPostgres(s) && isURL(s) }},
	{name: "pepper-file", env: "POSTGEO_PEPPER_FILE", file: true, expected: "a file", field: func(f *serveFlags) any { return &f.PepperFile }, ok: isAnything},
	{name: "accounts-strict", env: "POSTGEO_ACCOUNTS_STRICT", expected: "true or false", field: func(f *serveFlags) any { return &f.AccountsStrict }, ok: isYesOrNo},
	{name: "demo-key", env: "POSTGEO_DEMO_KEY", secret: true, expected: fmt.Sprintf("%d characters, as every key has", billing.KeyLength), field: func(f *serveFlags) any { return &f.DemoKey }, ok: func(s string) bool { return len(s) == billing.KeyLength }},
	{name: "limits", env: "POSTGEO_LIMITS", fallback: inMemory, expected: "memory, redis://host:6379/0, rediss://… or unix:///path", field: func(f *serveFlags) any { return &f.Limits }, ok: isLimits},
	{name: "limit-processes", env: "POSTGEO_LIMIT_PROCESSES", fallback: "1", expected: "a whole number from 1 to 1000", field: func(f *serveFlags) any { return &f.LimitProcesses }, ok: isProcesses},
	{name: "trusted-proxies", env: "POSTGEO_TRUSTED_PROXIES", expected: "addresses and networks, e.g. 10.0.0.0/8", field: func(f *serveFlags) any { return &f.TrustedProxies }, ok: isNetworks},
	{name: "site-url", env: "POSTGEO_SITE_URL", expected: "the address of a page, e.g. https://example.com/", field: func(f *serveFlags) any { return &f.SiteURL }, ok: isPage},
	{name: "account-url", env: "POSTGEO_ACCOUNT_URL", expected: "the address of a page, e.g. https://example.com/account", field: func(f *serveFlags) any { return &f.AccountURL }, ok: isPage},
	{name: "pricing-url", env: "POSTGEO_PRICING_URL", expected: "the address of a page, e.g. https://example.com/pricing", field: func(f *serveFlags) any { return &f.PricingURL }, ok: isPage},
	{name: "docs-url", env: "POSTGEO_DOCS_URL", expected: "the address of a page, e.g. https://example.com/docs", field: func(f *serveFlags) any { return &f.DocsURL }, ok: isPage},
	{name: "data", env: "POSTGEO_DATA", file: true, expected: "a file", field: func(f *serveFlags) any { return &f.Data }, ok: isAnything},
	{name: "acs-memory", env: "POSTGEO_ACS_MEMORY", fallback: strconv.Itoa(dataset.DefaultACSMemory >> 20), expected: fmt.Sprintf("MiB, a whole number from 0 to %d", maxACSMemory), field: func(f *serveFlags) any { return &f.ACSMemory }, ok: isMemory},
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

func isProcesses(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 1 && n <= 1000
}

func isMemory(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && n <= maxACSMemory
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

// A settingError says what is wrong with one setting.
type settingError struct {
	where, value, expected string
}

func (e *settingError) Error() string {
	return fmt.Sprintf("%s is %s; expected %s", e.where, e.value, e.expected)
}

// settle completes the flags by the environment, the file and the defaults.
// What is wrong is a list of errors, one for each setting.
func (c *serveFlags) settle(env *Env) error {
	if c.Config == "" {
		c.Config = env.Getenv("POSTGEO_CONFIG")
	}
	var errs []error
	var file map[string]string
	if c.Config != "" {
		var err error
		if file, err = readSettings(c.Config); err != nil {
			errs = append(errs, err)
		}
	}
	c.origins = map[string]origin{}
	for i := range settings {
		s := &settings[i]
		value, from := textOf(s.field(c)), origin{fromFlag, "--" + s.name}
		if value == "" {
			value, from = env.Getenv(s.env), origin{fromEnvironment, s.env}
		}
		if value == "" && file[s.name] != "" {
			value, from = file[s.name], origin{fromFile, c.Config + ": " + s.name}
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
			errs = append(errs, &settingError{from.where, s.shown(value), s.expected})
		default:
			setText(s.field(c), value)
		}
	}
	c.chooseOpen()
	return errors.Join(errs...)
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

// maxConfig is the largest configuration that is read, in bytes.
const maxConfig = 1 << 20

// readSettings reads a configuration: one JSON object with the names of flags.
func readSettings(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if len(data) > maxConfig {
		return nil, fmt.Errorf("%s has more than %d bytes; expected a JSON object with the names of flags", path, maxConfig)
	}
	values, err := parseSettings(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return values, nil
}

// parseSettings reads the members of the object. A later member of the same
// name is an error and not another value.
func parseSettings(data []byte) (map[string]string, error) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New(`expected a JSON object with the names of flags, such as {"listen": "127.0.0.1:8080"}`)
	}
	values := map[string]string{}
	var errs []error
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, malformed(dec, err)
		}
		var v any
		if err := dec.Decode(&v); err != nil {
			return nil, malformed(dec, err)
		}
		name, _ := key.(string) // what the decoder returns of a key
		i := slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
		text, ok := textOfJSON(v)
		_, twice := values[name]
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("there is no setting %q%s; expected one of %s", name, similar(name), settingNames()))
		case !ok:
			errs = append(errs, fmt.Errorf("%s is neither a text nor a number, truth value or list of texts; expected %s", name, settings[i].expected))
		case twice:
			errs = append(errs, fmt.Errorf("%s is there twice; expected it once", name))
		default:
			values[name] = text
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, malformed(dec, err)
	}
	if dec.More() {
		return nil, errors.New("something follows the JSON object; expected nothing")
	}
	return values, errors.Join(errs...)
}

func malformed(dec *json.Decoder, err error) error {
	return fmt.Errorf("no JSON at byte %d (%s); expected a JSON object with the names of flags", dec.InputOffset(), strings.TrimPrefix(err.Error(), "json: "))
}

func textOfJSON(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	case []any:
		var texts []string
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				return "", false
			}
			texts = append(texts, s)
		}
		return strings.Join(texts, ","), true
	}
	return "", false
}

func settingNames() string {
	var names []string
	for _, s := range settings {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ")
}

// similar names the setting that was meant, where only the spelling of
// several words is another one.
func similar(name string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
	}
	for _, s := range settings {
		if plain(s.name) == plain(name) {
			return fmt.Sprintf(", but %q", s.name)
		}
	}
	return ""
}
