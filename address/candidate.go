package address

import (
	"cmp"
	"slices"

	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// A candidate is a record that a reading may mean.
type candidate struct {
	rec     int // in search.recs
	reading int
	cost    int // of what differs
	edit    int // letters of the name
	fit     pub28.Fit
	alias   *store.StreetAlias
	partial bool   // a default record
	plus4   string // of a box within a range, else ""
}

// Costs of the differences between a reading and a record. A limit of costPart admits one
// changed component, as decision D22 grades them: a part and a letter weigh the same, and
// two of them exceed it. A direction on the other side (N MAIN ST, MAIN ST N) costs less
// than a missing one, since all that was given is there. It is not free, because both streets
// may exist.
const (
	costMoved = 6  // a direction is on the other side
	costPart  = 10 // a direction or suffix more, less or other
	costEdit  = 10 // a letter of the name
	costNever = 1000
)

// A street is the name of a street in its parts, which compare by ==.
type street struct{ pre, name, suffix, post string }

func (s street) line() string { return joinWords(s.pre, s.name, s.suffix, s.post) }

func recordStreet(r *store.StreetRecord) street {
	return street{r.PreDir, r.Street, r.Suffix, r.PostDir}
}

func readingStreet(a *Address) street {
	return street{a.PreDirectional, a.Name(), a.Suffix, a.PostDirectional}
}

// differ returns the cost of the directions and suffixes of two streets of the
// same name.
func differ(in, ref street) int {
	cost := 0
	switch {
	case in.pre == ref.pre && in.post == ref.post:
	case conflict(in, ref):
		return costNever
	case in.pre == ref.post && in.post == ref.pre:
		cost += costMoved
	default:
		if in.pre != ref.pre {
			cost += costPart
		}
		if in.post != ref.post {
			cost += costPart
		}
	}
	if in.suffix != ref.suffix {
		cost += costPart
	}
	return cost
}

// Package geocode compares roads by the same costs. The function goes through the door,
// because its signature has no use to others.
var _ = door.Offer(nameCost)

// nameCost returns the cost of the directions and the suffix of a street that has
// the name of a reading. It is up to 10 for each of them. ok is false if the
// directions contradict each other.
func nameCost(a *Address, pre, suffix, post string) (cost int, ok bool) {
	cost = differ(street{pre: a.PreDirectional, suffix: a.Suffix, post: a.PostDirectional}, street{pre: pre, suffix: suffix, post: post})
	return cost, cost < costNever
}

// conflict reports whether a given direction contradicts the record, which has
// a different one. N against S is another street and never a correction; N against NE is
// the same, less exactly; N against none may be an omission. The sides are compared
// together, because people put directions on either.
func conflict(in, ref street) bool {
	agreed := func(d string, list [2]string) bool {
		return d == "" || pub28.Agree(d, list[0]) || pub28.Agree(d, list[1])
	}
	given, has := [2]string{in.pre, in.post}, [2]string{ref.pre, ref.post}
	return !(agreed(given[0], has) && agreed(given[1], has)) && !(agreed(has[0], given) && agreed(has[1], given))
}

// isStreetRecord reports whether a record has a street's numbers. A record of
// type P that has a street's name is a box of a post office (decision D38).
func isStreetRecord(r *store.StreetRecord) bool {
	switch r.RecordType {
	case 'S', 'H', 'F':
		return true
	case 'P':
		return r.Street != "PO BOX"
	default:
		return false
	}
}

// consider makes candidates of the records from position from on for the
// readings with the key own. The keys differ by edit letters; class is the cost of
// another class of the highway.
func (s *search) consider(from int, own string, edit, class int, alias *store.StreetAlias) {
	for i := from; i < len(s.recs); i++ {
		r := &s.recs[i]
		if !isStreetRecord(r) {
			continue
		}
		best := candidate{rec: i, cost: costNever}
		for k := range s.reads {
			a := &s.reads[k]
			if a.Kind != Street || a.Number == "" || s.keys[k] != own {
				continue
			}
			in := readingStreet(a)
			if alias != nil {
				in = aliasBase(alias)
			}
			cost := differ(in, recordStreet(r)) + edit*costEdit + class
			if cost >= best.cost {
				continue
			}
			fit := pub28.InRange(a.Number, r.AddrLow, r.AddrHigh, r.OddEven)
			if fit == pub28.Outside { // the number is never changed (decision D22)
				if cost == 0 && alias == nil && (!s.hasZIP || r.ZIP == s.zip) {
					s.knownStreet = true
				}
				continue
			}
			best.reading, best.cost, best.fit, best.edit, best.alias = k, cost, fit, edit, alias
		}
		if best.cost < costNever {
			s.cands = append(s.cands, best)
		}
	}
}

func aliasBase(a *store.StreetAlias) street {
	return street{a.BasePreDir, a.BaseStreet, a.BaseSuffix, a.BasePostDir}
}

// decide chooses among the candidates that cost at most limit. ambiguous means
// that the best ones are different streets. One pass suffices, because only candidates of
// the least cost are compared, and a better one clears the doubt about those before it.
func (s *search) decide(limit int) (found *candidate, ambiguous bool) {
	least := limit + 1
	for i := range s.cands {
		least = min(least, s.cands[i].cost)
	}
	if least > limit {
		return nil, false
	}
	for i := range s.cands {
		c := &s.cands[i]
		if c.cost != least {
			continue
		}
		if found == nil {
			found = c
			continue
		}
		switch order := s.prefer(c, found, least); {
		case order > 0:
			found, ambiguous = c, false
		case order == 0:
			ambiguous = true
		}
	}
	return found, ambiguous
}

// prefer compares two candidates of the same cost. The result is positive if a is
// better, negative if it is not, and 0 if they are different streets. It is never 0 for two
// records of one street or one add-on in a ZIP Code: either delivers to the same place, and
// the one that holds the number exactly, a base record, or the first one is taken. The reading
// decides only between exact matches: if each needs a correction, the order of the readings
// is no evidence.
func (s *search) prefer(a, b *candidate, cost int) int {
	ra, rb := &s.recs[a.rec], &s.recs[b.rec]
	sameZIP, plus4 := ra.ZIP == rb.ZIP, s.reads[0].Plus4
	first := cmp.Compare(b.reading, a.reading)
	switch {
	case sameZIP && (recordStreet(ra) == recordStreet(rb) || !ra.NoPlus4 && !rb.NoPlus4 && ra.Low == rb.Low):
		return cmp.Or(cmp.Compare(a.fit, b.fit), choose(rb.Alternate, ra.Alternate), -1)
	case sameZIP && s.sameName(ra, rb):
		return cmp.Or(cmp.Compare(s.spelledAs(a), s.spelledAs(b)), -1)
	case cost > 0:
		first = 0
	case sameZIP && s.hasUnit(a) != s.hasUnit(b):
		return choose(s.hasUnit(b), s.hasUnit(a)) // the name that holds the unit: HIGH UNIT B ST
	}
	// A given ZIP, add-on, then city distinguish streets.
	return cmp.Or(
		choose(s.hasZIP && ra.ZIP == s.zip, s.hasZIP && rb.ZIP == s.zip),
		choose(holds(ra, plus4), holds(rb, plus4)),
		choose(slices.Contains(s.towns, ra.ZIP), slices.Contains(s.towns, rb.ZIP)),
		cmp.Compare(a.fit, b.fit), first)
}

// choose returns 1 if only a is true, -1 if only b is, else 0.
func choose(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// sameName reports whether two streets differ only in the spelling of the name:
// STUD HORSE and STUDHORSE.
func (s *search) sameName(a, b *store.StreetRecord) bool {
	return a.PreDir == b.PreDir && a.Suffix == b.Suffix && a.PostDir == b.PostDir && a.Street != b.Street && pub28.Key(a.Street) == pub28.Key(b.Street)
}

// spelledAs returns 2 if the names of a candidate and its reading are equal, 1
// if they differ in abbreviations only, else 0.
func (s *search) spelledAs(c *candidate) int {
	name, given := s.recs[c.rec].Street, s.reads[c.reading].Name()
	switch {
	case name == given:
		return 2
	case pub28.Spelling(name) == pub28.Spelling(given):
		return 1
	default:
		return 0
	}
}

func (s *search) hasUnit(c *candidate) bool { return s.reads[c.reading].Secondary != (Unit{}) }

func holds(r *store.StreetRecord, plus4 string) bool {
	p, ok := postcode.ParsePlus4(plus4)
	return ok && !r.NoPlus4 && r.Low <= p && p <= r.High
}
