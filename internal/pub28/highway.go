package pub28

import "strings"

// highwayTable holds a standard form of a highway a line (appendix F) and
// behind the colon other ways to write it. COUNTRY ROAD is a slip. ROAD, AVENUE, LOOP
// and SPUR are here for ROAD 12 and AVENUE H, which have their kind before the name.
const highwayTable = `
COUNTY ROAD: COUNTY RD,CNTY RD,CNTY ROAD,CO RD,CO ROAD,CR,CORD,CTY RD,COUNTRY ROAD,COUNTRY RD
COUNTY HIGHWAY: COUNTY HWY,CNTY HWY,CO HWY,CO HIGHWAY,CH,CTH,COUNTY TRUNK HIGHWAY,CTY HWY
COUNTY ROUTE: COUNTY RTE,COUNTY RT,CO RTE,CO RT,CNTY RTE,CNTY RT
EXPRESSWAY: EXPY
FM: FARM TO MARKET,FARM TO MARKET RD,FARM TO MARKET ROAD,HWY FM,FM RD,FM ROAD,FM HWY,F M
RM: RANCH TO MARKET,RANCH TO MARKET ROAD,RANCH TO MARKET RD
HIGHWAY: HWY,HIWAY,HIGHWY,HIWY,HWAY
INTERSTATE: I,IH,INTERSTATE HWY,INTERSTATE HIGHWAY,INTERSTATE RTE,INTERSTATE ROUTE
LOOP:
ROAD: RD
ROUTE: RT,RTE
RANCH ROAD: RANCH RD
STATE HIGHWAY: STATE HWY,ST HIGHWAY,ST HWY,SH,STATE HIWAY
STATE ROAD: STATE RD,ST RD,ST ROAD,SR
STATE ROUTE: STATE RTE,STATE RT,ST RT,ST RTE,ST ROUTE
TOWNSHIP ROAD: TOWNSHIP RD,TWP RD,TWP ROAD,TSR,TR
US HIGHWAY: US,US HWY,US HIWAY,US ROUTE,US RTE,US RT,U S HIGHWAY,U S HWY,U S,UNITED STATES HIGHWAY,UNITED STATES HWY,UNITED STATES ROUTE
FOREST ROAD: FOREST RD,FOREST SERVICE ROAD,FOREST SERVICE RD,FS ROAD,FS RD,FSR
INDIAN SERVICE ROUTE: INDIAN SERVICE RTE,INDIAN SERVICE RT
SPUR:
AVENUE: AVE,AV
CARRETERA: CARR,CARRETERA PR
`

var highways = func() map[string]string {
	m := make(map[string]string, 160)
	for line := range strings.Lines(highwayTable) {
		standard, others, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		m[standard] = standard
		for other := range strings.SplitSeq(others, ",") {
			if other = strings.TrimSpace(other); other != "" {
				m[other] = standard
			}
		}
	}
	return m
}()

// highwayStarts holds the first words of all forms and states.
var highwayStarts = func() map[string]bool {
	m := map[string]bool{}
	for _, forms := range []map[string]string{highways, states} {
		for form := range forms {
			first, _, _ := strings.Cut(form, " ")
			m[first] = true
		}
	}
	return m
}()

const maxHighwayWords = 5

// HighwayStart reports whether a highway's name may begin with the word: HWY,
// US, STATE, a state. Most names fail at this look-up, before any form is tried.
func HighwayStart(word string) bool { return highwayStarts[word] }

// Highway splits a highway's name into the standard form of its kind, preceded
// by the state's letters if the name has them, and the rest. CR 12 becomes
// COUNTY ROAD and 12, KENTUCKY 440 becomes KY HIGHWAY and 440, and US 41 SW
// becomes US HIGHWAY and 41 SW. If the name is not a highway, kind is "". The
// rest must begin with a number or be a letter or two.
func Highway(name string) (kind, rest string) {
	first, tail, ok := strings.Cut(name, " ")
	if !ok || !HighwayStart(first) {
		return "", ""
	}
	if standard, rest := highway(name); standard != "" {
		return standard, rest
	}
	abbr, ok := states[first]
	if !ok {
		second, after, _ := strings.Cut(tail, " ")
		if abbr, ok = states[name[:len(first)+1+len(second)]]; !ok {
			return "", ""
		}
		tail = after
	}
	if standard, rest := highway(tail); standard != "" && standard != "AVENUE" && standard != "ROAD" { // VIRGINIA AVE 5 is a street
		return abbr + " " + standard, rest
	}
	if number, _, _ := strings.Cut(tail, " "); isDesignation(number) && hasDigit(number) {
		return abbr + " HIGHWAY", tail
	}
	return "", ""
}

// highway finds the longest form at the beginning of a name that a designation
// follows.
func highway(name string) (standard, rest string) {
	end := 0
	for range maxHighwayWords {
		space := strings.IndexByte(name[end:], ' ')
		if space < 0 {
			break
		}
		form, tail := name[:end+space], name[end+space+1:]
		end += space + 1
		s, ok := highways[form]
		if !ok {
			continue
		}
		if after, ok := strings.CutPrefix(tail, "NO "); ok && after != "" && isDigit(after[0]) {
			tail = after // HIGHWAY NO 33
		}
		number, _, _ := strings.Cut(tail, " ")
		if isDesignation(number) || len(number) == 2 && strings.HasPrefix(s, "COUNTY") && isCountyLetters(number) {
			standard, rest = s, tail
		}
	}
	return standard, rest
}

// isDesignation reports whether a word may be the designation of a highway: 12,
// 60E, A1A, MM, ZZZ.
func isDesignation(word string) bool {
	if word == "" || len(word) > 6 {
		return false
	}
	if hasDigit(word) {
		return !IsOrdinal(word)
	}
	return len(word) <= 3 && strings.Trim(word, word[:1]) == ""
}

// isCountyLetters reports whether two letters may be the name of a county's
// road, as in Wisconsin: DB, but neither NE nor ST.
func isCountyLetters(word string) bool {
	_, suffix := Suffix(word)
	_, direction := Directional(word)
	return !suffix && !direction && word[0] >= 'A' && word[0] <= 'Z' && word[1] >= 'A' && word[1] <= 'Z'
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// highwayKey makes one of the kinds that people mix up. Others, such as HIGHWAY 9 and STATE
// ROUTE 9, have keys of their own: a search tries them as another class, which is a
// correction.
func highwayKey(kind string) string {
	switch kind {
	case "STATE HIGHWAY", "STATE ROAD", "STATE ROUTE":
		return "STATE ROUTE"
	case "COUNTY ROAD", "COUNTY HIGHWAY", "COUNTY ROUTE":
		return "COUNTY ROAD"
	case "RANCH ROAD", "RM":
		return "RANCH ROAD"
	default:
		return kind
	}
}
