package namekey_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/namekey"
)

// TestNames compares the keys of the names of testdata/names.txt. A key is its own key.
func TestNames(t *testing.T) {
	lookuptest.Table(t, "names.txt", false, func(row string) string {
		function, quoted, _ := strings.Cut(row, " ")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		switch function {
		case "Fold":
			return fmt.Sprintf("%q", namekey.Fold(nil, text))
		case "Of":
			if again := namekey.Of(namekey.Of(text)); again != namekey.Of(text) {
				t.Errorf("Of(Of(%q)) = %q", text, again)
			}
			return fmt.Sprintf("%q", namekey.Of(text))
		case "Bare":
			return fmt.Sprintf("%q", namekey.Bare(namekey.Of(text)))
		}
		return fmt.Sprintf("%q", namekey.Keys(text))
	})
	if got := string(namekey.Fold([]byte("x"), " y")); got != "xy" {
		t.Errorf("Fold(x, y) = %q; want the prefix unchanged", got)
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"St. Louis", "D.C.", "Montréal", "\xff.a.", "a&b", "ＡＢ", "ʻEwa", "é.b.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := string(namekey.Fold(nil, s))
		if !utf8.ValidString(got) {
			t.Errorf("Fold(%q) = %q is not UTF-8", s, got)
		}
		if strings.Contains(got, "  ") || strings.TrimSpace(got) != got {
			t.Errorf("Fold(%q) = %q has stray spaces", s, got)
		}
		if again := string(namekey.Fold(nil, got)); again != got {
			t.Errorf("Fold(Fold(%q)) = %q; want %q", s, again, got)
		}
	})
}
