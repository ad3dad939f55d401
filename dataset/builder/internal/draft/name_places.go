package draft

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// addPlaces makes entities of the places of the Gazetteer. It adds towns and
// townships with a government unless a place of the state has their name.
func (b *names) addPlaces() {
	for _, z := range b.ZIPs.List {
		if z.Row.Class == store.General {
			b.zipGrid.add(z.Row.Location, z)
		}
	}
	named, known := map[[2]string]bool{}, map[[2]string]*Entity{}
	for _, r := range b.Gazetteer.Places {
		name, others := placeNames(r)
		e := b.placeEntity(r, name, source.PlaceLevel)
		if box, ok := b.Municipal.PlaceBoxes[r.GEOID]; ok {
			// Outlines may be older than the point of a place that has grown.
			e.Box = spatial.Union(box, geo.Box{SouthWest: r.Location, NorthEast: r.Location})
		}
		d := b.entity(e, others...)
		// Two places of a name in one county, such as a city and a CDP, differ by their
		// kinds.
		distinguish(known, d, r.State+" "+strconv.Itoa(int(e.County)), strings.TrimSpace(strings.TrimPrefix(r.Name, name)), "")
		named[[2]string{r.State, namekey.Of(name)}] = true
	}
	for _, r := range b.Gazetteer.Towns {
		name := PlainName(r.Name)
		if named[[2]string{r.State, namekey.Of(name)}] {
			continue
		}
		b.entity(b.placeEntity(r, name, source.SubdivisionLevel), r.Name)
	}
}

func (b *names) placeEntity(r source.GazetteerRow, name string, level source.SummaryLevel) Entity {
	e := Entity{Entity: store.Entity{
		Kind: store.EntityPlace, Name: name, State: b.States.ID(store.US, r.State), Ref: store.PlaceRef(r.GEOID),
		Population: store.NoPopulation, Location: r.Location,
	}, land: r.Land}
	if r.LSAD == DesignatedPlace {
		e.weight = unnamedWeight
	}
	if b.has(catalog.CountyAreas) {
		e.County = b.CountyOutlines.index().first(r.Location)
	} else if len(r.GEOID) == cousubDigits {
		e.County = b.Counties.IDs[r.GEOID[:5]]
	}
	if c, ok := b.People[SurveyArea{level, r.GEOID}]; ok {
		e.Population, e.residents = c.N, float64(c.N)
	} else {
		e.residents = b.residentsByLand(r)
	}
	return e
}

