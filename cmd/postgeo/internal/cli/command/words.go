package command

import (
	"regexp"
	"strings"

	"github.com/postgeo/postgeo/lookup"
)

// Values of the tag "join" of an argument.
const (
	joinCodes     = "codes"     // codes and coordinates, which may have a space in them
	joinWhole     = "text"      // one text
	joinAddresses = "addresses" // texts of at least two words
)

// JoinWords joins words that a shell has divided: a Canadian postal code, a
// coordinate, a name, an address. A word that is an argument by itself is not
// joined to another one.
func JoinWords(how string, words []string) []string {
	switch how {
	case joinCodes:
		return codeWords(words)
	case joinWhole:
		if len(words) > 0 {
			return []string{strings.Join(words, " ")}
		}
	case joinAddresses:
		return addressWords(words)
	}
	return words
}

var (
	forwardSortation = regexp.MustCompile(`^[A-Za-z]\d[A-Za-z]$`)
	localDelivery    = regexp.MustCompile(`^[0-9OoIiLl][A-Za-z][0-9OoIiLl]$`) // unlike an FSA, whose second character is a digit
	degrees          = regexp.MustCompile(`^[+-]?(\d{1,3}(\.\d*)?|\.\d+)$`)
	digits           = regexp.MustCompile(`^\d{3,}$`)
)

// codeWords joins "K1A 0B1" and "34.1 -118.4", and divides "90210,10001". Two numbers are a
// coordinate only if one has a point or a sign: "90210 10001" are two codes.
func codeWords(words []string) []string {
	var codes []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		if i+1 < len(words) {
			next := words[i+1]
			if forwardSortation.MatchString(word) && localDelivery.MatchString(next) {
				codes = append(codes, word+" "+next)
				i++
				continue
			}
			lat, lon := strings.TrimSuffix(word, ","), strings.TrimPrefix(next, ",")
			if degrees.MatchString(lat) && degrees.MatchString(lon) && strings.ContainsAny(lat+lon, ".+-") {
				codes = append(codes, lat+","+lon)
				i++
				continue
			}
		}
		codes = append(codes, codeList(word)...)
	}
	return codes
}

// codeList divides a list of codes at its commas. Coordinates and other texts are
// not divided.
func codeList(word string) []string {
	if !strings.Contains(word, ",") {
		return []string{word}
	}
	if _, err := lookup.ParseCode(word); err == nil {
		return []string{word}
	}
	var codes []string
	for part := range strings.SplitSeq(word, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if _, err := lookup.ParseCode(part); err != nil && !digits.MatchString(part) {
			return []string{word}
		}
		codes = append(codes, part)
	}
	if len(codes) == 0 {
		return []string{word}
	}
	return codes
}

// addressWords adds every single word to the address before it, because an
// address has several words.
func addressWords(words []string) []string {
	var addresses []string
	grows := false // the last of the addresses takes words
	for _, word := range words {
		switch {
		case word == "-":
			addresses, grows = append(addresses, word), false
		case grows && !strings.ContainsAny(word, " \t"):
			addresses[len(addresses)-1] += " " + word
		default:
			addresses, grows = append(addresses, word), true
		}
	}
	return addresses
}
