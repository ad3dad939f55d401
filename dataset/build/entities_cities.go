package build

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/namekey"
	"github.com/postgeo/postgeo/geo"
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

// cityEntities makes entities of the city names of the postal service: those
// that are preferred for some ZIP, and those that may stand on the last line
// of an address. APO, FPO and DPO are none.
func cityEntities(_ context.Context, b *builder) error {
	t := &b.tables
	found := map[[2]string]*postalCity{}
	take := func(z *zipDraft, name string, preferred bool) {
		key := [2]string{z.state, namekey.Of(name)}
		c := found[key]
		if c == nil {
			c = &postalCity{spellings: map[string]float64{}, counties: map[dataset.CountyID]float64{}}
			found[key] = c
		}
		n := t.residents[z.row.ZIP]
		c.spellings[name] += n
		c.zips = append(c.zips, z.row.ZIP)
		c.any.add(b, z)
		if preferred {
			c.preferred.add(b, z)
		}
		c.at.add(z.row.Location, n)
		c.counties[z.row.County] += n
	}
	for _, z := range t.zips {
		if z.row.Class == dataset.Military || z.row.City == "" {
			continue
		}
		take(z, z.row.City, true)
		for _, a := range z.detail.Aliases {
			if a.MailingName != "N" {
				take(z, a.City, false)
			}
		}
	}
	t.postalCities = map[[2]string]*entityDraft{}
	keys := slices.SortedFunc(maps.Keys(found), func(x, y [2]string) int {
		return cmp.Or(strings.Compare(x[0], y[0]), strings.Compare(x[1], y[1]))
	})
	for _, key := range keys {
		c := found[key]
		e := entityDraft{
			Entity: dataset.Entity{
				Kind: dataset.EntityCity, Name: heaviest(c.spellings), State: b.state(dataset.US, key[0]), County: heaviest(c.counties),
				Population: c.preferred.population(), ZIPs: slices.Compact(c.zips),
			},
			residents: c.preferred.assumed, weight: 1,
		}
		if c.preferred.assumed == 0 {
			e.Population, e.residents, e.weight, e.accepted = c.any.population(), c.any.assumed, aliasWeight, true
		}
		e.Location = b.heart(e.ZIPs, c.at)
		if t.bounds != nil {
			e.Box = boxOf(t.bounds.zips, e.ZIPs...)
		}
		if d := b.entity(e); d != nil {
			t.postalCities[key] = d
		}
	}
	return nil
}

// heart returns the point of the ZIP that is nearest to the middle of all.
func (b *builder) heart(zips []dataset.ZIP, at middle) (best geo.LatLng) {
	mid := at.point()
	nearest := -1.0
	for _, code := range zips {
		p := b.tables.zipAt[code].row.Location
		if !p.IsValid() {
			continue
		}
		if d := miles(p, mid); nearest < 0 || d < nearest {
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
