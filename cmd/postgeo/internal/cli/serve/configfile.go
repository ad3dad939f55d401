package serve

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

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
)

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
		return nil, false, []error{command.Failure(message.NoConfig, path, exampleConfig)}
	}
	if err != nil {
		return nil, false, []error{command.Failure(message.ConfigFile, err)}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, false, []error{command.Failure(message.ConfigFile, err)}
	}
	if len(data) > maxConfig {
		return nil, false, []error{command.Failure(message.LargeConfig, path, maxConfig)}
	}
	values, whole, errs = parseConfig(data)
	for i, err := range errs {
		errs[i] = command.Failure(message.ConfigLine, path, err)
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
		return nil, false, []error{command.Failure(message.NotAnObject, line(), exampleConfig)}
	}
	values = map[string]configValue{}
	wrong := func(line int, format string, args ...any) {
		errs = append(errs, command.Failure(message.AtLine, line, fmt.Sprintf(format, args...)))
	}
	malformed := func(err error) (map[string]configValue, bool, []error) {
		offset := dec.InputOffset()
		if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
			offset = max(offset, min(syntax.Offset, int64(len(data))))
		}
		at := 1 + bytes.Count(data[:offset], []byte("\n"))
		wrong(at, message.NotJSON, offset, strings.TrimPrefix(err.Error(), "json: "))
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
			wrong(at, message.UnknownSetting, name, similarSetting(name))
		case !ok:
			wrong(at, message.SettingType, name, settingList[i].expected)
		case twice:
			wrong(at, message.SettingTwice, name, first.line)
		default:
			values[name] = configValue{text, at}
		}
	}
	if _, err := dec.Token(); err != nil {
		return malformed(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) { // More accepts a second }
		wrong(line(), message.AfterObject)
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
			return fmt.Sprintf(message.SettingNear, n)
		}
	}
	if near := command.NearName(plain, names); near != "" {
		return fmt.Sprintf(message.SettingNear, near)
	}
	return fmt.Sprintf(message.SettingsListed, strings.Join(names, ", "))
}
