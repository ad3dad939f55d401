package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/internal/operation"
)

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
