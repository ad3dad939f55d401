package cli_test

import (
	"fmt"
	"strings"
	"testing"
)

// helpPage returns a table of commands: the usage, the first sentence of the help and its
// first example.
func helpPage(t *testing.T, commands []string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n| command | does | example |\n| --- | --- | --- |\n")
	for _, command := range commands {
		r := world{vars: map[string]string{"COLUMNS": "1000"}}.run(append(strings.Fields(command), "--help")...)
		if r.code != 0 {
			t.Fatalf("%s --help: %v", command, r)
		}
		about, _, _ := strings.Cut(r.stdout, "\n")
		if at := strings.Index(about, ". "); at > 0 {
			about = about[:at+1]
		}
		_, usage, _ := strings.Cut(r.stdout, "Usage:\n")
		usage, _, _ = strings.Cut(usage, "\n")
		usage = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(usage), "postgeo "), " [flags]")
		_, examples, _ := strings.Cut(r.stdout, "Examples:\n")
		example := ""
		for line := range strings.Lines(examples) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
				example = line
				break
			}
		}
		if about == "" || usage == "" || example == "" {
			t.Errorf("%s --help lacks a part:\n%s", command, r.stdout)
		}
		cell := strings.NewReplacer("|", "\\|").Replace
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", cell(usage), cell(about), cell(example))
	}
	return b.String() + "\n"
}
