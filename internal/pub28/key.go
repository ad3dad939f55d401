package pub28

import "strings"

// fullWords are spellings of suffixes that are also words. In the middle of a
// street's name they are not changed: LA and CENT would become LANE and CENTER.
var fullWords = wordSet(`ANNEX LOOPS PARKS PATHS PIKES SPURS TRAILS TRACES TRACKS TRACK TUNNELS WALKS HOLLOWS FORESTS RANCHES ISLES
	AVENUES LANES CENT EXPRESS BURG BURGS VIA LA PR IS UN EST EXP REST VILL VIST BOT COR DIV RAD HT CK PK PW HY BV LP TR`)

// nameWords are abbreviations in the middle of names, with their meanings.
var nameWords = func() map[string]string {
	m := make(map[string]string, 700)
	for spelling, s := range suffixes {
		if spelling != s.full && !fullWords[spelling] {
			m[spelling] = s.full
		}
	}
	for spelling, s := range map[string]string{
		// The suffix's meaning is the rarer one.
		"ST": "SAINT", "STR": "STREET", "STE": "SAINTE", "FT": "FORT", "MT": "MOUNT", "DR": "DR", "DOCTOR": "DR", "DRIVE": "DR", "CENTRE": "CENTER",
		"PK": "PARK", "TR": "TRAIL", "CK": "CREEK", "HT": "HEIGHTS",
		// Names of persons.
		"GEO": "GEORGE", "WM": "WILLIAM", "JAS": "JAMES", "CHAS": "CHARLES", "THOS": "THOMAS", "ROBT": "ROBERT", "JNO": "JOHN", "BENJ": "BENJAMIN",
		"ALEX": "ALEXANDER", "JOS": "JOSEPH", "SAML": "SAMUEL", "EDW": "EDWARD", "MLK": "MARTINLUTHERKING", "JFK": "JOHNFKENNEDY",
		"PRES": "PRESIDENT", "GEN": "GENERAL", "SGT": "SERGEANT", "CAPT": "CAPTAIN", "COL": "COLONEL", "MAJ": "MAJOR", "LT": "LIEUTENANT",
		"REV": "REVEREND", "GOV": "GOVERNOR", "SEN": "SENATOR", "ADM": "ADMIRAL", "CMDR": "COMMANDER", "CPL": "CORPORAL", "PVT": "PRIVATE",
		"JUNIOR": "JR", "SENIOR": "SR", "BROS": "BROTHERS",
		// Other words that signs abbreviate (appendix G).
		"INTL": "INTERNATIONAL", "NATL": "NATIONAL", "UNIV": "UNIVERSITY", "COLL": "COLLEGE", "HOSP": "HOSPITAL", "IND": "INDUSTRIAL", "INDL": "INDUSTRIAL",
		"MEML": "MEMORIAL", "MEM": "MEMORIAL", "CEM": "CEMETERY", "CH": "CHURCH", "CTHSE": "COURTHOUSE", "ARPT": "AIRPORT", "COMM": "COMMERCE",
		"TECH": "TECHNOLOGY", "CNTRY": "COUNTRY", "CO": "COUNTY", "CNTY": "COUNTY", "CTY": "COUNTY", "TWP": "TOWNSHIP", "MED": "MEDICAL", "GOVT": "GOVERNMENT",
		"VET": "VETERANS", "VETS": "VETERANS", "BUS": "BUSINESS", "BSNSS": "BUSINESS", "FRTG": "FRONTAGE", "SVC": "SERVICE", "SERV": "SERVICE", "LIT": "LITTLE", "LTL": "LITTLE",
		"GRT": "GREAT", "GT": "GREAT", "GRAN": "GRAND", "AND": "", "&": "", "THE": "",
		// Spanish (appendix H).
		"AVENIDA": "AVE", "AVDA": "AVE", "CLL": "CALLE", "CLLE": "CALLE", "CARR": "CARRETERA", "PSO": "PASEO", "URBANIZACION": "URB",
		"SRA": "SENORA", "STA": "SANTA", "STO": "SANTO",
	} {
		m[spelling] = s
	}
	return m
}()

func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// Key returns the common key of all spellings of a street name: MT PLEASANT and
// MOUNT PLEASANT, FIFTH and 5TH, CR 12 and COUNTY ROAD 12, STILL HARBOR and
// STILLHARBOR. It holds letters and digits only. Names without a letter or
// digit have the empty key.
//
// The builder sorts streets by their keys in the dataset, and searches make the keys of what
// people typed: after a change here, files of before no longer have the streets. A key may be
// common to two streets of different spelling, since all with the key are read and then
// compared; but two spellings of one street must never have different keys.
//
// Words go to their full forms, because an abbreviation has several meanings, while a full
// form has one. ST is SAINT, since the suffix is not a part of the name. DR stays, and stands
// for DOCTOR and DRIVE.
func Key(name string) string { return string(AppendKey(nil, name)) }

// AppendKey appends the key of a street name to dst.
func AppendKey(dst []byte, name string) []byte { return appendWords(dst, name, 0) }

// Spelling returns the words of a street name in full and with the numbers of
// ordinals, by single spaces. Names with the same spelling differ in nothing
// but abbreviations; those with the same key may also join words or divide
// them.
func Spelling(name string) string { return string(appendWords(nil, name, ' ')) }

// appendWords appends the words of a name, with a separator between them
// unless that is 0.
func appendWords(dst []byte, name string, separator byte) []byte {
	begin := len(dst)
	divide := func() {
		if separator != 0 && len(dst) > begin && dst[len(dst)-1] != separator {
			dst = append(dst, separator)
		}
	}
	if kind, rest := Highway(name); kind != "" {
		dst = appendSqueezed(dst, highwayKey(kind))
		if rest == "" {
			return dst
		}
		name = rest
	}
	first := true
	alone := strings.IndexByte(name, ' ') < 0 // N ST and E ST are letters, not directions
	for len(name) > 0 {
		word, rest, _ := strings.Cut(name, " ")
		if word == "" {
			name = rest
			continue
		}
		divide()
		next, after, _ := strings.Cut(rest, " ")
		n, used := Ordinal(word, next)
		switch {
		case used == 2:
			dst, rest = appendInt(dst, n), after
		case used == 1:
			dst = appendInt(dst, n)
		case !alone && directionNames[word] != "":
			dst = append(dst, directionNames[word]...)
		case alone, first && word == "DR":
			dst = appendSqueezed(dst, lone(word))
		default:
			full, ok := nameWords[word]
			if !ok {
				full = word
			}
			dst = appendSqueezed(dst, full)
		}
		name, first = rest, false
	}
	if separator != 0 && len(dst) > begin && dst[len(dst)-1] == separator {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// Squeezed returns the letters and digits of a name as they are written. The
// result differs from the key if the name has abbreviations.
func Squeezed(name string) string { return string(appendSqueezed(nil, name)) }

// lone returns the full form of an abbreviation that is the whole name.
func lone(word string) string {
	if full := nameWords[word]; full != "" && len(word) > 1 {
		return full
	}
	return word
}

func appendSqueezed(dst []byte, word string) []byte {
	for i := range len(word) {
		if c := word[i]; c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			dst = append(dst, c)
		}
	}
	return dst
}

// appendInt appends the digits of an ordinal, which is not negative.
func appendInt(dst []byte, n int) []byte {
	if n >= 10 {
		dst = appendInt(dst, n/10)
	}
	return append(dst, byte('0'+n%10))
}
