package suggest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// TestShortcuts checks that the shortcuts return the same matches and totals as
// a complete scan.
func TestShortcuts(t *testing.T) {
	d := lookuptest.Sample(t)
	plain, usual, short := suggest.NewEngine(d), suggest.NewEngine(d), suggest.NewEngine(d)
	plain.LookThrough()
	short.Shortcut()
	compare(t, plain, usual, "usual")
	compare(t, plain, short, "short")
}

// TestShortcutsNationally does the same with a national dataset, where far more
// keys begin alike.
func TestShortcutsNationally(t *testing.T) {
	plain, usual := national(t), national(t)
	plain.LookThrough()
	compare(t, plain, usual, "usual")
}

// TestBeginnings compares the table of first letters with a scan of all keys.
func TestBeginnings(t *testing.T) {
	d := lookuptest.Sample(t)
	table := d.Entities()
	e := suggest.NewEngine(d)
	want := map[string][2]int{}
	for i, at := range table.Starts.Offset {
		key := table.Key(at)
		for n := 1; n <= min(5, len(key)); n++ {
			in, ok := want[key[:n]]
			if !ok {
				in[0] = i
			}
			want[key[:n]] = [2]int{in[0], i + 1}
		}
	}
	if len(want) < 1000 {
		t.Fatalf("the sample's names begin in %d ways; want more to look at", len(want))
	}
	for q, in := range want {
		if lo, hi := e.Beginning(q); lo != in[0] || hi != in[1] {
			t.Errorf("%q begins the keys %d to %d; want %d to %d", q, lo, hi, in[0], in[1])
		}
	}
	for _, q := range []string{"qx", "zzz", "0", "a\xff", "\xc3\xa9", "{", "a{b"} {
		if lo, hi := e.Beginning(q); lo < hi && want[q] != [2]int{lo, hi} {
			t.Errorf("%q begins the keys %d to %d; want none", q, lo, hi)
		}
	}
}

func compare(t *testing.T, plain, other *suggest.Engine, name string) {
	t.Helper()
	queries := []string{
		"s", "n", "c", "w", "sa", "st", "ft", "mt", "pt", "new", "san", "port", "spri", "school", "county", "city", "lake", "s ca", "new y", "dover d",
		"saint l", "o fallon", "m", "l", "k1", "k1a", "9", "902", "xq", "north b", "san fr", "pheonix", "springf il", "zip", "co", "la", "ontario ca",
	}
	for letter := 'a'; letter <= 'z'; letter++ {
		queries = append(queries, string(letter), string(letter)+"a", string(letter)+"o")
	}
	for _, o := range []suggest.Options{
		{},
		{Limit: 1},
		{Limit: 500},
		{Proximity: "40.7,-74"},
		{Proximity: "39.8,-89.6", Limit: 3},
		{Proximity: "61.2,-149.9"},
		{Proximity: "-14.3,-170.7"},
		{Proximity: "TX"},
		{State: "NY"},
		{State: "ny", Proximity: "NY", Limit: 2},
		{State: "CA", Proximity: "34,-118", Limit: 4},
		{Country: "CA"},
		{Country: "US", Include: []suggest.Type{suggest.County, suggest.CBSA}},
		{State: "MO", Include: []suggest.Type{suggest.CBSA}},
		{Include: []suggest.Type{suggest.Place}},
		{Include: []suggest.Type{suggest.City}},
		{Include: []suggest.Type{suggest.Place, suggest.City}, Proximity: "40.7,-74"},
		{Include: []suggest.Type{suggest.SchoolDistrict}, Proximity: "40.7,-74"},
	} {
		for _, q := range queries {
			want, got := ask(t, plain, q, o), ask(t, other, q, o)
			if diff := diffStandings(standings(want), standings(got)); diff != "" {
				t.Errorf("%s: %q, %+v (-looked through +got):\n%s", name, q, o, diff)
			}
			if want.TotalMatched != got.TotalMatched {
				t.Errorf("%s: %q, %+v: %d matched in all; want %d", name, q, o, got.TotalMatched, want.TotalMatched)
			}
		}
	}
}

// limits are the limits of the tests; the last is the maximum.
var limits = [...]int{1, 2, 3, 7, 10, 70, suggest.MaxLimit}

