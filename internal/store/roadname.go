package store

import (
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// A RoadName is the name of a street in capitals, with the abbreviations of
// Publication 28. In Canada, a French kind of street is its suffix.
type RoadName struct{ PreDir, Name, Suffix, PostDir string }

// String returns the words of the name.
func (n RoadName) String() string { return joinedWords(n.PreDir, n.Name, n.Suffix, n.PostDir) }

// joinedWords joins the words by spaces.
func joinedWords(words ...string) string {
	var b []byte
	for _, w := range words {
		if w != "" && len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, w...)
	}
	return string(b)
}

// plainName replaces accented capitals of English and French names, and signs.
var plainName = strings.NewReplacer(
	"À", "A", "Â", "A", "Ä", "A", "Ç", "C", "È", "E", "É", "E", "Ê", "E", "Ë", "E", "Î", "I", "Ï", "I", "Í", "I", "Ñ", "N",
	"Ó", "O", "Ô", "O", "Ö", "O", "Ù", "U", "Ú", "U", "Û", "U", "Ü", "U", "Á", "A", "’", "",
	"-", " ", "/", " ", "(", " ", ")", " ", `"`, " ", ".", "", ",", " ", "'", "",
)

// ParseRoadName divides the name of a street into directions, name and suffix.
// Highways take their standard form.
func ParseRoadName(full string) RoadName {
	return nameOf(plainWords(full))
}

// plainWords returns the words of a name in plain capitals. The slash of a fraction
// remains, as in 10 1/2.
func plainWords(full string) []string {
	words := strings.Fields(strings.ToUpper(full))
	var plain []string
	for i, w := range words {
		if i > 0 && len(w) == 3 && w[1] == '/' && isDigit(w[0]) && isDigit(w[2]) && isDigit(words[i-1][len(words[i-1])-1]) {
			plain = append(plain, w)
		} else {
			plain = append(plain, strings.Fields(plainName.Replace(w))...)
		}
	}
	return plain
}

// nameOf divides plain words from both ends: a direction behind, a suffix, a direction in
// front. Each part leaves a word for the name. Highways, which have no suffix, are looked for
// after either direction: US HIGHWAY 12 E, N US HIGHWAY 1.
func nameOf(words []string) (n RoadName) {
	whole := strings.Join(words, " ")
	last := func() string { return words[len(words)-1] }
	if len(words) > 1 {
		// The N of AVENUE N is the name of the street, not a direction.
		if d, ok := pub28.Directional(last()); ok && (len(words) > 2 || !isSuffix(words[0])) && isDirection(last()) {
			n.PostDir, words = d, words[:len(words)-1]
		}
	}
	if kind, rest := pub28.Highway(strings.Join(words, " ")); kind != "" {
		n.Name = strings.TrimSpace(kind + " " + rest)
		return n
	}
	if len(words) > 1 {
		if s, ok := pub28.Suffix(last()); ok {
			n.Suffix, words = s, words[:len(words)-1]
		}
	}
	if len(words) > 1 {
		if d, ok := pub28.Directional(words[0]); ok {
			n.PreDir, words = d, words[1:]
			if kind, rest := pub28.Highway(strings.Join(words, " ")); kind != "" && n.Suffix == "" {
				words = strings.Fields(kind + " " + rest)
			}
		}
	}
	if n.Name = strings.Join(words, " "); n.Name == "" {
		n.Name = whole
	}
	return n
}

// isDirection separates N and NORTH from NO and SUR, which end names as words.
func isDirection(word string) bool {
	return len(word) <= 2 && word != "NO" && word != "SO" || strings.HasPrefix(word, "NORTH") || strings.HasPrefix(word, "SOUTH") || word == "EAST" || word == "WEST"
}

func isSuffix(word string) bool {
	_, ok := pub28.Suffix(word)
	return ok
}

// frenchKinds are French kinds of streets. Those of other languages too have the
// abbreviation of Publication 28.
var frenchKinds = map[string]string{
	"RUE": "RUE", "CH": "CH", "CHEM": "CH", "CHEMIN": "CH", "RANG": "RANG", "RG": "RANG", "MONTEE": "MONTEE", "MTEE": "MONTEE", "COTE": "COTE",
	"ALLEE": "ALLEE", "IMPASSE": "IMP", "IMP": "IMP", "RUELLE": "RLE", "RLE": "RLE", "CARRE": "CAR", "CAR": "CAR", "PROMENADE": "PROM", "PROM": "PROM",
	"QUAI": "QUAI", "SENTIER": "SENT", "SENT": "SENT", "VOIE": "VOIE", "COURS": "COURS", "AUTOROUTE": "AUT", "AUT": "AUT", "ROUTE": "RTE", "RTE": "RTE",
	"BOUL": "BLVD", "BOULEVARD": "BLVD", "BD": "BLVD", "BLVD": "BLVD", "AV": "AVE", "AVE": "AVE", "AVENUE": "AVE", "PLACE": "PL", "PL": "PL", "CROISSANT": "CRES", "CROIS": "CRES",
	"TERRASSE": "TER", "TSSE": "TER",
}

