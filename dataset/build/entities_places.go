package build

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/dataset/namekey"
	"github.com/postgeo/postgeo/geo"
)

// placeEntities makes entities of the places of the Gazetteer, and of the
// towns and townships that are governments where no place of the state has
// their name.
func placeEntities(ctx context.Context, b *builder) error {
	t := &b.tables
	named := map[[2]string]bool{}
	for _, r := range t.places {
		name, others := placeNames(r)
		e := b.placeEntity(r, name, source.PlaceLevel)
		if polygons := t.placeOutlines[r.GEOID]; polygons != nil {
			e.Box = boxAround(polygons)
		}
		b.entity(e, others...)
		named[[2]string{r.State, namekey.Of(name)}] = true
	}
	for _, r := range t.towns {
		name := plainName(r.Name)
		if named[[2]string{r.State, namekey.Of(name)}] {
			continue
		}
		b.entity(b.placeEntity(r, name, source.SubdivisionLevel), r.Name)
	}
	return ctx.Err()
}

// keepPlace notes a row of the Gazetteer for suggestions: places, and of county
// subdivisions the towns and townships that have a government in the states
// where people live in those rather than in places.
func (b *builder) keepPlace(r source.GazetteerRow) {
	const active = "A"
	switch {
	case !r.Location.IsValid():
	case len(r.GEOID) != cousubDigits:
		b.tables.places = append(b.tables.places, r)
	case r.FuncStat == active && slices.Contains(knownTowns, r.GEOID[:2]):
		b.tables.towns = append(b.tables.towns, r)
	}
}

// knownTowns are the states whose towns people look for by name: New England,
// New York and New Jersey. Elsewhere townships share a handful of names.
var knownTowns = []string{"09", "23", "25", "33", "34", "36", "44", "50"}

func (b *builder) placeEntity(r source.GazetteerRow, name string, level source.SummaryLevel) entityDraft {
	ref, _ := strconv.ParseUint(r.GEOID, 10, 32) // its reader has looked at the digits
	e := entityDraft{Entity: dataset.Entity{
		Kind: dataset.EntityPlace, Name: name, State: b.state(dataset.US, r.State), Ref: uint32(ref),
		Population: dataset.NoPopulation, Location: r.Location,
	}, land: r.Land}
	if r.LSAD == designatedPlace {
		e.weight = unnamedWeight
	}
	if b.tables.countyAreas != nil {
		e.County = b.tables.countyIDs[b.tables.countyAreas.first(r.Location)]
	} else if len(r.GEOID) == cousubDigits {
		e.County = b.tables.countyIDs[r.GEOID[:5]]
	}
	if n, ok := b.tables.peopleOf(level, r.GEOID); ok {
		e.Population, e.residents = n, float64(n)
	} else {
		e.residents = b.residentsByLand(r)
	}
	return e
}

const (
	cousubDigits    = 10
	designatedPlace = "57" // legal/statistical area description
)

// placeNames returns the name of a place as people know it, and others. Cities
// that are one with their county are known by the first part of their names.
func placeNames(r source.GazetteerRow) (name string, others []string) {
	name = plainName(r.Name)
	others = append(others, name)
	if known, ok := knownNames[r.GEOID]; ok {
		return known, others
	}
	if outer, inner, ok := strings.Cut(name, " ("); ok { // San Buenaventura (Ventura)
		name = outer
		others = append(others, strings.TrimSuffix(inner, ")"))
	}
	return name, others
}

// knownNames are the names that people know cities by whose legal names say
// more, by GEOID.
var knownNames = map[string]string{
	"1303440": "Athens", "1304204": "Augusta", "1349008": "Macon", "1571550": "Honolulu", "1608830": "Boise",
	"1836003": "Indianapolis", "2146027": "Lexington", "2148006": "Louisville", "3011397": "Butte", "3001675": "Anaconda", "4752006": "Nashville",
	"4732742": "Hartsville", "4744382": "Lynchburg", "0947515": "Milford",
}

