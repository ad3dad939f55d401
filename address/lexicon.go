package address

import (
	"cmp"
	_ "embed"
	"strings"

	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/pub28"
)

// towns holds the names of large towns, which mark the end of a street without
// a suffix if no dataset lists the cities. After an empty line it lists towns
// with a direction before them: NORTH belongs to the town in 420 MAIN ST NORTH
// RICHLAND HILLS. After another empty line it lists Canadian towns.
//
//go:embed towns.txt
var towns string

var knownCities, directionCities, canadaTowns map[string]bool

func townSets() (known, directed, canadian map[string]bool) {
	parts := strings.Split(towns, "\n\n")
	return nameSet(parts[0]), nameSet(parts[1]), nameSet(parts[2])
}

func nameSet(list string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.Lines(list) {
		m[strings.TrimSpace(name)] = true
	}
	return m
}

// lexicon holds the classes of words that package pub28 doesn't classify, and isLiteral for
// the words that patterns hold. It is filled once by compileAll and only read then.
var lexicon map[string]class

func newLexicon() map[string]class {
	m := map[string]class{}
	for c, list := range map[class]string{
		isHighway:  `HWY,HIGHWAY,HIWAY,ROUTE,RTE,RT,FM,CR,SR,US,INTERSTATE,RR,HC,CH,CTH,RM,SH,IH`,
		isTail:     `BUSINESS,BUS,BSNSS,BYPASS,BYP,ALT,ALTERNATE,TRUCK`,
		isJoin:     `AND,&,@,AT`,
		isKind:     `CALLE,CLL,AVENIDA,PASEO,CARR,VEREDA,CAMINO,CALLEJON`,
		isBuilding: `CTR,CENTER,PLAZA,PLZ,PL,PLACE,SQ,SQUARE,PARK,MALL`,
		isCardinal: `ONE,TWO,THREE,FOUR,FIVE,SIX,SEVEN,EIGHT,NINE,TEN`,
		isPrefix:   `APT,STE,SUITE,UNIT,BOX,POBOX,POB,RR,HC,HCR,HWY,LOT,RM,ROOM,BLDG,SPC,TRLR,PSC,CMR,RTE,FM,DEPT,FL,RT,US,CR,SR,PMB,IH,CO,APARTMENT,PH`,
		isBox:      `BOX,BX,BOXES,DRAWER,DRAWR,DRWR,BIN,LOCKBOX,CALLER,BUZON,BXO,BO`,
		isSaint: `LOUIS,PAUL,JAMES,JOHN,JOHNS,CHARLES,PETER,PETERS,GEORGE,MARY,MARYS,ANNE,ANNS,ANN,ANDREW,ANDREWS,FRANCIS,MICHAEL,MICHAELS,PHILIP,
PATRICK,JOSEPH,LAWRENCE,ALBANS,ASAPH,BERNARD,CLAIR,CLOUD,DAVIDS,DENIS,HELENA,HELENS,LUCIE,MARKS,MARTIN,MARTINS,NICHOLAS,SIMONS,STEPHEN,STEPHENS,THERESA,
THOMAS,VINCENT,CATHERINE,CROIX,AUGUSTINE,BRIDES,REGIS,JOE,CLEMENT,CHRISTOPHER,GABRIEL,ROSE,TAMMANY,LUKES,MATTHEWS,ELMO,IVES,PETERSBURG`,
		isOpening: `NEW,SAN,SANTA,LOS,LAS,EL,LA,DE,DES,FORT,FT,SAINT,ST,PORT,MOUNT,MT,LAKE,CAPE,GRAND,PALM,LITTLE,BIG,LONG,ROCK,CEDAR,OAK,ELK,GREEN,WHITE,
BLACK,RED,UPPER,LOWER,OLD,GLEN,STE,BATON,TERRE,EAU,COEUR,PEMBROKE,CORAL,WINTER,CHERRY,WALNUT,COUNCIL,CARSON,JERSEY,KANSAS,OKLAHOMA,COLORADO,VIRGINIA,PALOS`,
	} {
		for w := range strings.SplitSeq(strings.ReplaceAll(list, "\n", ""), ",") {
			m[w] |= c
		}
	}
	return m
}

// highwayClasses are the classes of highways that people mix up, by their keys: ROUTE 9 is
// often STATE ROUTE 9 in the records. [pub28.Key] already makes one class of some kinds, such
// as STATE ROAD and STATE ROUTE.
var highwayClasses = [...]string{"STATE ROUTE", "HIGHWAY", "ROUTE", "US HIGHWAY", "COUNTY ROAD", "INTERSTATE", "FM", "RANCH ROAD", "TOWNSHIP ROAD"}

