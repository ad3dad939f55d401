package cli

import (
	"fmt"
	"strings"
)

// SettingTable is the documentation's table of what a server can be told.
func SettingTable() string {
	var b strings.Builder
	b.WriteString("\n| flag | environment | in the file | expected | default |\n|---|---|---|---|---|\n")
	for _, s := range settings {
		fallback := s.fallback
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		fmt.Fprintf(&b, "| `--%s` | `%s` | `%s` | %s | %s |\n", s.name, s.env, s.name, s.expected, fallback)
	}
	return b.String() + "\n"
}

// ParseSettings reads the settings of a configuration.
var ParseSettings = parseSettings
