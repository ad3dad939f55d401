package draft

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// addCanada makes entities of the municipalities of Canada. It adds the places that give
// forward sortation areas their names unless a municipality of the province has the name.
// A municipality with the name of an FSA takes the FSA's point, which is among people, if
// that lies inside and not far from the middle.
//
// Provinces take the people of their census subdivisions: the sum over FSAs lacks some,
// in Manitoba a hundredth.
func (b *names) addCanada() {
	named := map[[2]string]bool{}
	take := func(e Entity, abbr string, others ...string) *Entity {
		d := b.entity(e, others...)
		if d != nil {
			for _, k := range slices.Concat(d.names.Own, d.names.Other) {
				named[[2]string{abbr, k}] = true
			}
		}
		return d
	}
	byName := b.sortationPlaces()
	known := map[[2]string]*Entity{} // municipalities by province and name
	divisions, people := b.addDivisions(), map[store.StateID]int32{}
	read(b.Draft, catalog.Subdivisions, source.Subdivisions, func(r source.SubdivisionRow) error {
		id := b.States.ID(store.CA, r.Province)
		if id == 0 {
			return refused("unknown province", r.Line, r.Province)
		}
		ref, _ := strconv.ParseUint(r.CSD, 10, 32) // its reader has looked at the digits
		division := divisions[r.CSD[:divisionDigits]]
		if division == nil { // without the outlines of divisions
			division = &Entity{}
		}
		if r.Population != nil {
			people[id] += *r.Population
			division.Population, division.residents = max(division.Population, 0)+*r.Population, division.residents+float64(*r.Population)
		}
		if r.Name == "" {
			return refused("census subdivision without a name", r.Line, r.CSD)
		}
		name, others := municipalNames(r.Name)
		e := Entity{Entity: store.Entity{
			Kind: store.EntityPlace, Name: name, State: id, Ref: uint32(ref), Population: store.NoPopulation,
		}}
		if r.Population != nil {
			e.Population, e.residents = *r.Population, float64(*r.Population)
		}
		if a, ok := b.Municipal.CSDPlaces[r.CSD]; ok {
			e.Location, e.Box = a.at, a.box
		}
		if p := byName[[2]string{r.Province, namekey.Of(name)}]; p != nil && (!e.Location.IsValid() || e.Box.Contains(p.at.point()) && shape.Miles(p.at.point(), e.Location) < farFromStreets) {
			e.Location = p.at.point()
		}
		d := take(e, r.Province, append(others, quebecCity(name, r.Province)...)...)
		distinguish(known, d, r.Province, cmp.Or(municipalKinds[r.Type], division.Name), division.Name)
		return nil
	})
	for id, n := range people {
		b.provinces[id].Population, b.provinces[id].residents = n, max(float64(n), stateResidents)
	}
	for _, key := range slices.SortedFunc(maps.Keys(byName), func(x, y [2]string) int {
		return strings.Compare(x[0]+" "+x[1], y[0]+" "+y[1])
	}) {
		p := byName[key]
		if named[key] {
			continue
		}
		take(Entity{Entity: store.Entity{
			Kind: store.EntityPlace, Name: p.name, State: b.States.ID(store.CA, key[0]),
			Population: p.count.population(), Location: p.at.point(),
		}, residents: p.count.assumed}, key[0])
	}
}

// divisionDigits is the length of the identifier of a census division, with which
// those of its municipalities begin.
const divisionDigits = 4

// distinguish adds the kind of a place to its name if a larger one in the area has the
// same name: "North Vancouver (city)". If the kinds are equal, it adds the area around
// the place. Places come in the order of the file, so that a later one may be the larger
// one. It then takes the plain name's part in known, and the former gets the mark.
func distinguish(known map[[2]string]*Entity, d *Entity, area, kind, around string) {
	if d == nil {
		return
	}
	d.kind, d.around = kind, around
	key := [2]string{area, d.names.Own[0]}
	other := known[key]
	if other == nil || d.residents > other.residents {
		known[key] = d
		d, other = other, d
	}
	if d == nil {
		return
	}
	mark := d.kind
	if mark == other.kind {
		mark = d.around
	}
	if mark != "" {
		d.Name += " (" + mark + ")"
		d.alias(d.Name)
	}
}

// municipalKinds are the kinds of municipalities, by Statistics Canada's type.
var municipalKinds = map[string]string{
	"CY": "city", "V": "city", "C": "city", "T": "town", "VL": "village", "VC": "village", "SV": "summer village", "TP": "township", "CT": "township", "CU": "township",
	"P": "parish", "PE": "parish", "M": "municipality", "MÉ": "municipality", "MU": "municipality", "DM": "district", "RM": "rural municipality",
	"MD": "municipal district", "RGM": "regional municipality", "IRI": "reserve", "TI": "Inuit land", "TC": "Cree land", "TK": "Naskapi land", "NO": "unorganized", "SNO": "unorganized", "RDA": "regional district area",
}

// addDivisions makes counties of the census divisions and returns them by
// identifier. The step of outlines refuses malformed rows of their file.
func (b *names) addDivisions() map[string]*Entity {
	divisions := map[string]*Entity{}
	if !b.has(catalog.CDAreas) {
		return divisions
	}
	for r, err := range catalog.Columns(catalog.CDAreas).Areas(b.text(catalog.CDAreas)) {
		if err != nil || b.States.Provinces[r.ID[:2]] == 0 {
			continue
		}
		ref, _ := strconv.ParseUint(r.ID, 10, 32) // its reader has looked at the digits
		name := r.Names()
		e := Entity{
			Entity: store.Entity{
				Kind: store.EntityCounty, Name: name, State: b.States.Provinces[r.ID[:2]], Ref: uint32(ref),
				Population: store.NoPopulation, Location: shape.PointWithin(r.Polygon), Box: shape.BoxAround(r.Polygon),
			},
			weight: countyWeight,
		}
		divisions[r.ID] = b.entity(e, name+" Region", name+" County", name+" Regional Municipality", name+" District", name+" Division")
	}
	return divisions
}

// sortationPlace is what gathers under one name of forward sortation areas.
type sortationPlace struct {
	name  string
	count headcount
	at    middle
}

// sortationPlaces gathers the forward sortation areas by province and the key
// of their city.
func (b *names) sortationPlaces() map[[2]string]*sortationPlace {
	places := map[[2]string]*sortationPlace{}
	add := func(f *FSA, name string) {
		key := [2]string{f.Province, namekey.Of(name)}
		p := places[key]
		if p == nil {
			p = &sortationPlace{name: name}
			places[key] = p
		}
		p.at.add(f.Row.Location, max(1, p.count.add(f.Detail.Population, fewResidents)))
	}
	for _, f := range b.FSAs.List {
		if f.Row.City != "" {
			add(f, f.Row.City)
		}
		borough, _, _ := strings.Cut(f.GeoNames.Place, " (")
		if f.Province == "ON" && borough != f.Row.City && slices.Contains(formerCities, borough) {
			add(f, borough)
		}
	}
	return places
}

// formerCities are those that became one with Toronto in 1998 and are still
// what people call its parts.
var formerCities = []string{"Scarborough", "North York", "Etobicoke", "East York"}

// quebecCity returns what people call the capital of the province of the same
// name; the Postal Service's sources call it so, too.
func quebecCity(name, province string) []string {
	if province == "QC" && namekey.Of(name) == "quebec" {
		return []string{"Quebec City"}
	}
	return nil
}
