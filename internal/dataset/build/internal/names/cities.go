package names

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/shape"
	"github.com/postgeo/postgeo/internal/dataset/namekey"
)

// postalCity is what gathers under one city name of the postal service in a
// state.
type postalCity struct {
	spellings map[string]float64 // residents by spelling
	raw       []string           // as the Postal Service writes the name
	zips      []dataset.ZIP      // with the name as preferred or acceptable
	preferred headcount
	any       headcount
	at        middle
	counties  map[dataset.CountyID]float64
}

// addCities makes entities of the preferred city names of the postal service,
// and of those that are acceptable on the last line of an address. Abbreviations
// of another name of the same ZIP are other names of that city.
func (b *names) addCities(context.Context) error {
	found := map[[2]string]*postalCity{}
	take := func(z *draft.ZIP, raw string, preferred bool) *postalCity {
		name := inFull(raw, z.State)
		key := [2]string{z.State, namekey.Of(name)}
		c := found[key]
		if c == nil {
			c = &postalCity{spellings: map[string]float64{}, counties: map[dataset.CountyID]float64{}}
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
		c.at.add(z.Row.Location, n)
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
			Entity: dataset.Entity{
				Kind: dataset.EntityCity, Name: heaviest(c.spellings), State: b.States.ID(dataset.US, key[0]), County: heaviest(c.counties),
				Population: c.preferred.population(), ZIPs: slices.Compact(c.zips),
			},
			residents: c.preferred.assumed, weight: 1,
		}
		if c.preferred.assumed == 0 {
			e.Population, e.residents, e.weight, e.accepted = c.any.population(), c.any.assumed, aliasWeight, true
		}
		e.Location = b.heart(e.ZIPs, c.at)
		e.Box = shape.BoxOf(b.ZIPOutlines.Areas, e.ZIPs...)
		if d := b.entity(e, c.raw...); d != nil {
			b.postalCities[key] = d
		}
	}
	return nil
}

// longerName returns the name of the ZIP that a name abbreviates, or "".
func longerName(z *draft.ZIP, name string) string {
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

// heart returns the point of the ZIP that is nearest to the middle of all.
func (b *names) heart(zips []dataset.ZIP, at middle) (best geo.LatLng) {
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

// heaviest returns the key of the greatest weight, the first of equals.
func heaviest[K cmp.Ordered](weights map[K]float64) (best K) {
	most := -1.0
	for _, k := range slices.Sorted(maps.Keys(weights)) {
		if weights[k] > most {
			best, most = k, weights[k]
		}
	}
	return best
}
