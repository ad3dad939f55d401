package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// maxConfig is the largest configuration that is read, in bytes.
const maxConfig = 1 << 20

// exampleConfig is how errors show what a configuration is.
const exampleConfig = `{"listen": "127.0.0.1:8080"}`

// A configValue is what a configuration says of a setting, and in which line.
type configValue struct {
	text string
	line int
}

// readConfig reads a configuration: one JSON object with the names of flags.
// What can be read of one with errors is returned with them; whole says that no
// setting is missing for them.
func readConfig(path string) (values map[string]configValue, whole bool, errs []error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, []error{fmt.Errorf("there is no configuration %s; write one such as %s, with the names of the flags of 'postgeo serve', or name another with --config", path, exampleConfig)}
	}
	if err != nil {
		return nil, false, []error{fmt.Errorf("configuration: %w", err)}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, false, []error{fmt.Errorf("configuration: %w", err)}
	}
	if len(data) > maxConfig {
		return nil, false, []error{fmt.Errorf("%s has more than %d bytes; expected a JSON object with the names of flags", path, maxConfig)}
	}
	values, whole, errs = parseConfig(data)
	for i, err := range errs {
		errs[i] = fmt.Errorf("%s:%w", path, err)
	}
	return values, whole, errs
}

// parseConfig reads the members of the object. A later member of the same name
// is an error and not another value. Every error begins with its line.
func parseConfig(data []byte) (values map[string]configValue, whole bool, errs []error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	line := func() int { return 1 + bytes.Count(data[:min(dec.InputOffset(), int64(len(data)))], []byte("\n")) }
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false, []error{fmt.Errorf("%d: expected a JSON object with the names of flags, such as %s", line(), exampleConfig)}
	}
	values = map[string]configValue{}
	wrong := func(line int, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%d: %s", line, fmt.Sprintf(format, args...)))
	}
	malformed := func(err error) (map[string]configValue, bool, []error) {
		offset := dec.InputOffset()
		if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
			offset = max(offset, min(syntax.Offset, int64(len(data))))
		}
		at := 1 + bytes.Count(data[:offset], []byte("\n"))
		wrong(at, "no JSON at byte %d (%s); expected a JSON object with the names of flags", offset, strings.TrimPrefix(err.Error(), "json: "))
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
		name, _ := key.(string) // what the decoder returns of a key
		i := slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
		text, ok := textOfJSON(v)
		first, twice := values[name]
		switch {
		case i < 0:
			wrong(at, "there is no setting %q; %s", name, similarSetting(name))
		case !ok:
			wrong(at, "%s is neither a text nor a number, truth value or list of texts; expected %s", name, settings[i].expected)
		case twice:
			wrong(at, "%s is there twice, first in line %d; expected it once", name, first.line)
		default:
			values[name] = configValue{text, at}
		}
	}
	if _, err := dec.Token(); err != nil {
		return malformed(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) { // More takes a further } for an end
		wrong(line(), "something follows the JSON object; expected nothing")
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

// similarSetting says which setting may have been meant, else which there are.
func similarSetting(name string) string {
	var names []string
	for _, s := range settings {
		names = append(names, s.name)
	}
	plain := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(name))
	for _, n := range names {
		if strings.ReplaceAll(n, "-", "") == strings.ReplaceAll(plain, "-", "") {
			return fmt.Sprintf("did you mean %q?", n)
		}
	}
	if near := nearName(plain, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "expected one of " + strings.Join(names, ", ")
}