// classed looks for the highway of a reading under other classes. The class is a
// weak component: within the ZIP Code or city the number decides, unless the given
// class exists. If nothing is found, it keeps the candidates of the step before.
func (s *search) classed(where scope, limit int) (*candidate, bool, error) {
	if s.knownStreet {
		return nil, false, nil
	}
	return s.try(limit, true, func() error {
		for i := range s.reads {
			a := &s.reads[i]
			kind, number := pub28.Highway(a.Name())
			if a.Kind != Street || a.Number == "" || kind == "" || !isHighwayClass(kind) {
				continue
			}
			for _, class := range s.classesOf(kind, a.State) {
				key := pub28.Key(class + " " + number)
				if key == s.keys[i] {
					continue
				}
				if err := s.read(where, key, s.keys[i], 0, classCost(kind, class)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// classesOf returns the classes that may list a highway.
func (s *search) classesOf(kind, state string) []string {
	list := highwayClasses[:]
	for _, abbr := range [...]string{state, stateOf(kind)} {
		if abbr != "" {
			list = append(list, abbr+" HIGHWAY", abbr+" STATE ROUTE")
		}
	}
	return list
}

// stateOf returns the state's letters before the class of a highway, or "".
func stateOf(kind string) string {
	abbr, class, _ := strings.Cut(kind, " ")
	if pub28.State(abbr) == "" || class == "" || abbr == "ST" {
		return ""
	}
	return abbr
}

func isHighwayClass(kind string) bool {
	switch kind {
	case "AVENUE", "ROAD", "LOOP", "SPUR", "EXPRESSWAY", "CARRETERA", "FOREST ROAD", "INDIAN SERVICE ROUTE":
		return false
	default:
		return true
	}
}

// classCost returns the cost of another class. A highway with the state's letters
// is rather the state's than another one.
func classCost(given, class string) int {
	if stateOf(given) != "" && (class == "STATE ROUTE" || stateOf(class) != "") {
		return costMoved
	}
	return costPart
}

// A predicate is a condition that no class of words expresses. i is the position
// that the pattern has reached.
type predicate func(m *match, i int) bool

// wordPredicates take the word at i.
func wordPredicates() map[string]predicate {
	return map[string]predicate{
		"abbreviated": func(m *match, i int) bool { // a suffix written as its abbreviation
			abbr, ok := pub28.Suffix(m.p.word(i))
			return ok && abbr == m.p.word(i) && abbr != "HWY"
		},
		"beginning":   func(m *match, i int) bool { return pub28.HighwayStart(m.p.word(i)) }, // of a highway's name
		"designation": func(m *match, i int) bool { return m.p.highwayNumber(m.from, i) },    // of a highway
		"numbered":    func(m *match, i int) bool { return m.p.is(i, hasDigit) && m.p.highwayNumber(m.from, i) },
		"route": func(m *match, i int) bool { // letters of a state, ROUTE or HIGHWAY with a letter wrong
			w := m.p.word(i)
			return len(w) == 2 && pub28.State(w) != "" || edit.Distance(w, "ROUTE", 1) <= 1 || edit.Distance(w, "HIGHWAY", 1) <= 1
		},
		"lettered": func(m *match, i int) bool { return m.p.is(i, isBrief) && m.p.countyLetters(m.from, i) },
	}
}

// predicates take no word.
func predicates() map[string]predicate {
	return map[string]predicate{
		"highway": func(m *match, _ int) bool { return m.p.isHighway(m.from, m.end) },
		"listed": func(m *match, _ int) bool {
			return m.p.cities.knowsCity(m.p.phrase(m.span), m.p.last.state, m.p.last.zip)
		},
		"large": func(m *match, _ int) bool {
			if m.p.last.country == canada {
				return canadaTowns[m.p.phrase(m.span)]
			}
			return knownCities[m.p.phrase(m.span)]
		},
		"quebec":    func(m *match, _ int) bool { return m.p.last.inQuebec() },
		"canada":    func(m *match, _ int) bool { return m.p.last.country == canada },
		"directed":  func(m *match, _ int) bool { return directionCities[m.p.phrase(span{m.span.from + 1, m.span.to})] },
		"state":     func(m *match, _ int) bool { return m.p.last.state != "" },
		"nostate":   func(m *match, _ int) bool { return m.p.last.state == "" },
		"zip":       func(m *match, _ int) bool { return m.p.last.zip != "" },
		"nozip":     func(m *match, _ int) bool { return m.p.last.zip == "" },
		"capital":   func(m *match, _ int) bool { return m.p.last.zip != "" && pub28.ZIPInState(m.p.last.zip, "DC") },
		"agrees":    func(m *match, _ int) bool { return m.zipInState() },
		"disagrees": func(m *match, _ int) bool { return !m.zipInState() },
		"town":      (*match).afterTown,
		"overseas": func(m *match, i int) bool {
			switch m.p.last.state {
			case "AA", "AE", "AP":
				return true
			}
			for k := i; k < m.end; k++ {
				switch m.p.word(k) {
				case "APO", "FPO", "DPO":
					return true
				}
			}
			return false
		},
	}
}

// zipInState reports whether the ZIP Code lies in the state that the span names.
func (m *match) zipInState() bool {
	return m.p.last.zip != "" && pub28.ZIPInState(m.p.last.zip, pub28.State(m.p.phrase(m.span)))
}

// afterTown reports whether a listed city of the state or province that the span names
// comes before it: behind a street, or alone in its part.
func (m *match) afterTown(int) bool {
	p, end := m.p, int(m.span.from)
	if p.cities == nil {
		return false
	}
	state := cmp.Or(pub28.State(p.phrase(m.span)), pub28.Province(p.phrase(m.span)))
	for i := end - 1; i >= m.from && i >= end-maxTownWords; i-- {
		begins := i == m.from || p.is(i, breakBefore)
		if (begins || p.is(i-1, isSure|isDir)) && p.cities.knowsCity(p.phrase(span{uint16(i), m.span.from}), state, "") {
			return true
		}
		if begins {
			break
		}
	}
	return false
}

// maxTownWords is the most words of a city's name that is looked up. It bounds the look-ups
// of a long text without commas.
const maxTownWords = 8
