package suggest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// TestElectoralDistricts uses the sample, which has the districts of some states.
func TestElectoralDistricts(t *testing.T) {
	d := lookuptest.Sample(t)
	e := suggest.NewEngine(d)
	cd := suggest.Options{Include: []suggest.Type{suggest.ElectoralDistrict}}
	layer := d.Layer(store.LayerCongressionalDistrict)
	if layer.Len() == 0 {
		t.Fatal("the sample has no congressional districts")
	}
	all := 0
	for i := range layer.Len() {
		if a := layer.Area(i); d.State(a.State).Abbr == "CA" {
			all++
			if got := ask(t, e, "ca-"+a.GEOID[2:], suggest.Options{}).Matches; len(got) == 0 || got[0].GEOID != a.GEOID || got[0].Type != suggest.ElectoralDistrict {
				t.Errorf("district %s: %v", a.GEOID, got)
			}
		}
	}
	if got := ask(t, e, "california", suggest.Options{Include: cd.Include, Limit: suggest.MaxLimit}); len(got.Matches) != all || got.TotalMatched != all {
		t.Errorf("%d of %d districts of California; want %d", len(got.Matches), got.TotalMatched, all)
	}
	if one := ask(t, e, "california", suggest.Options{Include: cd.Include, Limit: 1}); one.TotalMatched != all || all < 2 {
		t.Errorf("%d districts of California with a limit of 1; want %d", one.TotalMatched, all)
	}
	for query, want := range map[string]string{"AK-1": "AK-AL", "ak-al": "AK-AL", "AK-01": "AK-AL", "CA-99": ""} { // Alaska elects one representative
		got := ask(t, e, query, suggest.Options{}).Matches
		if len(got) > 1 || (len(got) == 1) != (want != "") || want != "" && (got[0].Name != want || got[0].Bucket != suggest.ExactName) {
			t.Errorf("%s: %v; want %q", query, got, want)
		}
	}
	for _, m := range ask(t, e, "CA-12", suggest.Options{Include: []suggest.Type{suggest.ZIP}}).Matches {
		if m.Type != suggest.ZIP {
			t.Errorf("CA-12 among ZIPs: %v", m)
		}
	}
}

// TestNamesOfTheNation checks what people type on the national dataset.
func TestNamesOfTheNation(t *testing.T) {
	e := national(t)
	for query, first := range map[string]string{
		"Bismarck, North ": "place Bismarck, ND", "toronto, ca": "place Toronto, ON", "montreal, ca": "place Montréal, QC", "astoria, queens": "uspscity Astoria, NY",
		"bell, los angeles county": "place Bell, CA", "apo ae": "uspscity APO, AE", "fpo ap": "uspscity FPO, AP", "peel region": "county Peel, ON",
		"anchorage borough": "county Anchorage Municipality, AK", "puerto rico san juan": "place San Juan, PR", "CA-12": "cd CA-12, CA", "TX-35": "cd TX-35, TX",
		"IL-9": "cd IL-9, IL", "AK-1": "cd AK-AL, AK", "rivers": "place Riverside, CA", "santa ": "place Santa Ana, CA", "pittsburg pa": "place Pittsburgh, PA",
		"long island": "uspscity Long Island City, NY", "memfis": "place Memphis, TN", "ilinoy": "state Illinois, IL", "huston": "place Houston, TX",
		"n bridgton": "uspscity North Bridgton, ME",
	} {
		r := ask(t, e, query, suggest.Options{Limit: 1})
		if len(r.Matches) == 0 {
			t.Errorf("%q: no match; want %s", query, first)
		} else if m := &r.Matches[0]; string(m.Type)+" "+m.Name+", "+m.State+m.Province != first {
			t.Errorf("%q: %s %s, %s%s; want %s", query, m.Type, m.Name, m.State, m.Province, first)
		}
	}
}

// TestKeystrokes types texts of every form of a last line, letter by letter. From
// the third character on, each beginning must have a suggestion.
func TestKeystrokes(t *testing.T) {
	d := lookuptest.Sample(t)
	typeAll(t, d, 1500)
}

