package address

import (
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/pub28"
)

// A Verdict assesses an address; see [Options].
type Verdict struct {
	envelope.Item
	Action     Action        `json:"action,omitzero"`     // "" if the dataset lacks the records
	Confidence Confidence    `json:"confidence,omitzero"` // of the match
	Reason     envelope.Code `json:"reason,omitzero"`     // NOT_FOUND, AMBIGUOUS or INSUFFICIENT_INPUT, without a match
	Components []Component   `json:"components,omitempty"`
	Candidates []Candidate   `json:"candidates,omitempty"` // the match, then others by cost
}

// An Action is the next step for an address.
type Action string

// The actions.
const (
	Accept  Action = "accept"  // use the match
	Confirm Action = "confirm" // let a person confirm the corrections, or choose a candidate
	Fix     Action = "fix"     // let a person correct or complete the address
)

// A Status compares a part of an address with the record.
type Status string

// The statuses.
const (
	Confirmed Status = "confirmed" // as given; standard abbreviations are equal
	Corrected Status = "corrected" // differs from the record, or is not in it
	Inferred  Status = "inferred"  // not given; from the record
	Missing   Status = "missing"   // not given and needed
	Unused    Status = "unused"    // given and not found in a record
)

// A Component is a part of an address with the value of the record.
type Component struct {
	// Part is number, direction, class, name, suffix, unit, city, state, zip, plus4
	// or other. A box, a route and an alias have one part, street.
	Part   string `json:"part"`
	Status Status `json:"status"`
	Given  string `json:"given,omitzero"`
	Record string `json:"record,omitzero"`
	Cost   int    `json:"cost,omitzero"`
}

// A Candidate is an address that may be meant.
type Candidate struct {
	Address     string      `json:"address"`               // on one line
	Cost        int         `json:"cost"`                  // sum of the costs of the differences
	Differences []Component `json:"differences,omitempty"` // components that are not confirmed
}

// A noMatchError is the cause of an ambiguous address's error.
type noMatchError struct {
	Candidates []Candidate // equally good ones
}

// Error returns the addresses of the candidates.
func (e *noMatchError) Error() string {
	list := make([]string, len(e.Candidates))
	for i := range e.Candidates {
		list[i] = e.Candidates[i].Address
	}
	return "candidates: " + strings.Join(list, "; ")
}

// compare returns a component. If equal is set, both texts name the same
// thing.
func compare(part, given, record string, equal bool, cost int) Component {
	c := Component{part, Confirmed, given, record, 0}
	switch {
	case equal || given == record:
		return c
	case given == "":
		c.Status = Inferred
	default:
		c.Status = Corrected
	}
	c.Cost = cost
	return c
}

// appendGiven appends a component unless it is empty on both sides.
func appendGiven(list []Component, c Component) []Component {
	if c.Given == "" && c.Record == "" {
		return list
	}
	return append(list, c)
}

// components returns the parts of the reading with their status.
func (s *search) components(r *resolution, c *candidate) []Component {
	a := r.reading
	list := appendGiven(nil, compare("number", a.Number, r.number, true, 0))
	list = append(list, s.streetComponents(r, c)...)
	unit := joinWords(a.Building.String(), a.Secondary.String())
	switch {
	case r.needed:
		list = append(list, Component{"unit", Missing, "", "", costUnit})
	case r.unverified:
		list = append(list, Component{"unit", Unused, unit, "", costUnit})
	case a.Kind == Street:
		list = appendGiven(list, compare("unit", unit, joinWords(a.Building.String(), r.unit.String()), unit != "", 0))
	}
	line := r.components()
	list = append(list,
		compare("city", a.City, line.City, a.City != "" && !r.city, costIf(r.city, costCity)),
		compare("state", a.State, line.State, false, costIf(r.state, costPart)),
		compare("zip", a.ZIP, line.ZIP, false, costIf(r.zip, costPart)))
	list = appendGiven(list, compare("plus4", a.Plus4, line.Plus4, false, 0))
	for _, text := range a.Unused {
		list = append(list, Component{"other", Unused, text, "", 0})
	}
	return list
}

// streetComponents returns the parts of the street. Their costs sum up to that of
// the candidate.
func (s *search) streetComponents(r *resolution, c *candidate) []Component {
	in, found, ref := readingStreet(r.reading), recordStreet(&s.recs[c.rec]), recordStreet(&r.record)
	switch {
	case r.reading.Kind != Street || !isStreetRecord(&r.record):
		return []Component{compare("street", in.line(), ref.line(), c.cost == 0, c.cost)}
	case c.alias != nil || found != ref: // of an alias or an alternate record
		return []Component{compare("street", in.line(), ref.line(), false, c.cost)}
	}
	direction := differ(street{pre: in.pre, post: in.post}, street{pre: ref.pre, post: ref.post})
	suffix := differ(street{suffix: in.suffix}, street{suffix: ref.suffix})
	list := appendGiven(nil, compare("direction", in.sides(), ref.sides(), false, direction))
	list = appendGiven(list, compare("suffix", in.suffix, ref.suffix, false, suffix))
	if class, number := pub28.Highway(in.name); class != "" {
		if recorded, same := pub28.Highway(ref.name); recorded != "" && same == number {
			list = append(list, compare("class", class, recorded, false, c.class))
			in.name, ref.name = number, number
		}
	}
	return append(list, compare("name", in.name, ref.name, pub28.Spelling(in.name) == pub28.Spelling(ref.name), c.cost-direction-suffix-c.class))
}

func costIf(on bool, cost int) int {
	if on {
		return cost
	}
	return 0
}

func differences(list []Component) (differing []Component) {
	for i := range list {
		if list[i].Status != Confirmed {
			differing = append(differing, list[i])
		}
	}
	return differing
}

// action returns the next step after a match.
func (r *resolution) action() Action {
	switch {
	case r.needed:
		return Fix
	case r.confidence() == High:
		return Accept
	default:
		return Confirm
	}
}
