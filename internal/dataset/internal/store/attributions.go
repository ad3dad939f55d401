package store

import (
	"slices"
	"strings"
	"unicode"
)

// Attributions returns the sentences that the licenses of the sources require,
// each once, in the order of the sources, without full stops.
func (m Manifest) Attributions() []string {
	var all []string
	for _, s := range m.Sources {
		for _, sentence := range sentences(s.Attribution) {
			same := func(other string) bool { return strings.TrimSuffix(other, ".") == strings.TrimSuffix(sentence, ".") }
			if !slices.ContainsFunc(all, same) {
				all = append(all, sentence)
			}
		}
	}
	return all
}

// sentences splits a text after full stops that end a word of small letters or
// digits, unlike those of "U.S. Census Bureau".
func sentences(text string) []string {
	var out []string
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	begin := 0
	for i := 1; i+1 < len(text); i++ {
		if before := rune(text[i-1]); text[i] == '.' && text[i+1] == ' ' && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			add(text[begin:i])
			begin = i + 1
		}
	}
	add(text[begin:])
	return out
}
