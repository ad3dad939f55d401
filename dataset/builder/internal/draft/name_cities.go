package draft

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

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
		c.any.add(b, z)
		if preferred {
			c.preferred.add(b, z)
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
		if c.preferred.assumed == 0 {
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

// center returns the point of the ZIP that is nearest to the residents' mean.
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

// within reports whether a word has the letters of a shorter one in their order.
func within(short, word string) bool {
	for i := 0; i < len(word) && short != ""; i++ {
		if word[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}
