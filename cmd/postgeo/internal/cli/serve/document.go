package serve

import (
	"fmt"
	"strings"
)

// Document returns the table of the settings for the documentation.
func Document() string {
	var b strings.Builder
	b.WriteString("\n| flag | environment | in the file | expected | default |\n|---|---|---|---|---|\n")
	for _, s := range settingList {
		fallback := s.fallback
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		fmt.Fprintf(&b, "| `--%s` | `%s` | `%s` | %s | %s |\n", s.name, s.env, s.name, s.expected, fallback)
	}
	return b.String() + "\n"
}
