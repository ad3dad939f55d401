package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestInfoOfSurvey holds that the sample's many files of the survey are one
// line for people, and each for itself where they are asked for or programs
// read.
func TestInfoOfSurvey(t *testing.T) {
	lines := func(args ...string) (n int, all string) {
		t.Helper()
		r := world{terminal: true}.run(append([]string{"dataset", "info"}, args...)...)
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		for line := range strings.Lines(r.stdout) {
			if strings.HasPrefix(line, "acs") && !strings.HasPrefix(line, "acs-b") { // not the summary file
				n++
				all += line
			}
		}
		return n, all
	}
	whole, _ := lines("--all")
	var info struct {
		Sources []struct {
			ID   string
			Rows int
		}
	}
	r := world{}.run("dataset", "info", "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &info); err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, s := range info.Sources {
		if strings.HasPrefix(s.ID, "acs") && !strings.HasPrefix(s.ID, "acs-b") {
			files++
		}
	}
	if files < 56 || whole != files {
		t.Errorf("%d lines with --all, %d sources in JSON; want one for each of 56 tables or more", whole, files)
	}
	if n, text := lines(); n != 1 || !strings.Contains(text, "files)") {
		t.Errorf("%d lines, want one with the number of files:\n%s", n, text)
	}
}
