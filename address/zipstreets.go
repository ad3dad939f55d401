package address

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// zipStreets holds the streets of a ZIP Code.
type zipStreets struct {
	zip         postcode.ZIP
	city, state string
	last        []part // city, state and ZIP Code
	streets     []indexedStreet
}

type indexedStreet struct {
	of     street
	pre    typedWord // nil for none
	line   []part    // name, suffix and direction
	ranges []indexedRange
}

// A part is a part of an address line that words may name.
type part struct {
	forms    [][]typedWord // the words of each form
	optional bool
}

// A typedWord lists the spellings of one word.
type typedWord []string

func newZIPStreets(ctx context.Context, r *reference, z postcode.ZIP) (*zipStreets, error) {
	place, err := r.placeOf(ctx, z)
	if err != nil {
		return nil, err
	}
	at := &zipStreets{zip: z, last: []part{{optional: true}, {optional: true}, {[][]typedWord{{{z.String()}}}, true}}}
	add := func(i int, text string) {
		var words []typedWord
		for w := range strings.FieldsSeq(text) {
			words = append(words, typedWord{w})
		}
		at.last[i].forms = append(at.last[i].forms, words)
	}
	for i := range place.cities {
		add(0, place.cities[i].Name)
	}
	if len(place.cities) > 0 {
		at.city, at.state = place.cities[0].Name, place.cities[0].State
	}
	if id, ok := r.StateByAbbr(store.US, at.state); ok {
		add(1, at.state)
		add(1, Clean(r.State(id).Name))
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

func newIndexedStreet(s street) indexedStreet {
	x := indexedStreet{of: s, pre: spellings(s.pre)}
	var name []typedWord
	for _, w := range strings.Fields(s.name) {
		name = append(name, spellings(w))
	}
	if name == nil {
		name = []typedWord{nil}
	}
	x.line = []part{{forms: [][]typedWord{name}}}
	if s.suffix != "" {
		x.line = append(x.line, part{[][]typedWord{{{s.suffix, pub28.SuffixName(s.suffix)}}}, true})
	}
	if s.post != "" {
		x.line = append(x.line, part{[][]typedWord{{spellings(s.post)}}, true})
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

// An indexedRange is a range of house numbers with its point.
type indexedRange struct {
	store.NumberRange
	point geo.LatLng
}

// add adds the range of a record unless the street has it.
func (s *indexedStreet) add(r *store.StreetRecord) {
	low, _ := store.ParseHouseNumber(pub28.Trim(r.AddrLow))
	high, ok := store.ParseHouseNumber(pub28.Trim(r.AddrHigh))
	x := store.NumberRange{Prefix: low.Prefix, From: low.Value, To: high.Value, Parity: 'B'}
	if r.OddEven == 'O' || r.OddEven == 'E' {
		x.Parity = r.OddEven
	}
	if ok && low.Prefix == high.Prefix && !slices.ContainsFunc(s.ranges, func(o indexedRange) bool { return o.NumberRange == x }) || len(s.ranges) == 0 {
		s.ranges = append(s.ranges, indexedRange{x, r.Location})
	}
}

// first returns the lowest number of a range that begins with the digits of a number, or 0.
func (x *indexedRange) first(n store.HouseNumber) uint32 {
	for size := uint32(1); size <= 10_000 && n.Value <= x.To/size; size *= 10 {
		least := store.HouseNumber{Value: max(n.Value*size, x.From)}
		if !x.Fits(least) {
			least.Value++
		}
		if x.Has(least) && least.Value < (n.Value+1)*size {
			return least.Value
		}
	}
	return 0
}
