package suggest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// inventedNames is about how many names the national dataset has.
const inventedNames = 94_000

// newInvented writes and opens an invented dataset of national size. A third
// of its things are as well known as many others, as hamlets and districts are,
// and many bear a name that others bear in other states.
func newInvented(tb testing.TB) *suggest.Engine {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "invented.db")
	w, err := storewrite.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	check := lookuptest.Must(tb)
	random := rand.New(rand.NewPCG(8, 9))
	var states []store.State
	for i := range 60 {
		states = append(states, store.State{Country: store.US, Abbr: fmt.Sprintf("%c%c", 'A'+i/26, 'A'+i%26), Name: word(random, 3), FIPS: fmt.Sprintf("%02d", i+1)})
	}
	check(w.SetStates(states))
	point := func() geo.LatLng { return geo.MustLatLng(25+24*random.Float64(), -124+57*random.Float64()) }
	for i := range 30_000 {
		people := int32(100 * random.IntN(50))
		row := store.ZIPRow{ZIP: postcode.ZIP(3*i + 500), City: word(random, 2), State: store.StateID(1 + i/500), Class: store.General, Location: point()}
		check(w.AddZIP(row, store.ZIPDetail{Population: &people}))
	}
	var names []string
	for range inventedNames / 3 {
		names = append(names, phrase(random))
	}
	for i, e := range entities(random, names, point) {
		if e.Ref = uint32(i + 1); e.Kind == store.EntityState {
			e.Name = states[i].Name
		}
		if e.Kind == store.EntityCity {
			e.Ref = 0
		}
		keys := namekey.Keys(e.Name)
		check(w.AddEntity(e, storewrite.EntityNames{Own: keys[:1], Joined: keys[1:], Other: others(random)}))
	}
	return suggest.NewEngine(finish(tb, w, path))
}

// entities are states, places, cities that are those places, more cities, and
// school districts.
func entities(random *rand.Rand, names []string, point func() geo.LatLng) []store.Entity {
	const states, twins = 60, 20_000
	list := make([]store.Entity, 0, inventedNames)
	for i := range inventedNames {
		e := store.Entity{Kind: store.EntityPlace, Twin: -1, State: store.StateID(1 + random.IntN(states)), Location: point(), Population: store.NoPopulation}
		switch {
		case i < states:
			e.Kind, e.State = store.EntityState, store.StateID(i+1)
		case i < 40*inventedNames/94:
		case i < 80*inventedNames/94:
			e.Kind = store.EntityCity
		default:
			e.Kind = store.EntityDistrict
		}
		e.Name = names[random.IntN(len(names))]
		if e.Kind == store.EntityDistrict {
			e.Name += " School District"
		}
		switch random.IntN(3) {
		case 0: // known to nobody
		case 1:
			e.Population = int32(random.IntN(40))
		default:
			e.Population = int32(math.Exp2(4 + 18*math.Pow(random.Float64(), 3)))
		}
		e.Prominence = uint16(2048 * math.Log2(1+float64(max(e.Population, 0))))
		if first := 40 * inventedNames / 94; i >= first && i < first+twins {
			e.Twin = states + i - first
			list[e.Twin].Twin = i
			e.Name, e.State = list[e.Twin].Name, list[e.Twin].State
		}
		list = append(list, e)
	}
	return list
}

// others are other names that a thing may have.
func others(random *rand.Rand) []string {
	if random.IntN(10) > 0 {
		return nil
	}
	return namekey.Keys(word(random, 2))[:1]
}

// phrase is a name of one to three words.
func phrase(random *rand.Rand) string {
	before, after := []string{"New", "North", "San", "Lake", "Port"}, []string{"City", "Springs", "Heights", "Beach", "Hill"}
	name := word(random, 1+random.IntN(3))
	switch random.IntN(6) {
	case 0:
		return before[random.IntN(len(before))] + " " + name
	case 1:
		return name + " " + after[random.IntN(len(after))]
	case 2:
		return before[random.IntN(len(before))] + " " + name + " " + after[random.IntN(len(after))]
	default:
		return name
	}
}

// word is a word of some syllables.
func word(random *rand.Rand, syllables int) string {
	consonants, vowels := "bcdlmnprst", "aeio"
	var b strings.Builder
	for range syllables {
		b.WriteByte(consonants[random.IntN(len(consonants))])
		b.WriteByte(vowels[random.IntN(len(vowels))])
	}
	if random.IntN(2) == 0 {
		b.WriteByte("nrst"[random.IntN(4)])
	}
	s := b.String()
	return strings.ToUpper(s[:1]) + s[1:]
}

// inventedQueries are queries of every kind for the invented dataset: beginnings, words,
// names with states, typos, codes, and queries without a match.
func inventedQueries(n int) []string {
	random := rand.New(rand.NewPCG(17, 4))
	queries := []string{"s", "l", "new", "school", "school d", "lake", "9", "90", "0", "12", "12345", "zip 1", "san", "port s", "district", "city of s", "n", "c a"}
	for range n {
		q := strings.ToLower(phrase(random))
		switch random.IntN(6) {
		case 0:
			q = q[:1+random.IntN(len(q))]
		case 1:
			q += " " + string(rune('a'+random.IntN(2))) + string(rune('a'+random.IntN(26)))
		case 2: // a typo
			b := []byte(q)
			b[random.IntN(len(b))] = "aeiou"[random.IntN(5)]
			q = string(b)
		case 3:
			q = strings.ReplaceAll(q, " ", "")
		case 4:
			q = q[:min(2, len(q))]
		}
		queries = append(queries, q)
	}
	slices.Sort(queries)
	return slices.Compact(queries)
}
