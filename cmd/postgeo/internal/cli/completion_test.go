package cli_test

import (
	"os/exec"
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

// The scripts are at least the shell's language, where the shell is installed.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			r := world{}.run("completion", shell)
			if r.code != 0 || !strings.Contains(r.stdout, "__complete") {
				t.Fatalf("exit code %d, script %q", r.code, r.stdout)
			}
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed, its script is not parsed", shell)
			}
			cmd := exec.Command(path, "-n")
			cmd.Stdin = strings.NewReader(r.stdout)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s does not parse the script: %v\n%s", shell, err, out)
			}
		})
	}
}