// residentsByLand guesses how many people live in a place: as many as on the
// same extent of land in the ZIP around its point.
func (b *builder) residentsByLand(r source.GazetteerRow) float64 {
	const (
		guess   = 100.0 // where no ZIP is near
		crowded = 2     // towns are more crowded than the country around them
	)
	z := b.zipAround(r.Location)
	if z == nil || z.detail.LandArea == nil || *z.detail.LandArea == 0 || r.Land == 0 {
		return guess
	}
	n := b.tables.residents[z.row.ZIP]
	return min(n, crowded*n*float64(r.Land)/float64(*z.detail.LandArea))
}

// zipAround returns the general ZIP whose point is nearest, nil where there is
// none about.
func (b *builder) zipAround(at geo.LatLng) *zipDraft {
	t := &b.tables
	if t.zipGrid == nil {
		t.zipGrid = newNearest()
		for _, z := range t.zips {
			if z.row.Class == dataset.General && z.row.Location.IsValid() {
				t.zipGrid.add(z.row.Location, z.row.ZIP.String())
			}
		}
	}
	label, _ := t.zipGrid.find(at, func(string) bool { return true })
	zip, _ := dataset.ParseZIP(label)
	return t.zipAt[zip]
}

// pairTwins finds for each city of the postal service the place that it is:
// the best known of the same name in the same state.
func (b *builder) pairTwins() {
	t := &b.tables
	best := map[[2]string]*entityDraft{}
	for _, e := range t.entities {
		if e.Kind != dataset.EntityPlace || e.State == 0 {
			continue
		}
		key := [2]string{t.states[e.State-1].Abbr, e.names.Own[0]}
		if other := best[key]; t.postalCities[key] != nil && (other == nil || b.closer(t.postalCities[key], e, other)) {
			best[key] = e
		}
	}
	for _, city := range t.entities {
		if city.Kind != dataset.EntityCity {
			continue
		}
		place := best[[2]string{t.states[city.State-1].Abbr, city.names.Own[0]}]
		if place == nil {
			continue
		}
		place.twin, city.twin = city, place
		place.ZIPs = city.ZIPs
		place.weight = 1
		// People live closer together in a town than in the country around it.
		people := place.residents
		if place.Population == dataset.NoPopulation {
			people = max(people, min(city.residents, townDensity*float64(place.land)))
		}
		place.residents, city.residents, city.weight = people, people, 1
		if place.Location.IsValid() && city.Location.IsValid() && miles(place.Location, city.Location) > farFromStreets {
			place.Location = city.Location // the middle of much water
		}
		if place.County == 0 {
			place.County = city.County
		}
	}
}

// townDensity is how many people live on a square metre of a small town, at
// least.
const townDensity = 400e-6

// pairAccepted tells a city name that is preferred nowhere once with the place
// of the state that has it for another name: "New York City" is New York.
func (b *builder) pairAccepted() {
	named := map[string]*entityDraft{}
	key := func(e *entityDraft, name string) string { return b.tables.states[e.State-1].Abbr + " " + name }
	for _, e := range b.tables.entities {
		if e.Kind != dataset.EntityPlace || e.State == 0 {
			continue
		}
		for _, k := range e.names.Other {
			if other := named[key(e, k)]; other == nil || e.residents > other.residents {
				named[key(e, k)] = e
			}
		}
	}
	for _, e := range b.tables.entities {
		if e.Kind != dataset.EntityCity || !e.accepted || e.twin != nil {
			continue
		}
		if place := named[key(e, e.names.Own[0])]; place != nil {
			e.twin, e.residents, e.weight = place, place.residents, place.weight
		}
	}
}

// farFromStreets is how many miles the Gazetteer's point of a place may lie
// from the ZIP in the middle of its city.
const farFromStreets = 12

// closer reports whether place x is rather the city than place y.
func (b *builder) closer(city, x, y *entityDraft) bool {
	if !city.Location.IsValid() || !x.Location.IsValid() || !y.Location.IsValid() {
		return x.residents > y.residents
	}
	return miles(city.Location, x.Location) < miles(city.Location, y.Location)
}

// numberEntities gives every entity its place in the table, for those that refer to
// it.
func numberEntities(list []*entityDraft) {
	at := make(map[*entityDraft]int, len(list))
	for i, e := range list {
		at[e] = i
	}
	for _, e := range list {
		if e.twin != nil {
			e.Twin = at[e.twin]
		}
	}
}

// joined returns the keys of a name written as one word.
func joined(name string) []string { return slices.Clone(namekey.Keys(name)[1:]) }