// A standing identifies a match.
type standing struct {
	typ               suggest.Type
	name, state, code string
	at                geo.LatLng
	bucket            suggest.Bucket
}

func standings(r *suggest.Result) []standing {
	list := make([]standing, len(r.Matches))
	for i, m := range r.Matches {
		list[i] = standing{m.Type, m.Name, m.State + m.Province, m.GEOID + m.CBSACode, m.Location, m.Bucket}
	}
	return list
}

func diffStandings(want, got []standing) string {
	return cmp.Diff(want, got, cmp.Comparer(func(a, b standing) bool { return a == b }))
}

// cutAlike fails unless a smaller limit shows the beginning of what the
// greatest one shows: the same things in the same order.
func cutAlike(t *testing.T, e *suggest.Engine, query string, o suggest.Options) (ties int) {
	t.Helper()
	o.Limit = suggest.MaxLimit
	most := ask(t, e, query, o)
	want := standings(most)
	for _, o.Limit = range limits {
		got := standings(ask(t, e, query, o))
		if diff := diffStandings(want[:min(o.Limit, len(want))], got); diff != "" {
			t.Errorf("%q, %+v (-beginning of the longest list +got):\n%s", query, o, diff)
		}
		if o.Limit < len(want) && alike(&most.Matches[o.Limit-1], &most.Matches[o.Limit]) {
			ties++
		}
	}
	return ties
}

func alike(a, b *suggest.Match) bool {
	return a.Type == b.Type && a.Bucket == b.Bucket && a.Population != nil && b.Population != nil && *a.Population == *b.Population
}

// TestLimitCutsTheSameList uses the sample.
func TestLimitCutsTheSameList(t *testing.T) {
	d := lookuptest.Sample(t)
	e := suggest.NewEngine(d)
	for _, query := range []string{
		"new", "san", "s", "st", "la", "mont", "port", "n", "c", "school", "1", "k1a", "ofal", "lac", "elp", "pheonix", "springf il", "9", "m5", "h2x 1",
	} {
		for _, o := range []suggest.Options{
			{},
			{Proximity: "40.7,-74"},
			{Proximity: "94103"},
			{State: "NY", Proximity: "NY"},
			{Country: "CA"},
			{Include: []suggest.Type{suggest.Place}},
			{Include: []suggest.Type{suggest.SchoolDistrict}},
			{Include: []suggest.Type{suggest.City, suggest.ZIP}},
		} {
			cutAlike(t, e, query, o)
		}
	}
}

// TestLimitCutsEquals uses an invented dataset with many equal ranks, also with the shortcuts
// of long spans only.
func TestLimitCutsEquals(t *testing.T) {
	d := invented(t)
	usual, short := suggest.NewEngine(d), suggest.NewEngine(d)
	short.Shortcut()
	ties := 0
	options := []suggest.Options{
		{},
		{Proximity: "40.7,-74"},
		{Proximity: "AC"},
		{State: "AB"},
		{State: "BA", Proximity: "33.1,-97"},
		{Include: []suggest.Type{suggest.City}},
		{Include: []suggest.Type{suggest.SchoolDistrict, suggest.ZIP}},
		{Include: []suggest.Type{suggest.Place}, Proximity: "45,-90"},
	}
	for i, query := range inventedQueries(150) {
		for _, e := range []*suggest.Engine{usual, short} {
			ties += cutAlike(t, e, query, suggest.Options{})
			ties += cutAlike(t, e, query, options[i%len(options)])
		}
	}
	if ties < 25 {
		t.Errorf("%d limits fell between equals; want 25 or more, or the test shows little", ties)
	}
}

// TestLimitCutsTheSameListOfTheNation uses the national dataset.
func TestLimitCutsTheSameListOfTheNation(t *testing.T) {
	e := national(t)
	for _, query := range []string{"s", "sa", "san", "new", "spri", "school", "school d", "newp", "lac", "elp", "9", "00", "k1", "pheonix", "st l", "ofal", "mc"} {
		for _, o := range []suggest.Options{{}, {Proximity: "39.8,-89.6"}, {State: "TX"}, {Include: []suggest.Type{suggest.CBSA, suggest.County}}} {
			cutAlike(t, e, query, o)
		}
	}
}

