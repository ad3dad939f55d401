package cli_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComplete(t *testing.T) {
	tests := []struct {
		words string // the last one is being typed; "_" stands for nothing yet
		want  string
	}{
		{"_", "account acs address apportion boundary codes-in completion config credits crosswalk dataset distance enrich export geocode inside key lookup map nearest neighbors radius reverse serve suggest version"},
		{"d", "dataset distance"},
		{"dataset _", "add build check diff doctor info key publish pull verify"},
		{"dataset v", "verify"},
		{"lookup --f", "--format --full"},
		{"lookup --format j", "json jsonl"},
		{"lookup --format=c", "--format=csv"},
		{"lookup --format = c", "csv"},
		{"lookup --format =", "auto csv geojson json jsonl markdown table tsv"},
		{"lookup -f t", "table tsv"},
		{"lookup 90210 --q", "--quick"},
		{"lookup --quick --d", "--data"},
		{"lookup --data _", ""},
		{"lookup _", ""},
		{"completion _", "bash fish zsh"},
		{"completion bash _", ""},
		{"dataset build --o", "--offline --output"},
		{"nonsense _", "account acs address apportion boundary codes-in completion config credits crosswalk dataset distance enrich export geocode inside key lookup map nearest neighbors radius reverse serve suggest version"},
	}
	for _, tt := range tests {
		t.Run(tt.words, func(t *testing.T) {
			words := strings.Fields(tt.words)
			if last := len(words) - 1; words[last] == "_" {
				words[last] = ""
			}
			r := world{}.run(append([]string{"__complete"}, words...)...)
			if diff := cmp.Diff(strings.Fields(tt.want), strings.Fields(r.stdout)); diff != "" || r.code != 0 || r.stderr != "" {
				t.Errorf("exit code %d, stderr %q, candidates (-want +got):\n%s", r.code, r.stderr, diff)
			}
		})
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

// Whatever stands on the command line, completion answers with lines and
// nothing else.
func FuzzComplete(f *testing.F) {
	f.Add("dataset build --layers id")
	f.Add("lookup --format = c")
	f.Add("-= -- --format=")
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, " ")
		r := world{}.run(append([]string{"__complete"}, words...)...)
		if r.code != 0 || r.stderr != "" {
			t.Errorf("%q: %v", line, r)
		}
		for candidate := range strings.Lines(r.stdout) {
			if strings.TrimSpace(candidate) == "" {
				t.Errorf("%q: empty candidate in %q", line, r.stdout)
			}
		}
	})
}
