package address_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
)

// TestFurtherReadings verifies that the further readings include those that only a
// dataset can confirm.
func TestFurtherReadings(t *testing.T) {
	tests := []struct{ text, want string }{
		{"5515 A Reading Ave, Ely, MN", "5515|A READING|AVE"},
		{"100 East Rd 5B, Ely, MN", "100|EAST|RD"},
	}
	for _, tt := range tests {
		p, err := address.Parse(tt.text)
		check(t, err)
		var all []string
		for _, a := range p {
			all = append(all, a.Number+"|"+a.Street+"|"+a.Suffix)
		}
		if !strings.Contains("\n"+strings.Join(all, "\n")+"\n", "\n"+tt.want+"\n") {
			t.Errorf("%q has no reading %q:\n%s", tt.text, tt.want, strings.Join(all, "\n"))
		}
	}
}

// TestNumbersFirst parses a text without letters before the rules have been used.
func TestNumbersFirst(t *testing.T) {
	if os.Getenv("NUMBERS_FIRST") != "" {
		_, _ = address.Parse("501")
		return
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNumbersFirst$")
	again.Env = append(os.Environ(), "NUMBERS_FIRST=1")
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestClean(t *testing.T) {
	tests := map[string]string{
		"  100  Main St.,\tEly\n": "100 MAIN ST., ELY",
		"Calle José Martí Nº 5":   "CALLE JOSE MARTI N 5",
		"O’Brien’s Rd":            "OBRIENS RD",
		"１００ Ｍａｉｎ":                "100 MAIN",
		"100–102 Main":            "100-102 MAIN",
		"...,,,":                  "",
		"Straße Ø Ł ŵ":            "STRASSE O L W",
		"% Jane":                  "C/O JANE",
		"a\x00b\x7fc":             "A B C",
		"a\xffb":                  "A B",
	}
	for in, want := range tests {
		if got := address.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range badInputs {
		f.Add(text)
	}
	f.Add("100 N.E. Main St. S.W. Apt 4-B, Ely, MN 55731-1234 USA")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := address.Parse(text)
		if err != nil {
			if address.Check(text) == nil {
				t.Errorf("Parse(%q): %v", text, err)
			}
			return
		}
		again, err := address.Parse(address.Clean(text))
		check(t, err)
		if diff := cmp.Diff(p[0].Reading(), again[0].Reading()); diff != "" {
			t.Errorf("%q reads otherwise once it is clean:\n%s", text, diff)
		}
	})
}
