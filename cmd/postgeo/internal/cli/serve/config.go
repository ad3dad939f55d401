package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/accounts"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/server"
)

func configCommands() []*cobra.Command {
	return []*cobra.Command{
		command.With(command.About{Name: "check", Short: "Check the configuration of 'postgeo serve'."},
			func(o *settings, c *command.Call) error { return o.checkAll(c.Context, c.Env) },
			"postgeo config check --config /etc/postgeo/postgeo.json", "before a restart of the server"),
		command.New[showOptions](command.About{Name: "show", Short: "Show the settings of 'postgeo serve' and their origins."},
			"postgeo config show", "every setting and its origin"),
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
	if db != nil {
		if _, err := c.updates(env, c.Data); err != nil {
			errs = append(errs, err)
		}
	}
	var keys *server.Accounts
	if c.hasAccounts() && !c.Open && c.settled("accounts", "pepper-file", "limits", "limit-processes", "trusted-proxies", "demo-key") {
		store, opened, err := c.openAccounts(ctx, env, slog.New(slog.DiscardHandler))
		if err != nil {
			errs = append(errs, command.Kind("accounts", err))
		} else {
			defer store.Close()
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
	fmt.Fprintln(env.Stdout, `the configuration is valid`)
	return nil
}

func (c *settings) checkAccounts(ctx context.Context, fact func(name, format string, args ...any), store *accounts.Store, keys *server.Accounts) (errs []error) {
	if list, err := store.Accounts(ctx); err != nil {
		errs = append(errs, err)
	} else {
		fact("accounts", "%d in %s", len(list), store.Path)
	}
	if keys.Limits != nil {
		if err := keys.Limits.Ping(ctx); err != nil {
			return append(errs, command.Failure(`limits: %w`, &billing.UnavailableError{Err: err}))
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

// Run lists the settings without secrets.
func (o *showOptions) Run(call *command.Call) error {
	if errs := o.resolve(call.Env); len(errs) > 0 {
		return reportAll(call.Env, errs)
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
	return command.Rows(call, command.Table(output.Columns[shownSetting]()), list)
}

// maxConfig is the largest size of a configuration in bytes.
const maxConfig = 1 << 20

// exampleConfig is the configuration that errors show.
const exampleConfig = `{"listen": "127.0.0.1:8080"}`

// A configValue is the value of a setting in a configuration, and its line.
type configValue struct {
	text string
	line int
}

// readConfig reads a configuration: one JSON object with the names of flags. It
// returns the valid settings besides errors; whole reports that no setting is
// missing because of them.
func readConfig(path string) (values map[string]configValue, whole bool, errs []error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, []error{command.Failure(`configuration %s not found; write one such as %s, with the names of the flags of 'postgeo serve', or use another with --config`, path, exampleConfig)}
	}
	if err != nil {
		return nil, false, []error{command.Failure(`configuration: %w`, err)}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, false, []error{command.Failure(`configuration: %w`, err)}
	}
	if len(data) > maxConfig {
		return nil, false, []error{command.Failure(`%s has more than %d bytes; must be a JSON object with the names of flags`, path, maxConfig)}
	}
	values, whole, errs = parseConfig(data)
	for i, err := range errs {
		errs[i] = command.Failure(`%s:%w`, path, err)
	}
	return values, whole, errs
}

// parseConfig reads the members of the object. A second member of the same name
// is an error. Every error begins with its line.
func parseConfig(data []byte) (values map[string]configValue, whole bool, errs []error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	line := func() int { return 1 + bytes.Count(data[:min(dec.InputOffset(), int64(len(data)))], []byte("\n")) }
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false, []error{command.Failure(`%d: must be a JSON object with the names of flags, such as %s`, line(), exampleConfig)}
	}
	values = map[string]configValue{}
	wrong := func(line int, format string, args ...any) {
		errs = append(errs, command.Failure(`%d: %s`, line, fmt.Sprintf(format, args...)))
	}
	malformed := func(err error) (map[string]configValue, bool, []error) {
		offset := dec.InputOffset()
		if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
			offset = max(offset, min(syntax.Offset, int64(len(data))))
		}
		at := 1 + bytes.Count(data[:offset], []byte("\n"))
		wrong(at, `invalid JSON at byte %d (%s); must be a JSON object with the names of flags`, offset, strings.TrimPrefix(err.Error(), "json: "))
		return values, false, errs
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return malformed(err)
		}
		at := line()
		var v any
		if err := dec.Decode(&v); err != nil {
			return malformed(err)
		}
		name, _ := key.(string) // a key is a string
		i := slices.IndexFunc(settingList, func(s setting) bool { return s.name == name })
		text, ok := textOfJSON(v)
		first, twice := values[name]
		switch {
		case i < 0:
			wrong(at, `unknown setting %q; %s`, name, similarSetting(name))
		case !ok:
			wrong(at, `%s must be a string, a number, a Boolean or a list of strings: %s`, name, settingList[i].expected)
		case twice:
			wrong(at, `%s is set twice, first on line %d`, name, first.line)
		default:
			values[name] = configValue{text, at}
		}
	}
	if _, err := dec.Token(); err != nil {
		return malformed(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) { // More accepts a second }
		wrong(line(), `unexpected text after the JSON object`)
	}
	return values, true, errs
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

// similarSetting returns the setting that was probably meant, else all.
func similarSetting(name string) string {
	var names []string
	for _, s := range settingList {
		names = append(names, s.name)
	}
	plain := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(name))
	for _, n := range names {
		if strings.ReplaceAll(n, "-", "") == strings.ReplaceAll(plain, "-", "") {
			return fmt.Sprintf(`did you mean %q?`, n)
		}
	}
	if near := command.NearName(plain, names); near != "" {
		return fmt.Sprintf(`did you mean %q?`, near)
	}
	return fmt.Sprintf(`available: %s`, strings.Join(names, ", "))
}
