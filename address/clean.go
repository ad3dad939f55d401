package address

import (
	"strings"
	"unicode/utf8"
)

// The lengths that an address may have, in characters, from the contract.
const (
	MaxRaw   = 500 // as given
	MinClean = 9   // after cleanup
	MaxClean = 300 // after cleanup
)

// Clean returns the address as one line of ASCII capitals, without accents,
// control characters, symbols and other scripts. Spaces are single. A comma,
// semicolon, tab or new line is a comma. Both ends are letters, digits or
// parentheses. Bytes that are not UTF-8 count as spaces.
func Clean(s string) string {
	b := make([]byte, 0, len(s)+8)
	space, comma := false, false
	for i := 0; i < len(s); {
		c, size := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		k := fold(c)
		switch k {
		case "":
			continue // apostrophes: the letters around them are one word
		case " ":
			space = true
			continue
		case ",":
			comma = true
			continue
		}
		trail := false
		if len(k) > 1 && k[0] == ' ' { // a separate word
			space, trail = true, k[len(k)-1] == ' '
			k = strings.Trim(k, " ")
		}
		if len(b) > 0 {
			switch {
			case comma:
				b = append(b, ',', ' ')
			case space && b[len(b)-1] != ' ':
				b = append(b, ' ')
			}
		} else if k == "." || k == "-" || k == "/" || k == "&" || k == "@" {
			continue
		}
		space, comma = trail, false
		b = append(b, k...)
	}
	return strings.TrimRight(string(b), " .,-/&@#")
}

// ascii holds what fold returns for ASCII, one string each, so that folding
// allocates nothing.
var ascii = func() (t [utf8.RuneSelf]string) {
	for c := range t {
		t[c] = " "
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = string(c)
	}
	for c := 'A'; c <= 'Z'; c++ {
		t[c], t[c+'a'-'A'] = string(c), string(c)
	}
	for _, c := range ".-/&@#()" {
		t[c] = string(c)
	}
	for from, to := range map[rune]string{',': ",", ';': ",", '\n': ",", '\r': ",", '\t': ",", '|': ",", '\'': "", '`': "", '+': "&", '[': "(", '{': "(", ']': ")", '}': ")", '%': " C/O "} {
		t[from] = to
	}
	return t
}()

// latin holds the letters from U+00C0 to U+017F (Latin-1 Supplement and Latin Extended-A)
// without their accents, by their offset. A question mark stands for letters that fold
// writes as two, or as a space.
const latin = "AAAAAA?CEEEEIIIIDNOOOOO OUUUUY??AAAAAA?CEEEEIIIIDNOOOOO OUUUUY?Y" +
	"AAAAAACCCCCCCCDDDDEEEEEEEEEEGGGGGGGGHHHHIIIIIIIIII??JJKK?LLLLLLLLLLNNNNNNNNNOOOOOO??RRRRRRSSSSSSSSTTTTTTUUUUUUUUUUUUWWYYYZZZZZZS"

// fold returns the ASCII form of a character, " " for one that only separates
// words.
func fold(c rune) string {
	switch {
	case c < utf8.RuneSelf:
		return ascii[c]
	case c >= 0xc0 && int(c-0xc0) < len(latin):
		switch c {
		case 'Æ', 'æ':
			return "AE"
		case 'ß':
			return "SS"
		case 'Œ', 'œ':
			return "OE"
		}
		return ascii[latin[c-0xc0]]
	case c >= 0xff01 && c <= 0xff5e: // full width
		return ascii[c-0xfee0]
	}
	switch c {
	case '‘', '’', '´', 'ʻ', 'ʼ', '′':
		return ""
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return "-"
	case '½':
		return " 1/2"
	case '¼':
		return " 1/4"
	case '¾':
		return " 3/4"
	case '№':
		return "#"
	case '•', '·', '\u2028', '\u2029', '\u0085', '、', '，', '؛', '،':
		return ","
	default:
		return " "
	}
}
