package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
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
	if len(errs) > 0 {
		return reportAll(env, errs)
	}
	fact := func(name, format string, args ...any) { _ = plain.Linef(env.Stdout, name+": "+format, args...) }
	fact("callers", "%s; %s", c.Listen, c.access())
	fact("operators", "%s", c.PrivateListen)
	db, path, err := c.openServed(env)
	if err != nil {
		errs = append(errs, err)
	} else {
		defer db.Close()
		fact("dataset", "%s, version %s", command.FileName(path), db.Info().Version)
		if _, err := c.updates(env, path); err != nil {
			errs = append(errs, err)
		}
	}
	cfg := c.config(nil)
	if c.hasAccounts() {
		store, keys, err := c.openAccounts(ctx, env, slog.New(slog.DiscardHandler))
		if err != nil {
			errs = append(errs, command.Kind("accounts", err))
		} else {
			defer store.Close()
			cfg.Accounts = keys
			list, err := store.Accounts(ctx)
			if err == nil {
				fact("accounts", "%d in %s", len(list), store.Path)
			}
			if err == nil && keys.Limits != nil {
				if err = keys.Limits.Ping(ctx); err != nil {
					err = command.Failure(`limits: %w`, &billing.UnavailableError{Err: err})
				}
			}
			if err != nil {
				errs = append(errs, err)
			} else {
				fact("limits", "%s", redacted(c.Limits))
			}
		}
	}
	if len(errs) == 0 {
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
	for _, p := range settingList {
		from := o.origins[nameOf(p)]
		value := redacted(from.text)
		if _, hidden := p.Tag.Lookup("secret"); hidden && value != "" {
			value = secret
		}
		if p.Kind == operation.Bool && value != "" {
			on, _ := strconv.ParseBool(value)
			value = map[bool]string{true: "true"}[on]
		}
		list = append(list, shownSetting{nameOf(p), value, from.where})
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

// readConfig reads a configuration: one JSON object with the names of flags. It returns the
// valid settings besides errors.
func readConfig(path string) (values map[string]origin, errs []error) {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, []error{command.Usage(`configuration %s not found; write one such as %s, with the names of the flags of 'postgeo serve', or use another with --config`, path, exampleConfig)}
	case err != nil:
		return nil, []error{command.Usage(`configuration: %s`, command.FileText(err))}
	case len(data) > maxConfig:
		return nil, []error{command.Usage(`%s has more than %d bytes; must be a JSON object with the names of flags`, path, maxConfig)}
	}
	return parseConfig(path, data)
}

// parseConfig reads the members of the object. A second member of the same name
// is an error. Every error begins with the file and its line.
func parseConfig(path string, data []byte) (values map[string]origin, errs []error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	place := func() string {
		return fmt.Sprintf("%s:%d: ", path, 1+bytes.Count(data[:min(dec.InputOffset(), int64(len(data)))], []byte("\n")))
	}
	wrong := func(format string, args ...any) {
		errs = append(errs, command.Usage("%s", place()+fmt.Sprintf(format, args...)))
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		wrong(`must be a JSON object with the names of flags, such as %s`, exampleConfig)
		return nil, errs
	}
	values = map[string]origin{}
	for dec.More() {
		key, err := dec.Token()
		name, _ := key.(string)
		at := place()
		var v any
		if err == nil {
			err = dec.Decode(&v)
		}
		if err != nil {
			break
		}
		text, ok := textOfJSON(v)
		_, twice := values[name]
		switch i := slices.IndexFunc(settingList, func(p *operation.Param) bool { return nameOf(p) == name }); {
		case i < 0:
			wrong(`unknown setting %q; %s`, name, similarSetting(name))
		case !ok:
			wrong(`%s must be a string, a number, a Boolean or a list of strings`, name)
		case twice:
			wrong(`%s is set twice`, name)
		default:
			values[name] = origin{2, at + name, text}
		}
	}
	if !json.Valid(data) {
		wrong(`invalid JSON at byte %d; must be a JSON object with the names of flags`, dec.InputOffset())
	}
	return values, errs
}

func textOfJSON(v any) (string, bool) {
	switch v := v.(type) {
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
	case nil, map[string]any:
		return "", false
	default:
		return fmt.Sprint(v), true
	}
}

// similarSetting returns the setting that was probably meant, else all.
func similarSetting(name string) string {
	var names []string
	for _, p := range settingList {
		names = append(names, nameOf(p))
	}
	if near := command.NearName(strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(name)), names); near != "" {
		return fmt.Sprintf(`did you mean %q?`, near)
	}
	return `available: ` + strings.Join(names, ", ")
}
