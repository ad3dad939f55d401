package namekey

import "strings"

// Canonical returns the word that an abbreviation in the names of places
// stands for, in full: "st" is "saint", "ft" is "fort", "n" is "north". Other
// words come back as they are; so do abbreviations of states. The word is one
// that [Fold] has left.
func Canonical(word string) string {
	if len(word) > longestAbbreviation {
		return word
	}
	if full, ok := abbreviations[word]; ok {
		return full
	}
	return word
}

// AppendCanonical appends what Canonical makes of a word.
func AppendCanonical(dst, word []byte) []byte {
	if len(word) <= longestAbbreviation {
		if full, ok := abbreviations[string(word)]; ok {
			return append(dst, full...)
		}
	}
	return append(dst, word...)
}

const longestAbbreviation = 7

// abbreviations are those of the Postal Service, of maps and of people, with
// the two spellings of words that differ between the countries.
var abbreviations = map[string]string{
	"st": "saint", "ste": "sainte", "sta": "santa", "sto": "santo", "ft": "fort", "mt": "mount", "mtn": "mountain", "mtns": "mountains", "pt": "point",
	"n": "north", "no": "north", "s": "south", "so": "south", "e": "east", "w": "west",
	"ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
	"bch": "beach", "bnd": "bend", "cnty": "county", "crk": "creek", "ctr": "center", "fls": "falls", "gdns": "gardens", "grv": "grove",
	"hbr": "harbor", "hgts": "heights", "hts": "heights", "isl": "island", "jct": "junction", "lk": "lake", "pk": "park", "rdg": "ridge",
	"rpds": "rapids", "spg": "springs", "spgs": "springs", "sprgs": "springs", "twp": "township", "univ": "university", "vlg": "village", "vly": "valley",
	"centre": "center", "harbour": "harbor",
}

// Of returns the key of a name: its words folded and in full.
func Of(name string) string {
	words := strings.Split(string(Fold(nil, name)), " ")
	for i, w := range words {
		words[i] = Canonical(w)
	}
	return strings.Join(words, " ")
}

// Keys returns all keys of a name: first that of [Of], then, of a name of
// several words, what is left when it is written as one word, with its
// abbreviations in full and as they stand.
func Keys(name string) []string {
	raw := string(Fold(nil, name))
	key := Of(name)
	keys := []string{key}
	if !strings.Contains(key, " ") {
		return keys
	}
	full, short := strings.ReplaceAll(key, " ", ""), strings.ReplaceAll(raw, " ", "")
	keys = append(keys, full)
	if short != full {
		keys = append(keys, short)
	}
	return keys
}