// englishKinds are suffixes in Canada that Publication 28 lacks.
var englishKinds = map[string]string{"CLOSE": "CLOSE", "GATE": "GATE", "LINE": "LINE", "BAY": "BAY", "SIDEROAD": "SIDERD", "SIDERD": "SIDERD"}

// frenchDirections are directions of French names in the letters of English.
var frenchDirections = map[string]string{"NORD": "N", "SUD": "S", "EST": "E", "OUEST": "W", "O": "W"}

// Canadian sources have a street kind in front (RUE SAINT-ZOTIQUE) or behind the name (SAINT
// ZOTIQUE RUE). While French kinds were read as parts of the name, 3 of
// 759 addresses of Quebec in French were found; with one form for all, 751.

// CanadianRoadName returns the form of a Canadian name that all sources and both languages
// share: RUE SAINT-ZOTIQUE OUEST and SAINT ZOTIQUE RUE W are SAINT ZOTIQUE, RUE and W, and
// E 22ND AVE is 22ND AVE E.
func CanadianRoadName(full string) RoadName {
	words := plainWords(full)
	direction := ""
	if k := len(words) - 1; k > 1 || k == 1 && frenchKinds[words[0]] == "" {
		switch words[k-1] {
		case "DU", "DE", "LA", "DES", "L":
		default:
			if d := frenchDirections[words[k]]; d != "" {
				direction, words = d, words[:k]
			} else if d, ok := pub28.Directional(words[k]); ok && isDirection(words[k]) {
				direction, words = d, words[:k]
			}
		}
	}
	n := canadianKind(words)
	switch {
	case direction != "":
		n.PostDir = direction
	case n.PostDir == "":
		n.PreDir, n.PostDir = "", n.PreDir
	}
	return n
}

// canadianKind divides a name without the direction behind it.
func canadianKind(words []string) RoadName {
	k := len(words) - 1
	if k < 1 {
		return nameOf(words)
	}
	first, last := words[0], words[k]
	numbered := func(word string) bool { return word[0] >= '0' && word[0] <= '9' }
	switch kind := frenchKinds[first]; {
	case kind == "RTE" && numbered(words[1]), kind != "" && (pub28.SureSuffix(last) || frenchKinds[last] == "RUE"):
	case kind != "":
		return RoadName{Name: strings.Join(words[1:], " "), Suffix: kind}
	}
	if (last == "HWY" || last == "HIGHWAY" || frenchKinds[last] == "RTE") && k == 1 && numbered(first) { // 6 HWY in the files of Statistics Canada
		return nameOf([]string{last, first})
	}
	kind := englishKinds[last]
	if f := frenchKinds[last]; f != "" && !isSuffix(last) || last == "RUE" {
		kind = f
	}
	if kind == "" {
		return nameOf(words)
	}
	n := nameOf(append(words[:k:k], "RD")) // any suffix that nameOf knows, in place of one that it does not
	n.Suffix = kind
	return n
}

// frenchWords are the kinds of Canada Post in Quebec that differ from the suffixes.
var frenchWords = map[string]string{"BLVD": "BOUL", "AVE": "AV", "PL": "PLACE", "CRES": "CROIS", "TER": "TSSE"}

// French returns the words of a name of [CanadianRoadName] in the order of French: RUE SAINT ZOTIQUE
// O. Outside of Quebec only names with a French kind have it.
func (n RoadName) French(inQuebec bool) string {
	kind := frenchWords[n.Suffix]
	switch {
	case n.Name == "":
		return n.String()
	case frenchKinds[n.Suffix] == n.Suffix && n.Suffix != "" && kind == "":
		kind = n.Suffix
	case !inQuebec || kind == "":
		return n.String()
	}
	direction := n.PostDir
	if len(direction) > 0 && direction[len(direction)-1] == 'W' {
		direction = direction[:len(direction)-1] + "O"
	}
	if c, end := n.Name[0], n.Name[len(n.Name)-1]; c >= '0' && c <= '9' && end >= 'A' && !strings.Contains(n.Name, " ") { // 1RE AV, 40E RUE
		return joinedWords(n.Name, kind, direction)
	}
	return joinedWords(kind, n.Name, direction)
}

// SameKind reports whether two suffixes of names of [CanadianRoadName] mean the same in
// French and English.
func SameKind(a, b string) bool {
	return a == b || kindPairs[a] == b && b != "" || kindPairs[b] == a && a != ""
}

var kindPairs = map[string]string{"RUE": "ST", "CH": "RD", "RTE": "RD", "PROM": "DR", "ALLEE": "ALY", "RLE": "LN", "CAR": "SQ", "COURS": "CT", "SENT": "TRL"}
