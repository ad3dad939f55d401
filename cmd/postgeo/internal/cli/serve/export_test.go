package serve

import (
	"io"
	"reflect"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/server"
)

// ParseConfig reads the settings of a configuration.
func ParseConfig(data []byte) (int, []error) {
	values, errs := parseConfig("postgeo.json", data)
	return len(values), errs
}

// ServerConfig returns the configuration of the server for some settings.
func ServerConfig(values map[string]string) (server.Config, []error) {
	c := &settings{}
	for _, p := range settingList {
		if p.Default != "" {
			_ = p.Set(reflect.ValueOf(c).Elem(), p.Default)
		}
	}
	errs := c.check(&command.Env{Stderr: io.Discard, Getenv: func(name string) string { return values[name] }})
	return c.config(nil), errs
}
