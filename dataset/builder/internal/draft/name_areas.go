package draft

import (
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// addStates makes entities of states and provinces. Military "states" are
// none.
func (b *names) addStates() {
	counts, points := make([]headcount, len(b.States.List)+1), make([]middle, len(b.States.List)+1)
	for _, z := range b.ZIPs.List {
		points[z.Row.State].add(z.Row.Location, b.residents[z.Row.ZIP])
	}
	for i, c := range b.Counties.List {
		counts[c.State].plus(b.countyCounts[i+1])
	}
	for fips, n := range b.otherCounties() {
		counts[b.States.ByFIPS[fips[:2]]].plus(n)
	}
	b.provinces = map[store.StateID]*Entity{}
	for _, f := range b.FSAs.List {
		h := &counts[f.Row.Province]
		n := float64(averageResidents)
		if f.Detail.Population != nil {
			n = float64(*f.Detail.Population)
			h.counted, h.known = h.counted+n, true
		}
		h.assumed += n
		points[f.Row.Province].add(f.Row.Location, n)
	}
	for i, s := range b.States.List {
		if s.Country == store.US && s.FIPS == "" {
			continue
		}
		id := store.StateID(i + 1)
		e := Entity{
			Entity: store.Entity{
				Kind: store.EntityState, Name: s.Name, State: id, Ref: uint32(id),
				Population: counts[id].population(), Location: points[id].point(),
			},
			weight: stateWeight, residents: max(counts[id].assumed, stateResidents),
		}
		e.Box = b.StateOutlines.box(id)
		if d := b.entity(e, s.Abbr); s.Country == store.CA {
			b.provinces[id] = d
		}
	}
}

// otherCounties yields the people of counties that the dataset lacks: a sample has whole
// states and metropolitan areas of few of their counties.
func (b *names) otherCounties() iter.Seq2[string, headcount] {
	return func(yield func(string, headcount) bool) {
		for area, c := range b.People {
			if n := float64(c.N); area.Level == source.CountyLevel && b.Counties.IDs[area.GEOID] == 0 && !yield(area.GEOID, headcount{n, n, true}) {
				return
			}
		}
	}
}

func (b *names) addCounties() {
	for i, c := range b.Counties.List {
		id := store.CountyID(i + 1)
		e := Entity{
			Entity: store.Entity{
				Kind: store.EntityCounty, Name: c.Name, State: c.State, County: id, Ref: uint32(id),
				Population: b.countyCounts[id].population(), Location: b.Counties.At[c.FIPS],
			},
			weight: countyWeight, residents: b.countyCounts[id].assumed,
		}
		e.Box = b.CountyOutlines.box(id)
		bare := bareCounty(c.Name)
		if d := b.entity(e, bare+" County"); d != nil {
			d.own(bare) // the legal description is optional
			for _, f := range store.FormerCounties {
				if slices.Contains(f.Successors, c.FIPS) {
					d.alias(f.Name)
				}
			}
		}
	}
}

// countyKinds are the legal descriptions of counties, longest first if one ends
// in another.
var countyKinds = []string{
	" City and Borough", " Planning Region", " Census Area", " Municipality", " Municipio", " Borough", " County", " Parish", " District", " Island", " city",
}

// bareCounty returns the name of a county without its legal description.
func bareCounty(name string) string {
	for _, kind := range countyKinds {
		if bare, ok := strings.CutSuffix(name, kind); ok && bare != "" {
			return bare
		}
	}
	return name
}

// addCBSAs makes entities of core based statistical areas.
func (b *names) addCBSAs() {
	counts, points := make([]headcount, len(b.Metros.CBSAs)+1), make([]middle, len(b.Metros.CBSAs)+1)
	members := make([][]store.CountyID, len(b.Metros.CBSAs)+1)
	for i, c := range b.Counties.List {
		counts[c.CBSA].plus(b.countyCounts[i+1])
		points[c.CBSA].add(b.Counties.At[c.FIPS], b.countyCounts[i+1].assumed)
		members[c.CBSA] = append(members[c.CBSA], store.CountyID(i+1))
	}
	for fips, n := range b.otherCounties() {
		counts[b.Metros.Of[fips].CBSA].plus(n)
	}
	for i, c := range b.Metros.CBSAs {
		id := store.CBSAID(i + 1)
		cities, states, _ := strings.Cut(c.Title, ", ")
		abbr, _, _ := strings.Cut(states, "-")
		first := b.firstCity(cities, abbr)
		e := Entity{
			Entity: store.Entity{
				Kind: store.EntityCBSA, Name: c.Title, State: b.States.ID(store.US, abbr), Ref: uint32(id),
				Population: counts[id].population(), Location: points[id].point(),
			},
			weight: cbsaWeight, residents: counts[id].assumed,
		}
		e.Box = b.CountyOutlines.box(members[id]...)
		kind := "Metropolitan"
		if !c.Metropolitan {
			kind = "Micropolitan"
		}
		d := b.entity(e, c.Code, c.Title, cities+" "+kind[:5]+" Area", cities+" "+kind+" Statistical Area",
			first+" "+kind[:5]+" Area", first+" "+kind+" Area", first+" MSA")
		if d != nil { // the states at the end of the title are not part of the name
			d.names = store.EntityNames{Other: d.names.Other}
			d.own(cities)
			d.own(first) // what people call it
			d.names.Joined = joined(cities)
			d.alias(c.Title)
		}
	}
}

// firstCity returns the first city of the title of a metropolitan area. Its
// name may hold hyphens: Winston-Salem is one city.
func (b *names) firstCity(cities, state string) string {
	cities = strings.ReplaceAll(cities, "--", "-")
	for end := len(cities); end > 0; end = strings.LastIndexByte(cities[:end], '-') {
		if b.postalCities[[2]string{state, namekey.Of(cities[:end])}] != nil {
			return cities[:end]
		}
	}
	first, _, _ := strings.Cut(cities, "-")
	return first
}
