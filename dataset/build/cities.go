package build

import (
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/geo"
)

// cities are the places of the Gazetteer by state and folded name; a name that
// several places of a state bear leads to all of them.
type cities map[[2]string][]source.GazetteerRow

// add takes a place, not a county subdivision.
func (c cities) add(r source.GazetteerRow) {
	const placeDigits = 7
	if len(r.GEOID) != placeDigits || !r.Location.IsValid() {
		return
	}
	key := [2]string{r.State, fold(saintInFull(plainName(r.Name)))}
	c[key] = append(c[key], r)
}

// city returns the one place of the state that bears the name of the ZIP's city.
func (b *builder) city(z *zipDraft) (source.GazetteerRow, bool) {
	found := b.tables.cities[b.cityKey(z)]
	if len(found) != 1 {
		return source.GazetteerRow{}, false
	}
	return found[0], true
}

// inCity reports whether the post office lies about where the city of its name
// is, or near the area of another ZIP of the city: the Gazetteer's point of a
// city with much water, as of San Francisco, may lie far from its streets.
func (b *builder) inCity(z *zipDraft) bool {
	const near = 10 // miles
	place, ok := b.city(z)
	if !ok || miles(z.post, place.Location) <= reach(place) {
		return ok
	}
	return slices.ContainsFunc(b.tables.cityAreas[b.cityKey(z)], func(at geo.LatLng) bool { return miles(z.post, at) <= near })
}

// gatherCityAreas collects the points of the ZCTAs of general ZIPs by city.
func (b *builder) gatherCityAreas() {
	b.tables.cityAreas = map[[2]string][]geo.LatLng{}
	for _, z := range b.tables.zips {
		own, ok := b.tables.zctas[z.row.ZIP.String()]
		if ok && z.row.Class == dataset.General && own.Location.IsValid() {
			key := b.cityKey(z)
			b.tables.cityAreas[key] = append(b.tables.cityAreas[key], own.Location)
		}
	}
}

// cityKey is the key of [cities] for the city of a ZIP.
func (b *builder) cityKey(z *zipDraft) [2]string {
	return [2]string{z.state, fold(saintInFull(z.rawName()))}
}

// reach is how far from a place's point its post offices lie: 15 miles, or 2.5
// times the radius of a circle of its land for large cities.
func reach(place source.GazetteerRow) float64 {
	const (
		least        = 15.0 // miles
		metresInMile = 1609.344
	)
	return max(least, 2.5*math.Sqrt(float64(place.Land)/math.Pi)/metresInMile)
}

// bringHome gives a PO Box ZIP whose post office the sources have far from the
// city of its name the point of that city, where the state has a single one,
// in the county that the sources name as far as outlines can tell.
func (b *builder) bringHome(z *zipDraft) {
	place, ok := b.city(z)
	if !ok || z.row.Class != dataset.POBox || !z.post.IsValid() || b.inCity(z) {
		return
	}
	if g := z.geoNames; g != nil && g.CountyCode != "" && b.tables.countyAreas != nil {
		if fips := b.tables.countyAreas.first(place.Location); fips != "" && fips != b.tables.states[z.row.State-1].FIPS+g.CountyCode {
			return
		}
	}
	b.report.applied("PO Box ZIP far from the city of its name takes the city's point",
		fmt.Sprintf("%s %s, %.0f miles", z.row.ZIP, place.Name, miles(z.post, place.Location)))
	z.post = place.Location
	z.offices = slices.Insert(z.offices, 0, located{place.Location, pointCity})
}
