package cli_test

import (
	"strings"
	"testing"
)

// TestInfoOfSurvey shows the many files of the survey as one line to people, and each of
// them to programs.
func TestInfoOfSurvey(t *testing.T) {
	count := func(text, begin string) (n int) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, begin) && !strings.HasPrefix(line, begin+"-b") { // not the summary file
				n++
			}
		}
		return n
	}
	page, each := world{terminal: true}.run("dataset", "info"), world{}.run("dataset", "info", "-f", "csv")
	if count(page.stdout, "acs") != 1 || !strings.Contains(page.stdout, "files)") || count(each.stdout, "acs") < 56 {
		t.Errorf("%d lines of a table, %d of CSV", count(page.stdout, "acs"), count(each.stdout, "acs"))
	}
}
