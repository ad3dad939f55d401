package cli_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The manual page names every command and every flag, and those who read its
// language find nothing wrong in it.
func TestManual(t *testing.T) {
	r := world{}.run("__man", "2026-11-20")
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit code %d, %s", r.code, r.stderr)
	}
	for _, want := range []string{
		`.TH POSTGEO 1 "2026-11-20" "postgeo `, `.SS "lookup <codes> ... [flags]"`, `.SS "dataset build`, `.B "\-f, \-\-format=`, `.B "\-\-quick"`, `.SH "EXIT STATUS"`,
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if strings.Contains(r.stdout, "__") {
		t.Error("it tells of hidden commands")
	}
	for line := range strings.Lines(r.stdout) {
		if strings.TrimSpace(line) == "" {
			t.Error("it has an empty line")
		}
	}
	for _, check := range [][]string{{"mandoc", "-T", "lint", "-W", "warning"}, {"man", "--warnings", "-l", "-"}} {
		t.Run(check[0], func(t *testing.T) {
			path, err := exec.LookPath(check[0])
			if err != nil {
				t.Skipf("%s is not installed", check[0])
			}
			cmd := exec.CommandContext(t.Context(), path, check[1:]...)
			cmd.Stdin = strings.NewReader(r.stdout)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			complaints := stderr.String()
			if check[0] == "mandoc" {
				complaints += string(out)
			}
			if err != nil || strings.TrimSpace(complaints) != "" {
				t.Errorf("%v: %s", err, complaints)
			}
		})
	}
}
