package cli_test

import (
	"strings"
	"testing"
)

// Values of flags and arguments are completed like names.
func TestComplete(t *testing.T) {
	for words, want := range map[string]string{
		"lookup --format ": "table json jsonl csv tsv markdown geojson", "suggest --country ": "US CA", "completion z": "zsh", "dataset v": "verify", "dataset build --offl": "--offline",
	} {
		var got []string
		for line := range strings.Lines(world{}.run(append([]string{"__completeNoDesc"}, strings.Split(words, " ")...)...).stdout) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, ":") {
				got = append(got, line)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
}
