package namekey

import "strings"

// Canonical expands an abbreviation in the name of a place: "st" becomes
// "saint", "ft" becomes "fort", and "n" becomes "north". It returns other words
// and the abbreviations of states unchanged. The word must be folded; see
// [Fold].
func Canonical(word string) string {
	if len(word) > longestAbbreviation {
		return word
	}
	if full, ok := abbreviations[word]; ok {
		return full
	}
	return word
}

// AppendCanonical appends the result of [Canonical].
func AppendCanonical(dst, word []byte) []byte {
	if len(word) <= longestAbbreviation {
		if full, ok := abbreviations[string(word)]; ok {
			return append(dst, full...)
		}
	}
	return append(dst, word...)
}

const longestAbbreviation = 7

// abbreviations maps abbreviations and Canadian spellings to full words.
var abbreviations = map[string]string{
	"st": "saint", "ste": "sainte", "sta": "santa", "sto": "santo", "ft": "fort", "mt": "mount", "mtn": "mountain", "mtns": "mountains", "pt": "point",
	"n": "north", "no": "north", "s": "south", "so": "south", "e": "east", "w": "west",
	"ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
	"bch": "beach", "bnd": "bend", "cnty": "county", "crk": "creek", "ctr": "center", "fls": "falls", "gdns": "gardens", "grv": "grove",
	"hbr": "harbor", "hgts": "heights", "hts": "heights", "isl": "island", "jct": "junction", "lk": "lake", "pk": "park", "rdg": "ridge",
	"rpds": "rapids", "spg": "springs", "spgs": "springs", "sprgs": "springs", "twp": "township", "univ": "university", "vlg": "village", "vly": "valley",
	"centre": "center", "harbour": "harbor",
}

// Of returns the key of a name: its words, folded and expanded.
func Of(name string) string {
	words := strings.Split(string(Fold(nil, name)), " ")
	for i, w := range words {
		words[i] = Canonical(w)
	}
	return strings.Join(words, " ")
}

// Keys returns all keys of a name. The first is the result of [Of]. A name of
// several words also has keys without spaces, with its abbreviations expanded
// and, if different, as written.
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
