package draft_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
)

// TestPlainName checks names of places without their legal description.
func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{
		"Elm city": "Elm", "Elm City city": "Elm City", "Elm City": "Elm City", "Elm CDP": "Elm", "Elm charter township": "Elm",
		"Elm-Oak metropolitan government (balance)": "Elm-Oak", "Elm zona urbana": "Elm", "Elm city and borough": "Elm", "town": "town", "Elm UT": "Elm",
	} {
		if got := draft.PlainName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// FuzzSpell checks that spelling keeps the letters and is idempotent.
func FuzzSpell(f *testing.F) {
	for _, s := range []string{"MC LEAN", "O FALLON", "Isle Of The Winds", "WINSTON-ELM", "St Elmo", "É", "Mc", "d d d", "O o", "mcA"} {
		f.Add(s)
	}
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(unicode.ToUpper(r))
			}
			return -1
		}, s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ToValidUTF8(name, "") != name {
			t.Skip("readers give valid text only")
		}
		name = strings.ToUpper(name) // as postal products write
		once := spell(name, "McLean city", "O'Fallon", "Winston-Elm")
		for _, r := range name {
			if r > unicode.MaxLatin1 {
				return // letters beyond Latin need not keep their number in another case
			}
		}
		if draft.Fold(name) != "" && letters(draft.Fold(once)) != letters(draft.Fold(name)) {
			t.Errorf("%q became %q", name, once)
		}
		if twice := spell(once, "McLean city", "O'Fallon", "Winston-Elm"); twice != once {
			t.Errorf("%q became %q and then %q", name, once, twice)
		}
	})
}

// spell spells a name in a state that has the known names.
func spell(name string, known ...string) string {
	var s draft.Speller
	for _, k := range known {
		s.Learn("OH", k)
	}
	return s.Spell("OH", name)
}
