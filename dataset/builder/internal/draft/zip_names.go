package draft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// NameZIPs gives each ZIP its city and aliases in proper case. It takes the
// preferred name of the City State product, else of the user's table, else
// GeoNames' place, else the crosswalk's. The city of a military ZIP is the kind
// of its post office (APO, FPO, DPO). The user's acceptable names are aliases
// for the last line of an address.
func (d *Draft) NameZIPs(_ context.Context) error {
	for _, z := range d.ZIPs.List {
		name := z.RawName()
		if z.Row.Class == store.Military {
			z.Row.City = militaryCity(name)
			continue
		}
		z.Row.City = d.Gazetteer.Spelling.Spell(z.State, name)
		if z.Row.City != name {
			d.Applied("spelling of a city", name+" → "+z.Row.City)
		}
		z.Detail.Aliases = d.aliases(z)
	}
	return nil
}

// militaryCity returns APO, FPO or DPO, the first word of the name.
func militaryCity(name string) string {
	first, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(name)), " ")
	switch first {
	case "FPO", "DPO":
		return first
	default:
		return "APO"
	}
}

func (d *Draft) aliases(z *ZIP) []store.CityAlias {
	var aliases []store.CityAlias
	seen := map[string]bool{Fold(z.Row.City): true}
	add := func(name, mailing string) {
		name = d.Gazetteer.Spelling.Spell(z.State, name)
		if key := Fold(name); key != "" && !seen[key] {
			seen[key] = true
			aliases = append(aliases, store.CityAlias{City: name, MailingName: mailing})
		}
	}
	if len(z.CityState) > 0 {
		for _, r := range z.CityState {
			mailing := "N"
			if r.Mailing {
				mailing = "Y"
			}
			add(r.Name, mailing)
		}
		return aliases
	}
	if z.Supplied != nil {
		for _, name := range z.Supplied.Acceptable {
			add(name, "Y")
		}
	}
	return aliases
}

// inCity reports whether the post office lies near the city of its name or near
// the area of another ZIP of the city. The Gazetteer's point of a city with
// much water, such as San Francisco, may lie far from its streets.
func (b *postOffices) inCity(z *ZIP) bool {
	const near = 10 // miles
	place, ok := b.Gazetteer.City(z)
	if !ok || shape.Miles(z.Post, place.Location) <= reach(place) {
		return ok
	}
	return slices.ContainsFunc(b.cityAreas[z.CityKey()], func(at geo.LatLng) bool { return shape.Miles(z.Post, at) <= near })
}

// gatherCityAreas collects the points of the ZCTAs of general ZIPs by city.
func (b *postOffices) gatherCityAreas() {
	b.cityAreas = map[[2]string][]geo.LatLng{}
	for _, z := range b.ZIPs.List {
		own, ok := b.ZCTAs[z.Row.ZIP.String()]
		if ok && z.Row.Class == store.General && own.Location.IsValid() {
			key := z.CityKey()
			b.cityAreas[key] = append(b.cityAreas[key], own.Location)
		}
	}
}

// reach is the distance of post offices from the point of a place. It is 15
// miles, or 2.5 times the radius of a circle of its land for large cities.
func reach(place source.GazetteerRow) float64 {
	const least = 15.0 // miles
	return max(least, 2.5*shape.Radius(place.Land))
}

// bringHome moves a PO Box ZIP whose post office lies far from the city of its
// name to the point of that city. The state must have a single city of the
// name, in the county of the sources if outlines exist.
func (b *postOffices) bringHome(z *ZIP) {
	place, ok := b.Gazetteer.City(z)
	if !ok || z.Row.Class != store.POBox || !z.Post.IsValid() || b.inCity(z) {
		return
	}
	if g := z.GeoNames; g != nil && g.CountyCode != "" && b.CountyAreas != nil {
		if fips := b.CountyAreas.First(place.Location); fips != "" && fips != b.States.FIPS(z.Row.State)+g.CountyCode {
			return
		}
	}
	b.Applied("PO Box ZIP far from the city of its name takes the city's point",
		fmt.Sprintf("%s %s, %.0f miles", z.Row.ZIP, place.Name, shape.Miles(z.Post, place.Location)))
	z.Post = place.Location
	z.Offices = slices.Insert(z.Offices, 0, Located{At: place.Location, Source: pointCity})
}