// TestKeystrokesNationally does the same with the national dataset.
func TestKeystrokesNationally(t *testing.T) {
	path := lookuptest.NationalPath(t)
	d := lookuptest.OpenFile(t, path)
	const texts = 10_000
	keys, empty := typeAll(t, d, texts)
	scoretest.Hold(t, "suggest", scoretest.Table{
		Title: "keystrokes", Columns: []string{"texts typed", ">beginnings of three or more characters", ">without a suggestion"},
		Rows: [][]any{{"last lines of the national dataset, " + scoretest.Count(texts), scoretest.Count(keys), scoretest.Count(empty)}},
	})
}

// typeAll returns how many beginnings of n texts are typed, and how many of them have
// no suggestion.
func typeAll(t *testing.T, d *store.Dataset, n int) (keys, empty int) {
	t.Helper()
	e := suggest.NewEngine(d)
	for _, text := range lastLines(d, n) {
		runes := []rune(text)
		for i := 3; i <= len(runes); i++ {
			typed := string(runes[:i])
			keys++
			if len(ask(t, e, typed, suggest.Options{Limit: 1}).Matches) > 0 {
				continue
			}
			if empty++; empty <= 20 {
				t.Logf("%q of %q has no suggestion", typed, text)
			}
		}
	}
	t.Logf("%d of %d keystrokes without a suggestion", empty, keys)
	const tolerated = 10_000
	if empty*tolerated > keys {
		t.Errorf("%d of %d keystrokes have no suggestion; want at most one in %d", empty, keys, tolerated)
	}
	return keys, empty
}

// lastLines returns texts of twelve forms in turn, made from the dataset.
func lastLines(d *store.Dataset, n int) []string {
	random := rand.New(rand.NewPCG(17, 2))
	var zips []store.ZIPRow
	for row := range d.ZIPs() {
		if row.City != "" && row.State != 0 {
			zips = append(zips, row)
		}
	}
	var fsas []store.FSARow
	for row := range d.FSAs() {
		if row.City != "" {
			fsas = append(fsas, row)
		}
	}
	byKind := map[store.EntityKind][]store.Entity{}
	for i := range d.Entities().Len() {
		x := d.Entities().At(i)
		byKind[x.Kind] = append(byKind[x.Kind], *x)
	}
	pick := func(kind store.EntityKind) store.Entity { return byKind[kind][random.IntN(len(byKind[kind]))] }
	abbr := func(id store.StateID) string { return d.State(id).Abbr }
	texts := make([]string, 0, n)
	for len(texts) < n {
		z, f, city := zips[random.IntN(len(zips))], fsas[random.IntN(len(fsas))], pick(store.EntityCity)
		place, county := pick(store.EntityPlace), pick(store.EntityCounty)
		switch len(texts) % 12 {
		case 0:
			texts = append(texts, city.Name)
		case 1:
			texts = append(texts, place.Name+", "+abbr(place.State))
		case 2:
			texts = append(texts, fmt.Sprintf("%s, %s %s", z.City, abbr(z.State), z.ZIP))
		case 3:
			texts = append(texts, z.ZIP.String()+" "+z.City)
		case 4:
			texts = append(texts, f.FSA.String()+" "+f.City)
		case 5:
			if c := d.County(city.County).Name; c != "" {
				texts = append(texts, city.Name+", "+c)
			}
		case 6:
			texts = append(texts, county.Name+", "+d.State(county.State).Name)
		case 7:
			texts = append(texts, z.City+" "+z.ZIP.String())
		case 8:
			texts = append(texts, fmt.Sprintf("%s, %s %s-1234", z.City, d.State(z.State).Name, z.ZIP))
		case 9:
			if c := d.County(z.County).Name; c != "" {
				texts = append(texts, z.City+", "+c+", "+abbr(z.State))
			}
		case 10:
			country := map[store.Country]string{store.US: "United States", store.CA: "Canada"}[d.State(place.State).Country]
			texts = append(texts, place.Name+", "+abbr(place.State)+", "+country)
		default:
			texts = append(texts, strings.ToLower(pick(store.EntityDistrict).Name))
		}
	}
	return texts
}
