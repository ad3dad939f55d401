package serve

import (
	"io"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/server"
)

// ParseConfig reads the settings of a configuration.
var ParseConfig = parseConfig

// ServerConfig returns the configuration of the server for some settings.
func ServerConfig(values map[string]string) (server.Config, []error) {
	c := &settings{}
	for _, s := range settingList {
		if value, ok := values[s.name]; ok {
			setText(s.field(c), value)
		}
	}
	errs := c.check(&command.Env{Stderr: io.Discard, Getenv: func(string) string { return "" }})
	return c.config(nil), errs
}
