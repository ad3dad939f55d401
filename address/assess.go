package address

import (
	"cmp"
	"errors"
	"slices"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/store"
)

// The numbers of candidates.
const (
	maxAmbiguous  = 10 // of a NoMatchError
	maxConsidered = 64 // that are compared in full
)

// A keptCandidate is a candidate of one of the searches with its records.
type keptCandidate struct {
	candidate
	recs []store.StreetRecord
}

// keep adds the candidates of the last search to those of the verdict.
func (s *search) keep() {
	recs := slices.Clone(s.recs)
	for _, c := range s.cands[:min(len(s.cands), maxConsidered-len(s.kept))] {
		s.kept = append(s.kept, keptCandidate{c, recs})
	}
}

// alternatives takes the steps behind the one that found the record, for more
// candidates of the verdict.
func (s *search) alternatives(steps []step) error {
	recs, cands, towns, known := s.recs, s.cands, s.towns, s.knownStreet
	s.recs, s.cands = nil, nil
	for _, step := range steps {
		if _, _, err := step.take(s); err != nil {
			return err
		}
		s.keep()
	}
	s.recs, s.cands, s.towns, s.knownStreet = recs, cands, towns, known
	return nil
}

// candidates compares candidates in full. It returns at most limit different
// addresses, ordered by cost. Those of fixed come first.
func (s *search) candidates(list []keptCandidate, fixed, limit int) ([]Candidate, error) {
	recs := s.recs
	defer func() { s.recs = recs }()
	var found []Candidate
	for i := range list {
		s.recs = list[i].recs
		r, err := s.resolve(&list[i].candidate)
		if errors.Is(err, fault.ErrAmbiguous) {
			continue // a building without a default
		}
		if err != nil {
			return nil, err
		}
		line := r.components()
		x := Candidate{Address: r.formatted(&line), Differences: differences(s.components(&r, &list[i].candidate))}
		for _, d := range x.Differences {
			x.Cost += d.Cost
		}
		if !slices.ContainsFunc(found, func(other Candidate) bool { return other.Address == x.Address }) {
			found = append(found, x)
		}
	}
	slices.SortStableFunc(found[min(fixed, len(found)):], func(a, b Candidate) int { return cmp.Compare(a.Cost, b.Cost) })
	return found[:min(limit, len(found))], nil
}

// ambiguous returns the error of an address whose best candidates are different
// streets, with these candidates.
func (s *search) ambiguous() error {
	price := func(c *candidate) int { // another ZIP Code is one correction (decision D22)
		return c.cost + costIf(s.hasZIP && s.recs[c.rec].ZIP != s.zip, costPart)
	}
	least := costNever
	for i := range s.cands {
		least = min(least, price(&s.cands[i]))
	}
	var best []keptCandidate
	for i := range s.cands {
		if c := &s.cands[i]; price(c) == least && len(best) < maxConsidered {
			best = append(best, keptCandidate{*c, s.recs})
		}
	}
	list, err := s.candidates(best, 0, maxAmbiguous)
	if err != nil {
		return err
	}
	cause := &noMatchError{list}
	return &fault.Error{Op: op, Kind: fault.Ambiguous, Thing: fault.Address, Input: s.input, Err: cause}
}

// assess fills the verdict of a match.
func (s *search) assess(r *resolution, c *candidate) error {
	v := s.verdict
	v.Success, v.Action, v.Confidence, v.Components = true, r.action(), r.confidence(), s.components(r, c)
	var err error
	v.Candidates, err = s.candidates(append([]keptCandidate{{*c, s.recs}}, s.kept...), 1, s.limit)
	return err
}

// assessFailure fills the verdict of an address without a match.
func (s *search) assessFailure(failure error) error {
	if !Unmatched(failure) {
		return nil
	}
	v := s.verdict
	v.Success, v.Action, v.Components = true, Fix, s.failedComponents(failure)
	if code := envelope.Failure(nil); envelope.AsFailure(failure, &code) {
		v.Reason = code.ContractCode()
	}
	if none := (*noMatchError)(nil); errors.As(failure, &none) {
		v.Action, v.Candidates = Confirm, none.Candidates[:min(s.limit, len(none.Candidates))]
		return nil
	}
	var err error
	v.Candidates, err = s.candidates(s.kept, 0, s.limit)
	return err
}

// failedComponents returns the parts of the likeliest reading of an address
// without a match.
func (s *search) failedComponents(failure error) []Component {
	a := &s.reads[0]
	several := errors.Is(failure, fault.ErrAmbiguous)
	noPlace := a.ZIP == "" && (a.City == "" || a.State == "")
	var list []Component
	for _, x := range [...]struct {
		part, given   string
		known, needed bool
	}{
		{"number", a.Number, several, a.Kind == Street || a.Kind == POBox},
		{"street", a.Line(), several || s.knownStreet, true},
		{"unit", joinWords(a.Building.String(), a.Secondary.String()), false, false},
		{"city", a.City, len(s.towns) > 0 && s.townEdit == 0 || s.hasZIP && s.cityOf(a.City) != nil, noPlace},
		{"state", a.State, len(s.towns) > 0 || s.hasZIP, noPlace},
		{"zip", a.ZIP, s.hasZIP, noPlace},
		{"plus4", a.Plus4, false, false},
	} {
		switch {
		case x.given == "" && x.needed:
			list = append(list, Component{Part: x.part, Status: Missing})
		case x.given == "":
		case x.known:
			list = append(list, Component{Part: x.part, Status: Confirmed, Given: x.given})
		default:
			list = append(list, Component{Part: x.part, Status: Unused, Given: x.given})
		}
	}
	for _, text := range a.Unused {
		list = append(list, Component{Part: "other", Status: Unused, Given: text})
	}
	return list
}
