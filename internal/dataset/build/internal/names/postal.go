package names

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/namekey"
)

// inFull returns a city name of the Postal Service without its abbreviations:
// "North Bridgton" for "N Bridgton". It omits the mark of a mail plant, with the
// state before it: "Wilkes Barre" for "Wilkes Barre Pa S&DC".
func inFull(name, state string) string {
	words := strings.Fields(name)
	if n := len(words); n > 1 && slices.Contains(mailPlants, words[n-1]) {
		if words = words[:n-1]; n > 2 && strings.EqualFold(words[n-2], state) {
			words = words[:n-2]
		}
	}
	for i, w := range words {
		switch full, ok := postalWords[w]; {
		case ok && (i > 0 || !lastOnly[w]):
			words[i] = full
		case i == 0 && len(words) > 1 && directions[w] != "":
			words[i] = directions[w]
		}
	}
	return strings.Join(words, " ")
}

// mailPlants mark plants in city names.
var mailPlants = []string{"S&DC", "P&DC", "P&DF", "L&DC", "NDC", "BMC", "AMF", "GMF"}

var directions = map[string]string{"N": "North", "S": "South", "E": "East", "W": "West", "So": "South"}

// postalWords are abbreviations in city names, which the Postal Service writes in
// 13 letters.
var postalWords = map[string]string{
	"Bch": "Beach", "Brg": "Bridge", "Clg": "College", "Crk": "Creek", "Ctr": "Center", "Cty": "City", "Fls": "Falls", "Frk": "Fork", "Ft": "Fort",
	"Gdns": "Gardens", "Grv": "Grove", "Hbr": "Harbor", "Hl": "Hill", "Hls": "Hills", "Hts": "Heights", "Jct": "Junction", "Lk": "Lake", "Lndg": "Landing",
	"Mls": "Mills", "Mt": "Mount", "Mtn": "Mountain", "Pk": "Park", "Plt": "Plant", "Pt": "Point", "Rdg": "Ridge", "Shrs": "Shores", "Spg": "Spring",
	"Spgs": "Springs", "Sta": "Station", "Twp": "Township", "Univ": "University", "Vlg": "Village", "Vly": "Valley", "Xing": "Crossing",
}

// lastOnly are abbreviations with another meaning at the beginning of a name, such
// as "Sta" for Santa.
var lastOnly = map[string]bool{"Sta": true, "Clg": true}

// abbreviates reports whether a city name is another spelling of a longer one: "Rcho
// Sta Marg" of "Rancho Santa Margarita". Every word has letters of the same word in
// their order, beginning with the first. "City of" before a name counts as well.
func abbreviates(short, full string) bool {
	const leastLetters = 8 // of one word; "Glen" is not Glendale
	if bare, ok := strings.CutPrefix(short, "City of "); ok && namekey.Of(bare) == namekey.Of(full) {
		return true
	}
	a, b := strings.Fields(namekey.Of(short)), strings.Fields(namekey.Of(full))
	if len(a) != len(b) || len(a) == 1 && len(a[0]) < leastLetters || len(short) >= len(full) {
		return false
	}
	for i := range a {
		if a[i][0] != b[i][0] || !within(a[i], b[i]) {
			return false
		}
	}
	return true
}

// within reports whether a word has the letters of a shorter one in their order.
func within(short, word string) bool {
	for i := 0; i < len(word) && short != ""; i++ {
		if word[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}
