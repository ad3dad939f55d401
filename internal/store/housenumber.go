package store

import (
	"cmp"
	"strconv"
	"strings"
)

// A HouseNumber is a number divided at its last whole number: 61-15 is 61- and 15.
// N6W23001 is N6W and 23001, 12A is 12 and A, 8 1/2 is 8 and 1/2.
type HouseNumber struct {
	Prefix string
	Value  uint32
	Suffix string
}

// maxNumberText is the number of bytes of the longest house number.
const maxNumberText = 20

// ParseHouseNumber reads a house number. ok is false for a text without digits,
// for 0 and for a text of more than 20 bytes.
func ParseHouseNumber(text string) (n HouseNumber, ok bool) {
	if strings.IndexByte(text, ' ') >= 0 {
		text = strings.Join(strings.Fields(text), " ")
	}
	text = strings.ToUpper(text)
	if len(text) > maxNumberText {
		return n, false
	}
	for i := range len(text) {
		if c := text[i]; !isDigit(c) && (c < 'A' || c > 'Z') && c != '-' && c != ' ' && c != '/' && c != '.' {
			return n, false
		}
	}
	if k := len(text) - 3; k >= 0 && text[k+1] == '/' && isDigit(text[k]) && isDigit(text[k+2]) {
		text, n.Suffix = strings.TrimRight(text[:k], " -"), text[k:]
	}
	end := len(text)
	for end > 0 && !isDigit(text[end-1]) {
		end--
	}
	begin := end
	for begin > 0 && isDigit(text[begin-1]) {
		begin--
	}
	if rest := strings.Trim(text[end:], " -."); rest != "" {
		if n.Suffix != "" {
			return HouseNumber{}, false
		}
		n.Suffix = rest
	}
	v, err := strconv.ParseUint(text[begin:end], 10, 31)
	if err != nil || v == 0 && begin == 0 {
		return HouseNumber{}, false
	}
	n.Prefix, n.Value = strings.TrimLeft(text[:begin], "0"), uint32(v)
	return n, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// String returns the number as it is written.
func (n HouseNumber) String() string {
	s := strconv.FormatUint(uint64(n.Value), 10)
	if len(s) == 1 && strings.HasSuffix(n.Prefix, "-") {
		if v, err := strconv.Atoi(n.Prefix[:len(n.Prefix)-1]); err == nil && v >= 10 { // 62-01, but 5-3
			s = "0" + s
		}
	}
	s = n.Prefix + s
	if strings.IndexByte(n.Suffix, '/') > 0 {
		s += " "
	}
	return s + n.Suffix
}

// Compare orders numbers along a street.
func (n HouseNumber) Compare(o HouseNumber) int {
	return cmp.Or(cmp.Compare(n.Prefix, o.Prefix), cmp.Compare(n.Value, o.Value), cmp.Compare(n.Suffix, o.Suffix))
}
