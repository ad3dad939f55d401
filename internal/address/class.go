package address

import (
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// highwayClasses are the classes of highways that people mix up.
var highwayClasses = [...]string{"STATE ROUTE", "HIGHWAY", "ROUTE", "US HIGHWAY", "COUNTY ROAD", "INTERSTATE", "FM", "RANCH ROAD", "TOWNSHIP ROAD"}

// classed looks for the highway of a reading under other classes. The class is a
// weak component: within the ZIP Code or city the number decides, unless the given
// class exists. If nothing is found, it keeps the candidates of the step before.
func (s *search) classed(where scope) (*candidate, bool, error) {
	if s.knownStreet {
		return nil, false, nil
	}
	recs, cands := s.recs, s.cands
	s.recs, s.cands = nil, nil
	for i := range s.reads {
		a := &s.reads[i]
		if a.Kind != Street || a.Number == "" {
			continue
		}
		kind, number := pub28.Highway(a.Name())
		if kind == "" || !isHighwayClass(kind) {
			continue
		}
		for _, class := range s.classesOf(kind, a.State) {
			key := pub28.Key(class + " " + number)
			if key == s.keys[i] {
				continue
			}
			if err := s.read(where, key, s.keys[i], 0, classCost(kind, class)); err != nil {
				return nil, false, err
			}
		}
	}
	if found, ambiguous := s.decide(costPart); found != nil {
		return found, ambiguous, nil
	}
	s.recs, s.cands = recs, cands
	return nil, false, nil
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
	if _, ok := pub28.State(abbr); !ok || class == "" || abbr == "ST" {
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
