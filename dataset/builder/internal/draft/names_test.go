package draft_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/namekey"
)

// TestNames runs the sections of testdata/names.txt.
func TestNames(t *testing.T) {
	functions := map[string]func(name, want string) string{
		"other names of school districts, among others": func(name, want string) string {
			bare, _, _ := strings.Cut(name, " ") // the name of a place
			list := append(strings.Split(want, "; "), bare)
			return strings.Join(slices.DeleteFunc(list, func(s string) bool { return !slices.Contains(draft.DistrictNames(name), s) }), "; ")
		},
		"names, place and county of divisions": func(name, _ string) string {
			division, id, _ := strings.Cut(name, " ")
			full, place, county := draft.DivisionNames(division, id)
			return strings.Replace(full+"; "+place+"; "+county, "; ; ", "none", 1)
		},
		"in full": func(name, _ string) string { return draft.InFull(name, "PA") },
		"abbreviations of names": func(name, _ string) string {
			short, full, _ := strings.Cut(name, "; ")
			return map[bool]string{true: "yes", false: "no"}[draft.Abbreviates(short, full)]
		},
		"plain names": func(name, _ string) string { return draft.PlainName(name) },
	}
	for _, section := range lookuptest.Sections(t, "names.txt") {
		for line := range strings.SplitSeq(strings.TrimSpace(section[1]), "\n") {
			name, want, _ := strings.Cut(line, " = ")
			if got := functions[section[0]](name, want); got != want {
				t.Errorf("%s: %s is %q, want %q", section[0], name, got, want)
			}
		}
	}
}

// TestLettersLoseTheirAccents compares the table of package namekey with Unicode's
// decompositions, which only the builder links.
func TestLettersLoseTheirAccents(t *testing.T) {
	for r := rune(0xC0); r < 0x180; r++ {
		plain, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		if plain >= utf8.RuneSelf || !unicode.IsLetter(plain) {
			continue // transcribed, not decomposed
		}
		if got, want := string(namekey.Fold(nil, string(r))), strings.ToLower(string(plain)); got != want {
			t.Errorf("Fold(%q) = %q; want %q", r, got, want)
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
