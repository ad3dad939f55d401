package address

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// maxIndexed is the number of ZIP Codes whose streets stay in memory.
const maxIndexed = 256

// zipStreets holds the streets of a ZIP Code.
type zipStreets struct {
	zip     dataset.ZIP
	code    string
	city    string
	state   string
	last    []part // city, state and ZIP Code
	streets []indexedStreet
}

type indexedStreet struct {
	of                street
	pre, suffix, post typedWord
	name              []typedWord
	ranges            []indexedRange
}

// A typedWord lists the spellings of one word; nil for none.
type typedWord []string

// An indexedRange is a range of house numbers.
type indexedRange struct {
	low, high uint32 // 0 if the range has more than digits
	oddEven   byte
	record    [2]string // the range as recorded
	point     geo.LatLng
}

// streetsOf returns the streets of a ZIP Code, and keeps those of recent ones.
func (e *Engine) streetsOf(ctx context.Context, z dataset.ZIP) (*zipStreets, error) {
	return e.index.Get(ctx, z, func() (*zipStreets, int64, error) {
		at, err := newZIPStreets(ctx, e.ref, z)
		return at, 1, err
	})
}

func newZIPStreets(ctx context.Context, r *reference, z dataset.ZIP) (*zipStreets, error) {
	place, err := r.placeOf(ctx, z)
	if err != nil {
		return nil, err
	}
	at := &zipStreets{zip: z, code: z.String()}
	if len(place.cities) > 0 {
		at.city, at.state = place.cities[0].Name, place.cities[0].State
	}
	at.last = []part{{optional: true}, {optional: true}, {[][]typedWord{{{at.code}}}, true}}
	for i := range place.cities {
		at.last[0].add(place.cities[i].Name)
	}
	if id, ok := r.StateByAbbr(store.US, at.state); ok {
		at.last[1].add(at.state)
		at.last[1].add(Clean(r.State(id).Name))
	}
	index := map[street]int{}
	for x, err := range r.StreetRecords(ctx, z) {
		if err != nil {
			return nil, err
		}
		if !isStreetRecord(&x) || x.Alternate || x.AddrLow == "" {
			continue
		}
		name := recordStreet(&x)
		k, ok := index[name]
		if !ok {
			k = len(at.streets)
			index[name] = k
			at.streets = append(at.streets, newIndexedStreet(name))
		}
		at.streets[k].add(&x)
	}
	return at, nil
}

func (p *part) add(text string) {
	var words []typedWord
	for w := range strings.FieldsSeq(text) {
		words = append(words, typedWord{w})
	}
	p.forms = append(p.forms, words)
}

func newIndexedStreet(s street) indexedStreet {
	x := indexedStreet{of: s, pre: spellings(s.pre), post: spellings(s.post)}
	if s.suffix != "" {
		x.suffix = typedWord{s.suffix, pub28.SuffixName(s.suffix)}
	}
	for _, w := range strings.Fields(s.name) {
		x.name = append(x.name, spellings(w))
	}
	return x
}

func spellings(w string) typedWord {
	if w == "" {
		return nil
	}
	list := typedWord{w}
	for _, pair := range abbreviations {
		switch w {
		case pair[0]:
			list = append(list, pair[1])
		case pair[1]:
			list = append(list, pair[0])
		}
	}
	if n, words := pub28.Ordinal(w, ""); words == 1 {
		for word, k := range pub28.OrdinalWords() {
			if k == n && word != w {
				list = append(list, word)
			}
		}
		if !isDigit(w[0]) {
			list = append(list, pub28.FormatOrdinal(n))
		}
	}
	return list
}

// add adds the range of a record unless the last one is equal.
func (s *indexedStreet) add(r *store.StreetRecord) {
	x := indexedRange{oddEven: r.OddEven, record: [2]string{pub28.Trim(r.AddrLow), pub28.Trim(r.AddrHigh)}, point: r.Location}
	for _, other := range s.ranges {
		if other.record == x.record && other.oddEven == x.oddEven {
			return
		}
	}
	low, ok := number(x.record[0])
	high, ok2 := number(x.record[1])
	if ok && ok2 {
		x.low, x.high = uint32(low), uint32(high)
	}
	s.ranges = append(s.ranges, x)
}

// holds reports whether a range holds a house number. n is its value, or 0 if it has
// more than digits.
func (x *indexedRange) holds(text string, n uint32) bool {
	if n == 0 || x.high == 0 {
		return pub28.InRange(text, x.record[0], x.record[1], x.oddEven) != pub28.Outside
	}
	return n >= x.low && n <= x.high && x.fits(n)
}

// fits reports whether a number is on the side of the range.
func (x *indexedRange) fits(n uint32) bool {
	return x.oddEven != 'O' && x.oddEven != 'E' || (n%2 == 1) == (x.oddEven == 'O')
}

// first returns the lowest number of a range that begins with the digits of n, or 0.
func (x *indexedRange) first(n uint32) uint32 {
	for size := uint32(1); size <= 10_000 && n*size <= x.high; size *= 10 {
		least := max(n*size, x.low)
		if !x.fits(least) {
			least++
		}
		if least <= min(x.high, n*size+size-1) {
			return least
		}
	}
	return 0
}
