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
	zips      []dataset.ZIP      // with the name as preferred or acceptable
	preferred headcount
	any       headcount
	at        middle
	counties  map[dataset.CountyID]float64
}

// addCities makes entities of the preferred city names of the postal service,
// and of those that are acceptable on the last line of an address. APO, FPO and
// DPO are not cities.
func (b *names) addCities(context.Context) error {
	found := map[[2]string]*postalCity{}
	take := func(z *draft.ZIP, name string, preferred bool) {
		key := [2]string{z.State, namekey.Of(name)}
		c := found[key]
		if c == nil {
			c = &postalCity{spellings: map[string]float64{}, counties: map[dataset.CountyID]float64{}}
			found[key] = c
		}
		n := b.residents[z.Row.ZIP]
		c.spellings[name] += n
		c.zips = append(c.zips, z.Row.ZIP)
		c.any.add(b, z)
		if preferred {
			c.preferred.add(b, z)
		}
		c.at.add(z.Row.Location, n)
		c.counties[z.Row.County] += n
	}
	for _, z := range b.ZIPs.List {
		if z.Row.Class == dataset.Military || z.Row.City == "" {
			continue
		}
		take(z, z.Row.City, true)
		for _, a := range z.Detail.Aliases {
			if a.MailingName != "N" {
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
		if d := b.entity(e); d != nil {
			b.postalCities[key] = d
		}
	}
	return nil
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
