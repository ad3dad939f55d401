package cli_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

// Whatever is typed, nothing panics, no word is lost, and what is a code stays
// one.
func FuzzWords(f *testing.F) {
	for _, line := range []string{"K1A\n0B1", "34.1\n-118.4", "90210,10001", ",", ",,\n", ".\n-", "1 Main\nSt", "K1A\nK1A\n0B1\n-"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, "\n")
		kept := func(list []string) string {
			return strings.NewReplacer(" ", "", ",", "", "\t", "").Replace(strings.Join(strings.Fields(strings.Join(list, " ")), ""))
		}
		for _, how := range []string{"codes", "text", "addresses"} {
			got := command.JoinWords(how, words)
			if kept(got) != kept(words) {
				t.Errorf("%s: %q became %q", how, words, got)
			}
		}
	})
}
