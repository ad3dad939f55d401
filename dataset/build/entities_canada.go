package build

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/dataset/namekey"
	"github.com/postgeo/postgeo/geo"
)

// canadianEntities makes entities of the municipalities of Canada, and of the
// places that give forward sortation areas their names where no municipality
// of the province is called so.
func canadianEntities(ctx context.Context, b *builder) error {
	named := map[[2]string]bool{}
	take := func(e entityDraft, abbr string, others ...string) {
		if d := b.entity(e, others...); d != nil {
			for _, k := range slices.Concat(d.names.Own, d.names.Other) {
				named[[2]string{abbr, k}] = true
			}
		}
	}
	areas, err := b.subdivisionAreas(ctx)
	if err != nil {
		return err
	}
	byName := b.sortationPlaces()
	err = readText(ctx, b, srcSubdivisions, source.Subdivisions, func(r source.SubdivisionRow) error {
		id := b.state(dataset.CA, r.Province)
		if id == 0 {
			return refusal{"unknown province", r.Line, r.Province}
		}
		ref, _ := strconv.ParseUint(r.CSD, 10, 32) // its reader has looked at the digits
		if r.Name == "" {
			return refusal{"census subdivision without a name", r.Line, r.CSD}
		}
		name, others := municipalNames(r.Name)
		e := entityDraft{Entity: dataset.Entity{
			Kind: dataset.EntityPlace, Name: name, State: id, Ref: uint32(ref), Population: dataset.NoPopulation,
		}}
		if r.Population != nil {
			e.Population = *r.Population
			e.residents = float64(*r.Population)
		}
		if a, ok := areas[r.CSD]; ok {
			e.Location, e.Box = a.at, a.box
		}
		if p := byName[[2]string{r.Province, namekey.Of(name)}]; p != nil && (!e.Location.IsValid() || miles(p.at.point(), e.Location) < farFromStreets) {
			e.Location = p.at.point()
		}
		take(e, r.Province, append(others, quebecCity(name, r.Province)...)...)
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range slices.SortedFunc(maps.Keys(byName), func(x, y [2]string) int {
		return strings.Compare(x[0]+" "+x[1], y[0]+" "+y[1])
	}) {
		p := byName[key]
		if named[key] {
			continue
		}
		take(entityDraft{Entity: dataset.Entity{
			Kind: dataset.EntityPlace, Name: p.name, State: b.state(dataset.CA, key[0]),
			Population: p.count.population(), Location: p.at.point(),
		}, residents: p.count.assumed}, key[0])
	}
	return ctx.Err()
}

// sortationPlace is what gathers under one name of forward sortation areas.
type sortationPlace struct {
	name  string
	count headcount
	at    middle
}

// sortationPlaces gathers the forward sortation areas by province and the key
// of their city.
func (b *builder) sortationPlaces() map[[2]string]*sortationPlace {
	places := map[[2]string]*sortationPlace{}
	add := func(f *fsaDraft, name string) {
		key := [2]string{f.province, namekey.Of(name)}
		p := places[key]
		if p == nil {
			p = &sortationPlace{name: name}
			places[key] = p
		}
		n := float64(fewResidents)
		if f.detail.Population != nil {
			n = float64(*f.detail.Population)
			p.count.told, p.count.known = p.count.told+n, true
		}
		p.count.assumed += n
		p.at.add(f.row.Location, max(n, 1))
	}
	for _, f := range b.tables.fsas {
		if f.row.City != "" {
			add(f, f.row.City)
		}
		borough, _, _ := strings.Cut(f.geoNames.Place, " (")
		if f.province == "ON" && borough != f.row.City && slices.Contains(formerCities, borough) {
			add(f, borough)
		}
	}
	return places
}

// formerCities are those that became one with Toronto in 1998 and are still
// what people call its parts.
var formerCities = []string{"Scarborough", "North York", "Etobicoke", "East York"}

// municipalNames returns the name of a municipality, of two names divided by a
// stroke the first, and the others: the second, both, and the name of a rural
// municipality without its number.
func municipalNames(full string) (name string, others []string) {
	name = full
	if first, second, ok := strings.Cut(full, " / "); ok {
		name = first
		others = append(others, second, full)
	}
	if bare, _, ok := strings.Cut(name, " No. "); ok {
		others = append(others, bare)
	}
	return name, others
}

// quebecCity returns what people call the capital of the province of the same
// name; the Postal Service's sources call it so, too.
func quebecCity(name, province string) []string {
	if province == "QC" && namekey.Of(name) == "quebec" {
		return []string{"Quebec City"}
	}
	return nil
}

// subdivisionArea is where a municipality lies.
type subdivisionArea struct {
	at  geo.LatLng
	box geo.Box
}

// subdivisionAreas reads where the municipalities of Canada lie, by their
// identifiers. Generalised outlines are good enough for that.
func (b *builder) subdivisionAreas(ctx context.Context) (map[string]subdivisionArea, error) {
	areas := map[string]subdivisionArea{}
	err := readPath(ctx, b, srcCSDAreas, source.CensusSubdivisions, func(r source.AreaRow) error {
		areas[r.ID] = subdivisionArea{pointWithin(r.Polygon), boxAround(r.Polygon)}
		return nil
	})
	return areas, err
}
