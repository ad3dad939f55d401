package pub28

import (
	_ "embed"
	"strings"
)

// suffixTable holds a suffix a line: the standard abbreviation, the full word,
// and after them other spellings that people use. A star marks words that are
// nearly always the end of a street's name. The others are as often part of the
// name of a street or a town (PARK, HILL, SPRINGS).
//
//go:embed suffixes.txt
var suffixTable string

// A spelling is the meaning of one spelling of a word in a table.
type spelling struct {
	abbr, full string
	starred    bool
}

// spellings reads a table with a word a line: the standard abbreviation, perhaps with a star
// before it, the full word, and other spellings.
func spellings(table string) map[string]spelling {
	m := make(map[string]spelling, 600)
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		abbr, starred := strings.CutPrefix(f[0], "*")
		for _, word := range append([]string{abbr}, f[1:]...) {
			m[word] = spelling{abbr, f[1], starred}
		}
	}
	return m
}

var suffixes = spellings(suffixTable)

// Suffix returns the standard abbreviation of a street suffix in any of its
// spellings: AVE of AVENUE, AV and AVE. ok is false for other words.
func Suffix(word string) (abbr string, ok bool) {
	s, ok := suffixes[word]
	return s.abbr, ok
}

// SureSuffix reports whether the word is a suffix that is seldom anything
// else: STREET is one, PARK, HILL and SPRINGS are none.
func SureSuffix(word string) bool { return suffixes[word].starred }

// SuffixName returns the full word of a suffix in any of its spellings,
// AVENUE of AVE, or "".
func SuffixName(word string) string { return suffixes[word].full }

var directionals = map[string]string{
	"N": "N", "NORTH": "N", "NO": "N", "NRTH": "N",
	"S": "S", "SOUTH": "S", "SO": "S", "STH": "S",
	"E": "E", "EAST": "E", "W": "W", "WEST": "W",
	"NE": "NE", "NORTHEAST": "NE", "NW": "NW", "NORTHWEST": "NW",
	"SE": "SE", "SOUTHEAST": "SE", "SW": "SW", "SOUTHWEST": "SW",
	"NORTE": "N", "SUR": "S", "ESTE": "E", "OESTE": "W",
}

// Directional returns the abbreviation of a direction: N, S, E, W, NE, NW, SE
// or SW, of its English and Spanish words and of itself.
func Directional(word string) (abbr string, ok bool) {
	abbr, ok = directionals[word]
	return abbr, ok
}

var directionNames = map[string]string{
	"N": "NORTH", "S": "SOUTH", "E": "EAST", "W": "WEST",
	"NE": "NORTHEAST", "NW": "NORTHWEST", "SE": "SOUTHEAST", "SW": "SOUTHWEST",
}

// Agree reports whether two abbreviated directions are equal, or one is more
// exact than the other (N and NE). Neither N and S nor N and E agree. Contained letters are
// enough, since no abbreviation holds opposite ones.
func Agree(a, b string) bool {
	return a == b || a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}
