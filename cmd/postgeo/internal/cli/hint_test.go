package cli_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

// What people type, and what the program takes it for: args are those of a
// shell, divided at "|".
func TestWords(t *testing.T) {
	skipShort(t)
	tests := []struct{ args, same string }{
		{"lookup|K1A|0B1", "lookup|K1A 0B1"},
		{"lookup|k1a|0b1|90210", "lookup|k1a 0b1|90210"},
		{"lookup|90210|K1A|M5V", "lookup|90210|K1A|M5V"},
		{"lookup|34.1|-118.4", "lookup|34.1,-118.4"},
		{"lookup|90210,10001", "lookup|90210|10001"},
		{"lookup|K1A 0B1,90210", "lookup|K1A 0B1|90210"},
		{"distance|34.1|-118.4|40.7|-74.0", "distance|34.1,-118.4|40.7,-74.0"},
		{"distance|90210|34.1|-118.4", "distance|90210|34.1,-118.4"},
		{"nearest|34.1|-118.4", "nearest|34.1,-118.4"},
		{"boundary|90210,10001", "boundary|90210|10001"},
		{"suggest|san|--limit|3|francisco", "suggest|san francisco|--limit|3"},
		{"address|350|5th|ave|new|york|ny", "address|350 5th ave new york ny"},
		{"address|350 5th Ave New York NY|10118", "address|350 5th Ave New York NY 10118"},
		{"codes-in|tract|06037 204920", "codes-in|tract|06037|204920"},
		{"--format|csv|lookup|90210", "lookup|90210|--format|csv"},
		{"help|lookup", "lookup|--help"},
		{"-v", "--version"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			got, want := world{}.run(strings.Split(tt.args, "|")...), world{}.run(strings.Split(tt.same, "|")...)
			if got != want {
				t.Errorf("%v; want as of %q: %v", got, tt.same, want)
			}
			if got.code == cli.Misuse {
				t.Errorf("it is wrong use: %v", got)
			}
		})
	}
}

// Whole addresses and codes are not joined, so that scripts that give several
// have an answer to each.
func TestWordsApart(t *testing.T) {
	tests := []struct {
		args string
		want int // answers
	}{
		{"lookup|90210|10001", 2},
		{"lookup|44|73", 2}, // neither has a point or a sign
		{"lookup|34.1,-118.4|44,-73.2", 2},
		{"address|--parse|350 5th Ave New York NY 10118|1 Main St Anytown NY 10001", 2},
		{"address|--parse|1 Main St Anytown NY|10001|350 5th Ave New York NY 10118", 2},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			if r := (world{}).run(strings.Split(tt.args, "|")...); strings.Count(r.stdout, "\n") != tt.want {
				t.Errorf("%v; want %d lines", r, tt.want)
			}
		})
	}
}

// Nothing but two numbers is a coordinate: "-" stays standard input.
func TestWordsDash(t *testing.T) {
	r := world{stdin: "90210\n"}.run("lookup", "48", "-", "--quick", "--format", "csv", "--columns", "code,city")
	if want := "code,city\n"; !strings.HasPrefix(r.stdout, want) || !strings.Contains(r.stdout, "\n90210,Beverly Hills\n") {
		t.Error(r)
	}
}

// A failure says what to do.
func TestHints(t *testing.T) {
	tests := []struct {
		args string
		code int
		says string // part of standard error
	}{
		{"lookup|501", cli.Failed, "did you mean 00501?"},
		{"lookup|501,1001", cli.Failed, "did you mean 01001?"},
		{"lookup|K1A|OB1", cli.Failed, "did you mean K1A 0B1?"},
		{"lookup|O2134", cli.Failed, "did you mean 02134?"},
		{"distance|9O210|90210", cli.Failed, "did you mean 90210?"},
		{"lookup|-118.4,34.1", cli.Failed, "did you mean 34.1,-118.4?"},
		{"lookup|Beverly Hillz Heights", cli.Failed, `'postgeo suggest "Beverly Hillz Heights"'`},
		{"lookup|1 Main $(x) `y` \"z\"", cli.Failed, `'postgeo address "1 Main \$(x) \` + "`y\\`" + ` \"z\""'`},
		{"zip|90210", cli.Misuse, "did you mean 'postgeo lookup'?"},
		{"90210", cli.Misuse, "did you mean 'postgeo lookup 90210'?"},
		{"lokup|90210", cli.Misuse, "did you mean 'postgeo lookup'?"},
		{"census", cli.Misuse, "did you mean 'postgeo acs'?"},
		{"dataset|vrify", cli.Misuse, "did you mean 'postgeo dataset verify'?"},
		{"dataset|qqqqqq", cli.Misuse, "has pull, build, add, info, verify, diff"},
		{"nearest|90210|10001", cli.Misuse, `unexpected argument "10001": 'postgeo nearest' takes only <code>`},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			r := world{}.run(strings.Split(tt.args, "|")...)
			if r.code != tt.code || !strings.Contains(r.stderr, tt.says) {
				t.Errorf("exit code %d, stderr %q; want %d and %q", r.code, r.stderr, tt.code, tt.says)
			}
		})
	}
}

// The shell divides a coordinate behind its comma for reverse, too.
func TestReverseWords(t *testing.T) {
	if r := (world{}).run("reverse", "40.7484,", "-73.9857"); strings.Contains(r.stderr, "Invalid coordinates") {
		t.Errorf("%v", r)
	}
}

// A code that is well formed has no hint.
func TestNoHint(t *testing.T) {
	for _, args := range []string{"lookup|99999", "suggest|qqqqqq"} {
		if r := (world{}).run(strings.Split(args, "|")...); strings.Contains(r.stderr, "hint:") {
			t.Errorf("%s: %v", args, r)
		}
	}
}

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
