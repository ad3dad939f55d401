package build

import (
	"context"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/namekey"
)

// stateEntities makes entities of states and provinces. Military "states" are
// none.
func stateEntities(_ context.Context, b *builder) error {
	t := &b.tables
	counts, points := make([]headcount, len(t.states)+1), make([]middle, len(t.states)+1)
	for _, z := range t.zips {
		points[z.row.State].add(z.row.Location, b.tables.residents[z.row.ZIP])
	}
	for i, c := range t.counties {
		counts[c.State].plus(t.countyCounts[i+1])
	}
	for _, f := range t.fsas {
		h := &counts[f.row.Province]
		n := float64(averageResidents)
		if f.detail.Population != nil {
			n = float64(*f.detail.Population)
			h.told, h.known = h.told+n, true
		}
		h.assumed += n
		points[f.row.Province].add(f.row.Location, n)
	}
	for i, s := range t.states {
		if s.Country == dataset.US && s.FIPS == "" {
			continue
		}
		id := dataset.StateID(i + 1)
		e := entityDraft{
			Entity: dataset.Entity{
				Kind: dataset.EntityState, Name: s.Name, State: id, Ref: uint32(id),
				Population: counts[id].population(), Location: points[id].point(),
			},
			weight: stateWeight, residents: max(counts[id].assumed, stateResidents),
		}
		if t.bounds != nil {
			e.Box = boxOf(t.bounds.states, id)
		}
		b.entity(e, s.Abbr)
	}
	return nil
}

// countyEntities makes entities of counties.
func countyEntities(_ context.Context, b *builder) error {
	t := &b.tables
	for i, c := range t.counties {
		id := dataset.CountyID(i + 1)
		e := entityDraft{
			Entity: dataset.Entity{
				Kind: dataset.EntityCounty, Name: c.Name, State: c.State, County: id, Ref: uint32(id),
				Population: t.countyCounts[id].population(), Location: t.countyAt[c.FIPS],
			},
			weight: countyWeight, residents: t.countyCounts[id].assumed,
		}
		if t.bounds != nil {
			e.Box = boxOf(t.bounds.counties, id)
		}
		bare := bareCounty(c.Name)
		if d := b.entity(e, bare+" County"); d != nil {
			d.own(bare) // the legal description is optional
		}
	}
	return nil
}

// countyKinds are the legal descriptions of counties, longest first where one
// ends in another.
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

// cbsaEntities makes entities of core based statistical areas.
func cbsaEntities(_ context.Context, b *builder) error {
	t := &b.tables
	counts, points := make([]headcount, len(t.cbsas)+1), make([]middle, len(t.cbsas)+1)
	members := make([][]dataset.CountyID, len(t.cbsas)+1)
	for i, c := range t.counties {
		counts[c.CBSA].plus(t.countyCounts[i+1])
		points[c.CBSA].add(t.countyAt[c.FIPS], t.countyCounts[i+1].assumed)
		members[c.CBSA] = append(members[c.CBSA], dataset.CountyID(i+1))
	}
	for i, c := range t.cbsas {
		id := dataset.CBSAID(i + 1)
		cities, states, _ := strings.Cut(c.Title, ", ")
		abbr, _, _ := strings.Cut(states, "-")
		first := b.firstCity(cities, abbr)
		e := entityDraft{
			Entity: dataset.Entity{
				Kind: dataset.EntityCBSA, Name: c.Title, State: b.state(dataset.US, abbr), Ref: uint32(id),
				Population: counts[id].population(), Location: points[id].point(),
			},
			weight: cbsaWeight, residents: counts[id].assumed,
		}
		if t.bounds != nil {
			e.Box = boxOf(t.bounds.counties, members[id]...)
		}
		kind := "Metropolitan"
		if !c.Metropolitan {
			kind = "Micropolitan"
		}
		d := b.entity(e, c.Code, c.Title, cities+" "+kind[:5]+" Area", cities+" "+kind+" Statistical Area",
			first+" "+kind[:5]+" Area", first+" "+kind+" Area", first+" MSA")
		if d != nil { // the states at the end of the title are no part of the name
			d.names = dataset.EntityNames{Other: d.names.Other}
			d.own(cities)
			d.own(first) // what people call it
			d.names.Joined = joined(cities)
			d.alias(c.Title)
		}
	}
	return nil
}

// firstCity returns the first city of the title of a metropolitan area. Its
// name may hold hyphens of its own: Winston-Salem is one city.
func (b *builder) firstCity(cities, state string) string {
	cities = strings.ReplaceAll(cities, "--", "-")
	for end := len(cities); end > 0; end = strings.LastIndexByte(cities[:end], '-') {
		if b.tables.postalCities[[2]string{state, namekey.Of(cities[:end])}] != nil {
			return cities[:end]
		}
	}
	first, _, _ := strings.Cut(cities, "-")
	return first
}
