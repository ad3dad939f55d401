package suggest

import (
	"cmp"
	"math"
	"slices"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// A manner describes how a name or code matches a query.
type manner struct {
	bucket Bucket
	gain   int32 // added to the prominence of the match
}

// The manners. The score of a match is its prominence plus the gain of its manner
// and of its proximity. All are doublings of residents. The gains of names were
// fitted to one half of testdata/relevance.tsv.
//
// One sum replaced strict buckets, in which every exact name preceded every prefix: tiny
// places stood before cities, such as Rivers, NM with 35 residents before Riverside. The
// gains of codes are beyond those of names on purpose: digits mean a code. exactInState is
// as good as a wall, since a typed state leaves no doubt. exactAlias exceeds exactName by
// less than aliasLoss, which the rank of another name has lost already.
var (
	wholeCode    = manner{ExactName, 128 * rankUnit}
	parentFSA    = manner{ExactAlias, 127 * rankUnit}
	zipPrefix    = manner{Prefix, 64 * rankUnit}
	codePrefix   = manner{Prefix, 0}
	codeOfCity   = manner{AllWords, -2 * rankUnit}
	exactName    = manner{ExactName, 9 * rankUnit / 2}
	exactInState = manner{ExactName, 32 * rankUnit}
	exactAlias   = manner{ExactAlias, 11 * rankUnit / 2}
	exactJoined  = manner{ExactAlias, 4 * rankUnit}
	allWords     = manner{AllWords, 0}
	prefix       = manner{Prefix, 0}
	joinPrefix   = manner{Prefix, 1 * rankUnit}
	stateGuess   = manner{Prefix, 3 * rankUnit}
	innerWhole   = manner{InnerWord, -1 * rankUnit}
	innerPrefix  = manner{InnerWord, -4 * rankUnit}
	typoName     = manner{OneTypo, -2 * rankUnit}
	typoPrefix   = manner{OneTypo, -6 * rankUnit}
	twoTypos     = manner{TwoTypos, -9 * rankUnit}
)

// countryLoss is the loss of names that continue a text before the name of a
// country. "La Canada" is a name.
const countryLoss = 5 * rankUnit

type hit struct {
	entity int // number of an entity; negative for codes
	code   uint32
	typ    kind // of codes
	score  int32
	_      int32 // 32 bytes are faster to index and move than 24, by 12 % for 500 matches
	bucket Bucket
}

// compare returns a negative number if a precedes b. It compares score, type,
// residents, name and position in the dataset. The order is total, so that the
// limit does not affect it.
func (s *search) compare(a, b *hit) int {
	if a.score != b.score {
		return int(b.score) - int(a.score)
	}
	if c := cmp.Compare(s.typeOf(a), s.typeOf(b)); c != 0 {
		return c
	}
	if c := cmp.Compare(s.population(b), s.population(a)); c != 0 {
		return c
	}
	if a.entity < 0 {
		return cmp.Compare(a.code, b.code)
	}
	return cmp.Or(cmp.Compare(s.e.t.At(a.entity).Name, s.e.t.At(b.entity).Name), cmp.Compare(a.entity, b.entity))
}

func (s *search) typeOf(h *hit) kind {
	if h.entity < 0 {
		return h.typ
	}
	return typeOf[s.e.t.At(h.entity).Kind]
}

// population returns the residents of a hit, or [store.NoPopulation].
func (s *search) population(h *hit) int32 {
	n, ok := int32(0), false
	switch {
	case h.entity >= 0:
		return s.e.t.At(h.entity).Population
	case h.typ == kindZIP:
		n, ok = s.e.d.Population(store.CodeOfZIP(postcode.ZIP(h.code)))
	case h.typ == kindFSA:
		n, ok = s.e.d.Population(store.CodeOfFSA(postcode.FSA(h.code)))
	}
	if !ok {
		return store.NoPopulation
	}
	return n
}

// least returns the minimum score of a further hit.
func (s *search) least() int32 {
	if len(s.hits) < s.limit {
		return math.MinInt32
	}
	return s.hits[s.limit-1].score
}

func (s *search) most() int32 {
	most := int32(math.MinInt32)
	for i := range s.hits {
		most = max(most, s.hits[i].score)
	}
	return most
}

func (s *search) sort() {
	slices.SortFunc(s.hits, func(a, b hit) int { return s.compare(&a, &b) })
}

// offer adds a hit if it is among the best ones. An entity is added once, with its
// best score. Below the limit, hits are appended. At the limit they are a sorted list, whose
// last element is what further hits have to exceed. The result has to be sorted in the end
// anyway.
func (s *search) offer(h hit) {
	full := len(s.hits) == s.limit
	if e := h.entity; e >= 0 {
		switch {
		case s.seen[e] != s.stamp:
			s.seen[e] = s.stamp
		case h.score <= s.best[e]:
			return
		default:
			s.hits = slices.DeleteFunc(s.hits, func(o hit) bool { return o.entity == e })
		}
		s.best[e] = h.score
	}
	switch last := len(s.hits) - 1; {
	case !full:
		if s.hits = append(s.hits, h); len(s.hits) == s.limit {
			s.sort()
		}
	case len(s.hits) < s.limit || s.compare(&h, &s.hits[last]) < 0:
		s.hits = s.hits[:min(len(s.hits), s.limit-1)]
		lo, hi := 0, len(s.hits)
		for lo < hi { // a function for slices.BinarySearchFunc would copy the hits
			if mid := (lo + hi) / 2; s.compare(&s.hits[mid], &h) < 0 {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		s.hits = slices.Insert(s.hits, lo, h)
	}
}

func (s *search) offerCode(t kind, code uint32, rank int32, m manner) {
	s.offer(hit{entity: -1, typ: t, code: code, score: rank + m.gain, bucket: m.bucket})
}

// represented returns the entity that represents another in the result: the place
// for the same postal city, if places are included.
func (s *search) represented(entity int) int {
	if s.include.has(kindPlace) {
		return int(s.e.merged[entity])
	}
	return entity
}
