package namekey

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold appends the words of a text, separated by single spaces.
//
// Letters become lowercase and lose their accents; letters that are not Latin
// are kept. Apostrophes and the periods of initials are removed, so that
// "O'Fallon" and "D.C." are one word each. An ampersand becomes "and". All other
// characters and invalid UTF-8 separate words.
func Fold(dst []byte, text string) []byte {
	f := folder{dst: dst, start: len(dst)}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			f.ascii(c, text[i+1:])
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		f.rune(r)
		i += size
	}
	return f.dst
}

// A folder is the state of one Fold. A space is not written at the end of a word but before
// the next letter (gap), so that none stands at either end. run recognizes initials: a
// period between two single letters joins them, so that "D.C." is "dc". In "J. Smith" and
// "St. Louis" it divides words.
type folder struct {
	dst   []byte
	start int
	gap   bool // a space precedes the next letter
	run   int  // letters since the last break or period
}

func (f *folder) ascii(c byte, rest string) {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		f.letter(c)
	case 'A' <= c && c <= 'Z':
		f.letter(c + 'a' - 'A')
	case c == '\'' || c == '`':
	case c == '.' && f.run == 1 && beginsInitial(rest):
		f.run = 0
	case c == '&':
		f.gap = true
		for _, c := range []byte("and") {
			f.letter(c)
		}
		f.gap = true
	default:
		f.gap, f.run = true, 0
	}
}

// beginsInitial reports whether a single letter follows, as after the first
// period of "D.C.".
func beginsInitial(rest string) bool {
	isLetter := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	return rest != "" && isLetter(rest[0]) && (len(rest) == 1 || !isLetter(rest[1]) && rest[1] < utf8.RuneSelf)
}

func (f *folder) letter(c byte) {
	if f.gap && len(f.dst) > f.start {
		f.dst = append(f.dst, ' ')
	}
	if f.gap {
		f.gap, f.run = false, 0
	}
	f.dst = append(f.dst, c)
	f.run++
}

func (f *folder) rune(r rune) {
	const fullWidth = 0xFEE0 // from "！" to "!"
	switch {
	case r >= firstLatin && r < firstLatin+rune(len(latin)):
		plain := latin[r-firstLatin]
		if plain == " " {
			f.gap, f.run = true, 0
		}
		for i := range len(plain) {
			if plain[i] != ' ' {
				f.letter(plain[i])
			}
		}
	case r >= 0xFF01 && r <= 0xFF5E:
		f.ascii(byte(r-fullWidth), "")
	case strings.ContainsRune(apostrophes, r), unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r):
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		if f.gap && len(f.dst) > f.start {
			f.dst = append(f.dst, ' ')
		}
		f.gap = false
		f.dst = utf8.AppendRune(f.dst, unicode.ToLower(r))
		f.run++
	default:
		f.gap, f.run = true, 0
	}
}

// apostrophes are removed from words. They include the Hawaiian ʻokina.
const apostrophes = "’‘ʼʻ′´"

const firstLatin = 'À'

// latin holds the lowercase letters without accents for U+00C0 to U+017F, and a space for
// other characters. Letters that Unicode does not decompose are transcribed: æ as ae, ß
// as ss, ø as o, ł as l. With a table, the package needs no module for normalization.
var latin = strings.Split(
	"a|a|a|a|a|a|ae|c|e|e|e|e|i|i|i|i|d|n|o|o|o|o|o| |o|u|u|u|u|y|th|ss|a|a|a|a|a|a|ae|c|e|e|e|e|i|i|i|i|d|n|o|o|o|"+
		"o|o| |o|u|u|u|u|y|th|y|a|a|a|a|a|a|c|c|c|c|c|c|c|c|d|d|d|d|e|e|e|e|e|e|e|e|e|e|g|g|g|g|g|g|g|g|h|h|h|h|i|i|i|i"+
		"|i|i|i|i|i|i|ij|ij|j|j|k|k|k|l|l|l|l|l|l|l|l|l|l|n|n|n|n|n|n|n|ng|ng|o|o|o|o|o|o|oe|oe|r|r|r|r|r|r|s|s|s|s|s|s"+
		"|s|s|t|t|t|t|t|t|u|u|u|u|u|u|u|u|u|u|u|u|w|w|y|y|y|z|z|z|z|z|z|s", "|")

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

// longestAbbreviation is the length of "harbour". Longer words need no look into the map.
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

// Bare returns a key without the words that name a kind of municipality in front of it or
// behind, such as "city of", "ville de" and "town".
func Bare(key string) string {
	kind, rest, _ := strings.Cut(key, " ")
	of, name, ok := strings.Cut(rest, " ")
	if ok && IsMunicipality([]byte(kind)) && (of == "of" || of == "de" || of == "du") {
		return name
	}
	if at := strings.LastIndexByte(key, ' '); at > 0 && IsMunicipality([]byte(key[at+1:])) {
		return key[:at]
	}
	return key
}

// IsMunicipality reports whether a folded word names a kind of municipality.
func IsMunicipality(word []byte) bool {
	switch string(word) {
	case "city", "town", "village", "borough", "township", "municipality", "ville", "municipalite":
		return true
	}
	return false
}

// Keys returns all keys of a name. The first is the result of [Of]. A name of several
// words also has keys without spaces, with its abbreviations expanded and, if different,
// as written. So "newyork" and "stlouis" are found.
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
