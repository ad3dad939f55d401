package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/internal/operation"
)

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