// TestProximityBound checks that the bound of a cell is not below the gain at any
// point in it.
func TestProximityBound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, lat := range []float64{0, 0.01, 38.99, 44.5, 71.2, 84.3, 88.6, -14.3} {
		for _, lng := range []float64{-179.99, -92, -0.4, 179.2} {
			var points []geo.LatLng
			for range 2000 {
				to := lng + (random.Float64()-0.5)*40
				points = append(points, geo.MustLatLng(max(-89.9, min(89.9, lat+(random.Float64()-0.5)*14)), math.Remainder(to, 360)))
			}
			near := geo.MustLatLng(lat, lng)
			for i, bound := range suggest.Bounds(near, points) {
				if bound[0] < bound[1] {
					t.Fatalf("%v to %v: bound %d below the gain %d", near, points[i], bound[0], bound[1])
				}
			}
		}
	}
}

// TestRangeMaximum compares the table of maximums with a scan.
func TestRangeMaximum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{1, 15, 16, 17, 32, 64, 100, 128, 256, 300} {
		values := make([]uint16, n)
		for i := range values {
			values[i] = uint16(random.IntN(1 + n/8))
		}
		find := suggest.Maximum(values)
		for lo := range n {
			for hi := lo + 1; hi <= n; hi++ {
				want := lo + slices.Index(values[lo:hi], slices.Max(values[lo:hi]))
				if got := find(lo, hi); got != want {
					t.Fatalf("%d values: first maximum from %d up to %d at %d; want %d", n, lo, hi, got, want)
				}
			}
		}
	}
}

// invented writes and opens an invented dataset. A third of its things are as well known as
// many others, as hamlets and districts are, and many bear a name that others bear.
func invented(tb testing.TB) *store.Dataset {
	tb.Helper()
	const numStates, each = 60, 5000
	w, check := lookuptest.Create(tb), lookuptest.Must(tb)
	random := rand.New(rand.NewPCG(8, 9))
	point := func() geo.LatLng { return geo.MustLatLng(25+24*random.Float64(), -124+57*random.Float64()) }
	var states []store.State
	var list []store.Entity
	for i := range numStates {
		name := word(random, 3)
		states = append(states, store.State{Country: store.US, Abbr: fmt.Sprintf("%c%c", 'A'+i/26, 'A'+i%26), Name: name, FIPS: fmt.Sprintf("%02d", i+1)})
		list = append(list, store.Entity{Kind: store.EntityState, Name: name, State: store.StateID(i + 1), Ref: uint32(i + 1), Twin: -1, Location: point()})
	}
	check(w.SetStates(states))
	for i := range 3000 {
		people := int32(100 * random.IntN(50))
		row := store.ZIPRow{ZIP: postcode.ZIP(30*i + 500), City: word(random, 2), State: store.StateID(1 + i/50), Class: store.General, Location: point()}
		check(w.AddZIP(row, store.ZIPDetail{Population: &people}))
	}
	var names []string
	for range each {
		names = append(names, phrase(random))
	}
	for n, kind := range []store.EntityKind{store.EntityPlace, store.EntityCity, store.EntityDistrict} {
		for i := range each {
			e := store.Entity{Kind: kind, Twin: -1, Name: names[random.IntN(each)], State: store.StateID(1 + random.IntN(numStates)), Location: point()}
			e.Population = []int32{store.NoPopulation, int32(random.IntN(40)), int32(math.Exp2(4 + 18*math.Pow(random.Float64(), 3)))}[random.IntN(3)]
			e.Prominence = uint16(2048 * math.Log2(1+float64(max(e.Population, 0))))
			switch place := numStates + i; {
			case kind == store.EntityCity && i < each/2: // the city is the place
				e.Twin, list[place].Twin = place, len(list)
				e.Name, e.State = list[place].Name, list[place].State
			case kind == store.EntityDistrict:
				e.Name += " School District"
			}
			if kind != store.EntityCity {
				e.Ref = uint32(n*each + i + 1)
			}
			list = append(list, e)
		}
	}
	for _, e := range list {
		keys := namekey.Keys(e.Name)
		names := storewrite.EntityNames{Own: keys[:1], Joined: keys[1:]}
		if random.IntN(10) == 0 {
			names.Other = namekey.Keys(word(random, 2))[:1]
		}
		check(w.AddEntity(e, names))
	}
	return w.Open()
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