// placeNames returns the name of a place as people know it, and others. Cities
// that are one with their county are known by the first part of their names.
func placeNames(r source.GazetteerRow) (name string, others []string) {
	name = PlainName(r.Name)
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

// knownNames are the usual names, by GEOID, of cities with longer legal names: most are
// one with their county, as "Nashville-Davidson metropolitan government (balance)".
var knownNames = map[string]string{
	"1303440": "Athens", "1304204": "Augusta", "1349008": "Macon", "1571550": "Honolulu", "1608830": "Boise",
	"1836003": "Indianapolis", "2146027": "Lexington", "2148006": "Louisville", "3011397": "Butte", "3001675": "Anaconda", "4752006": "Nashville",
	"4732742": "Hartsville", "4744382": "Lynchburg", "0947515": "Milford",
}

// residentsByLand guesses how many people live in a place that the survey does not count.
// They are twice as many as on the same extent of land in the ZIP nearest to its point,
// because towns are more crowded than the country around them, but at most those of the
// ZIP.
func (b *names) residentsByLand(r source.GazetteerRow) float64 {
	const (
		guess   = 100.0 // without a ZIP nearby
		crowded = 2
	)
	z, _ := b.zipGrid.find(r.Location, nil)
	if z == nil || z.Detail.LandArea == nil || *z.Detail.LandArea == 0 || r.Land == 0 {
		return guess
	}
	n := b.residents[z.Row.ZIP]
	return min(n, crowded*n*float64(r.Land)/float64(*z.Detail.LandArea))
}

// pairTwins finds for each city of the postal service the place that it is: the nearest
// of the same name in the same state, if any of its ZIPs is near. Both then rank alike,
// and a place gets the ZIPs that serve it. A state may have several places of a name, and
// the city may be none of them.
func (b *names) pairTwins() {
	best := map[[2]string]*Entity{}
	for _, e := range b.entities {
		if e.Kind != store.EntityPlace || e.State == 0 {
			continue
		}
		key := [2]string{b.States.Abbr(e.State), e.names.Own[0]}
		if other := best[key]; b.postalCities[key] != nil && (other == nil || b.closer(b.postalCities[key], e, other)) {
			best[key] = e
		}
	}
	for _, city := range b.entities {
		if city.Kind != store.EntityCity {
			continue
		}
		place := best[[2]string{b.States.Abbr(city.State), city.names.Own[0]}]
		if place == nil {
			continue
		}
		zips := slices.DeleteFunc(slices.Clone(city.ZIPs), func(z postcode.ZIP) bool { return !b.serves(z, place) })
		if len(zips) == 0 {
			continue // another place of the name
		}
		place.twin, city.twin = city, place
		place.ZIPs = zips
		place.weight = 1
		// People live closer together in a town than in the country around it.
		people := place.residents
		if place.Population == store.NoPopulation {
			people = max(people, min(city.residents, townDensity*float64(place.land)))
		}
		place.residents, city.residents, city.weight = people, people, 1
		homes := slices.DeleteFunc(slices.Clone(zips), func(z postcode.ZIP) bool { return b.ZIPs.At[z].Row.Class != store.General })
		if at := b.center(homes); at.IsValid() && place.Box.Contains(at) && shape.Miles(place.Location, at) > farFromStreets {
			place.Location = at // the other is in the sea or in wilderness
		}
		if place.County == 0 {
			place.County = city.County
		}
	}
}

// serves reports whether the mail of a place may have a ZIP: the ZIP's point is near, or
// its outline contains the place. Nearness is measured from the nearest point of the
// place's box, since a large city reaches far from its middle. A box across the
// antimeridian is entered at the ZIP's own longitude.
func (b *names) serves(z postcode.ZIP, place *Entity) bool {
	const mostMiles = 15 // from the box of the place to a post office
	at, near := b.ZIPs.At[z].Row.Location, place.Location
	if box := place.Box; !box.IsEmpty() && at.IsValid() {
		lng := at.Lng()
		if !box.CrossesAntimeridian() {
			lng = min(max(lng, box.SouthWest.Lng()), box.NorthEast.Lng())
		}
		near = geo.MustLatLng(min(max(at.Lat(), box.SouthWest.Lat()), box.NorthEast.Lat()), lng)
	}
	if at.IsValid() && near.IsValid() && shape.Miles(near, at) <= mostMiles {
		return true
	}
	return planar.MultiPolygonContains(b.ZIPOutlines.polygons[z], orb.Point{place.Location.Lng(), place.Location.Lat()})
}

// townDensity is the least number of people per square meter of a small town: 400 per
// square kilometer.
const townDensity = 400e-6

// pairAccepted pairs a city name that is preferred nowhere with the place of
// the state that has it for another name: "New York City" is New York.
func (b *names) pairAccepted() {
	named := map[string]*Entity{}
	key := func(e *Entity, name string) string { return b.States.Abbr(e.State) + " " + name }
	for _, e := range b.entities {
		if e.Kind != store.EntityPlace || e.State == 0 {
			continue
		}
		for _, k := range e.names.Other {
			if other := named[key(e, k)]; other == nil || e.residents > other.residents {
				named[key(e, k)] = e
			}
		}
	}
	for _, e := range b.entities {
		if e.Kind != store.EntityCity || !e.accepted || e.twin != nil {
			continue
		}
		if place := named[key(e, e.names.Own[0])]; place != nil {
			e.twin, e.residents, e.weight = place, place.residents, place.weight
		}
	}
}

// farFromStreets is how many miles the Gazetteer's point of a place may lie
// from the ZIP in the middle of its city. Those of San Francisco and Anchorage do.
const farFromStreets = 12

// closer reports whether place x is rather the city than place y.
func (b *names) closer(city, x, y *Entity) bool {
	if !city.Location.IsValid() || !x.Location.IsValid() || !y.Location.IsValid() {
		return x.residents > y.residents
	}
	return shape.Miles(city.Location, x.Location) < shape.Miles(city.Location, y.Location)
}

// numberEntities gives every entity its place in the table, for those that refer to it.
// It comes last, after the sort by kinds that the file requires.
func numberEntities(list []*Entity) {
	at := make(map[*Entity]int, len(list))
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

// postalCity is what gathers under one city name of the postal service in a
// state.
type postalCity struct {
	spellings map[string]float64 // residents by spelling
	raw       []string           // as the Postal Service writes the name
	zips      []postcode.ZIP     // with the name as preferred or acceptable
	preferred headcount
	any       headcount
	counties  map[store.CountyID]float64
}

// addCities makes entities of the preferred city names of the postal service,
// and of those that are acceptable on the last line of an address. Abbreviations
// of another name of the same ZIP are other names of that city.
func (b *names) addCities() {
	found := map[[2]string]*postalCity{}
	// take adds a name of a ZIP. Names gather under one key: "St Louis" and "Saint Louis"
	// are one city, shown in the spelling with most residents.
	take := func(z *ZIP, raw string, preferred bool) *postalCity {
		name := inFull(raw, z.State)
		key := [2]string{z.State, namekey.Of(name)}
		c := found[key]
		if c == nil {
			c = &postalCity{spellings: map[string]float64{}, counties: map[store.CountyID]float64{}}
			found[key] = c
		}
		n := b.residents[z.Row.ZIP]
		c.spellings[name] += n
		c.raw = append(c.raw, raw)
		c.zips = append(c.zips, z.Row.ZIP)
		c.any.add(z.Detail.Population, n)
		if preferred {
			c.preferred.add(z.Detail.Population, n)
		}
		c.counties[z.Row.County] += n
		return c
	}
	for _, z := range b.ZIPs.List {
		if z.Row.City == "" {
			continue
		}
		full := cmp.Or(longerName(z, z.Row.City), z.Row.City)
		c := take(z, full, true)
		c.raw = append(c.raw, z.Row.City)
		for _, a := range z.Detail.Aliases {
			switch other := longerName(z, a.City); {
			case a.MailingName == "N", a.City == full:
			case other == full:
				c.raw = append(c.raw, a.City)
			case other == "":
				take(z, a.City, false)
			}
		}
	}
	b.postalCities = map[[2]string]*Entity{}
	keys := slices.SortedFunc(maps.Keys(found), func(x, y [2]string) int {
		return cmp.Or(strings.Compare(x[0], y[0]), strings.Compare(x[1], y[1]))
	})
	for _, key := range keys {
		c := found[key]
		e := Entity{
			Entity: store.Entity{
				Kind: store.EntityCity, Name: heaviest(c.spellings), State: b.States.ID(store.US, key[0]), County: heaviest(c.counties),
				Population: c.preferred.population(), ZIPs: slices.Compact(c.zips),
			},
			residents: c.preferred.assumed, weight: 1,
		}
		if c.preferred.assumed == 0 { // no ZIP prefers the name
			e.Population, e.residents, e.weight, e.accepted = c.any.population(), c.any.assumed, aliasWeight, true
		}
		e.Location = b.center(e.ZIPs)
		e.Box = b.ZIPOutlines.box(e.ZIPs...)
		if d := b.entity(e, c.raw...); d != nil {
			b.postalCities[key] = d
		}
	}
}

// longerName returns the name of the ZIP that a name abbreviates, or "".
func longerName(z *ZIP, name string) string {
	if abbreviates(name, z.Row.City) {
		return z.Row.City
	}
	for _, a := range z.Detail.Aliases {
		if a.MailingName != "N" && abbreviates(name, a.City) {
			return a.City
		}
	}
	return ""
}

// center returns the point of the ZIP that is nearest to the residents' mean. The mean
// itself may lie in a bay, or in the city in the middle of a ring of suburbs.
func (b *names) center(zips []postcode.ZIP) (best geo.LatLng) {
	var at middle
	for _, code := range zips {
		at.add(b.ZIPs.At[code].Row.Location, b.residents[code])
	}
	mid := at.point()
	nearest := -1.0
	for _, code := range zips {
		p := b.ZIPs.At[code].Row.Location
		if !p.IsValid() {
			continue
		}
		if d := shape.Miles(p, mid); nearest < 0 || d < nearest {
			best, nearest = p, d
		}
	}
	return best
}

// inFull returns a city name of the Postal Service without its abbreviations:
// "North Bridgton" for "N Bridgton". It omits the mark of a mail plant, with the
// state before it: "Wilkes Barre" for "Wilkes Barre Pa S&DC".
func inFull(name, state string) string {
	words := strings.Fields(name)
	if n := len(words); n > 1 && slices.Contains(mailPlants, words[n-1]) {
		if words = words[:n-1]; n > 2 && strings.EqualFold(words[n-2], state) {
			words = words[:n-2]
		}
	}
	for i, w := range words {
		switch full, ok := postalWords[w]; {
		case ok && (i > 0 || !lastOnly[w]):
			words[i] = full
		case i == 0 && len(words) > 1 && directions[w] != "":
			words[i] = directions[w]
		}
	}
	return strings.Join(words, " ")
}

// mailPlants mark plants in city names.
var mailPlants = []string{"S&DC", "P&DC", "P&DF", "L&DC", "NDC", "BMC", "AMF", "GMF"}

var directions = map[string]string{"N": "North", "S": "South", "E": "East", "W": "West", "So": "South"}

// postalWords are abbreviations in city names, which the Postal Service writes in
// 13 letters.
var postalWords = map[string]string{
	"Bch": "Beach", "Brg": "Bridge", "Clg": "College", "Crk": "Creek", "Ctr": "Center", "Cty": "City", "Fls": "Falls", "Frk": "Fork", "Ft": "Fort",
	"Gdns": "Gardens", "Grv": "Grove", "Hbr": "Harbor", "Hl": "Hill", "Hls": "Hills", "Hts": "Heights", "Jct": "Junction", "Lk": "Lake", "Lndg": "Landing",
	"Mls": "Mills", "Mt": "Mount", "Mtn": "Mountain", "Pk": "Park", "Plt": "Plant", "Pt": "Point", "Rdg": "Ridge", "Shrs": "Shores", "Spg": "Spring",
	"Spgs": "Springs", "Sta": "Station", "Twp": "Township", "Univ": "University", "Vlg": "Village", "Vly": "Valley", "Xing": "Crossing",
}

// lastOnly are abbreviations with another meaning at the beginning of a name, such
// as "Sta" for Santa.
var lastOnly = map[string]bool{"Sta": true, "Clg": true}

// abbreviates reports whether a city name is another spelling of a longer one: "Rcho
// Sta Marg" of "Rancho Santa Margarita". Every word has letters of the same word in
// their order, beginning with the first. "City of" before a name counts as well.
func abbreviates(short, full string) bool {
	const leastLetters = 8 // of one word; "Glen" is not Glendale
	if bare, ok := strings.CutPrefix(short, "City of "); ok && namekey.Of(bare) == namekey.Of(full) {
		return true
	}
	a, b := strings.Fields(namekey.Of(short)), strings.Fields(namekey.Of(full))
	if len(a) != len(b) || len(a) == 1 && len(a[0]) < leastLetters || len(short) >= len(full) {
		return false
	}
	for i := range a {
		if a[i][0] != b[i][0] || !within(a[i], b[i]) {
			return false
		}
	}
	return true
}

// within reports whether a word has the letters of a shorter one in their order. Taking
// the first fitting letter each time never misses a way to fit all.
func within(short, word string) bool {
	for i := 0; i < len(word) && short != ""; i++ {
		if word[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}
