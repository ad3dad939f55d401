package source

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// streetSigns removes the signs of the names of streets.
var streetSigns = strings.NewReplacer(".", "", ",", " ", "'", "")

// setStreet divides the name of a street in files of ranges into directions,
// name and suffix, in the abbreviations of Publication 28. Highways take their
// standard form.
func setStreet(r *dataset.ZIP4Record, full string) {
	words := strings.Fields(streetSigns.Replace(strings.ToUpper(full)))
	name := strings.Join(words, " ")
	last := func() string { return words[len(words)-1] }
	if len(words) > 1 {
		if d, ok := pub28.Directional(last()); ok && (len(words) > 2 || !isSuffix(words[0])) && isDirection(last()) {
			r.PostDir, words = d, words[:len(words)-1]
		}
	}
	if kind, rest := pub28.Highway(strings.Join(words, " ")); kind != "" {
		r.Street = strings.TrimSpace(kind + " " + rest)
		return
	}
	if len(words) > 1 {
		if s, ok := pub28.Suffix(last()); ok {
			r.Suffix, words = s, words[:len(words)-1]
		}
	}
	if len(words) > 1 {
		if d, ok := pub28.Directional(words[0]); ok {
			r.PreDir, words = d, words[1:]
			if kind, rest := pub28.Highway(strings.Join(words, " ")); kind != "" && r.Suffix == "" {
				words = strings.Fields(kind + " " + rest)
			}
		}
	}
	r.Street = strings.Join(words, " ")
	if r.Street == "" {
		r.Street = name
	}
}

// isDirection separates N and NORTH from NO and SUR, which end names as words.
func isDirection(word string) bool {
	return len(word) <= 2 && word != "NO" && word != "SO" || strings.HasPrefix(word, "NORTH") || strings.HasPrefix(word, "SOUTH") || word == "EAST" || word == "WEST"
}

func isSuffix(word string) bool {
	_, ok := pub28.Suffix(word)
	return ok
}

// setRange fills in the ends of a range of house numbers, the lower one first,
// and which of the numbers between belong to it. Whole numbers take ten digits,
// as in the ZIP+4 product. parity is O, E or B; any other text leaves it to the
// two ends.
func setRange(r *dataset.ZIP4Record, from, to, parity string) error {
	a, errA := strconv.ParseUint(from, 10, 32)
	b, errB := strconv.ParseUint(to, 10, 32)
	both := errA == nil && errB == nil
	switch {
	case both:
		r.AddrLow, r.AddrHigh = fmt.Sprintf("%010d", min(a, b)), fmt.Sprintf("%010d", max(a, b))
	case from == "" || to == "" || len(from) > 12 || len(to) > 12:
		return fmt.Errorf("%q to %q, expected two house numbers", from, to)
	default:
		r.AddrLow, r.AddrHigh = strings.ToUpper(from), strings.ToUpper(to)
		if len(from) == len(to) && r.AddrLow > r.AddrHigh {
			r.AddrLow, r.AddrHigh = r.AddrHigh, r.AddrLow
		}
	}
	switch p := strings.ToUpper(parity); {
	case p == "O" || p == "E" || p == "B":
		r.OddEven = p[0]
	case both && a%2 == 1 && b%2 == 1:
		r.OddEven = 'O'
	case both && a%2 == 0 && b%2 == 0:
		r.OddEven = 'E'
	default:
		r.OddEven = 'B'
	}
	return nil
}
