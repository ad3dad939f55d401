package build

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// farMiles is how far a point may lie from the point of the ZCTA of the same
// code, or the points of two sources from each other, before one is taken for
// an error. The largest ZCTAs, in Alaska and Nevada, reach about as far.
const farMiles = 60

// Sources of points, as [dataset.Quality] has them.
const (
	pointPeople    = "block-group centers 2020"
	pointSupplied  = "zip_code_database.csv"
	pointGeoNames  = "GeoNames"
	pointGazetteer = "Gazetteer"
	pointCity      = "Gazetteer, the city"
	pointEnclosing = "Gazetteer, the enclosing ZCTA"
)

// A located point is one that a source has for a code.
type located struct {
	at     geo.LatLng
	source string
}

// derivePostOffices finds where the post office of each ZIP lies, and the middle
// of its area. Military ZIPs have neither: their mail leaves the country, and
// the points that GeoNames has for them are bases of decades ago.
func derivePostOffices(_ context.Context, b *builder) error {
	b.gatherCityAreas()
	for _, z := range b.tables.zips {
		if z.row.Class == dataset.Military {
			continue
		}
		z.middle = b.middle(z)
		if z.offices = b.postOffices(z); len(z.offices) > 0 {
			z.post = z.offices[0].at
		}
		b.bringHome(z)
	}
	return nil
}

// postOffices returns the points of the user's table and of GeoNames. The
// latter goes first if the two are farther apart than 60 miles: the table then
// mostly has another place of the name, or a longitude of the wrong sign.
func (b *builder) postOffices(z *zipDraft) []located {
	var all []located
	if z.supplied != nil && z.supplied.Location.IsValid() {
		all = append(all, located{z.supplied.Location, pointSupplied})
	}
	if z.geoNames != nil && z.geoNames.Location.IsValid() {
		all = append(all, located{z.geoNames.Location, pointGeoNames})
	}
	if _, hasZCTA := b.tables.zctas[z.row.ZIP.String()]; hasZCTA || len(all) < 2 {
		return all
	}
	if d := miles(all[0].at, all[1].at); d > farMiles {
		b.report.applied("sources disagree about the point, GeoNames' is taken", fmt.Sprintf("%s, %.0f miles", z.row.ZIP, d))
		all[0], all[1] = all[1], all[0]
	}
	return all
}

// middle returns the Gazetteer's point of the ZCTA of the same code, else of the
// one that encloses the ZIP.
func (b *builder) middle(z *zipDraft) located {
	if own, ok := b.tables.zctas[z.row.ZIP.String()]; ok {
		return located{own.Location, pointGazetteer}
	}
	if z.uds == nil {
		return located{}
	}
	return located{b.tables.zctas[z.uds.ZCTA].Location, pointEnclosing}
}

// derivePoints gives each ZIP but military ones its point: the first candidate
// in the county of the record, or the first of all if none lies there.
//
//   - A general ZIP lies where its people are: at the mean of the centers of
//     population within its outline, or at the nearest of these centers if the
//     mean lies outside the outline or the county. Then come the user's table and
//     GeoNames, unless they have it far outside an area of its size, and the
//     Gazetteer.
//   - Any other ZIP lies at its post office, unless that is farther than 60 miles
//     from the ZCTA of the same code. A PO Box ZIP in the city of its name stays
//     there.
func derivePoints(_ context.Context, b *builder) error {
	outlined := map[string]bool{} // counties with an outline
	if b.tables.countyAreas != nil {
		for i := range b.tables.countyAreas.parts {
			outlined[b.tables.countyAreas.parts[i].id] = true
		}
	}
	for _, z := range b.tables.zips {
		if z.row.Class == dataset.Military {
			continue
		}
		county := ""
		if z.row.County != 0 && outlined[b.tables.counties[z.row.County-1].FIPS] {
			county = b.tables.counties[z.row.County-1].FIPS
		}
		b.choosePoint(z, county)
	}
	return nil
}

// choosePoint takes the first candidate that lies in the county; "" takes any.
func (b *builder) choosePoint(z *zipDraft, county string) {
	var first located
	for _, c := range b.candidates(z, county) {
		if !c.at.IsValid() {
			continue
		}
		if !first.at.IsValid() {
			first = c
		}
		if county == "" || b.tables.countyAreas.contains(county, c.at) {
			z.row.Location, z.quality.PointSource = c.at, c.source
			switch {
			case c != first:
				b.report.applied("point outside the county of the record refused",
					fmt.Sprintf("%s, %s: %.1f miles from the one taken, %s", z.row.ZIP, first.source, miles(first.at, c.at), c.source))
			case len(z.offices) == 0 && c == z.middle:
				b.report.applied("missing point of a post office, "+c.source, z.row.ZIP.String())
			}
			return
		}
	}
	if first.at.IsValid() {
		b.report.applied("point outside the county of the record, as are all candidates", z.row.ZIP.String()+", "+first.source)
		z.quality.Notes = append(z.quality.Notes, "The point lies outside the county, as do the points of all sources.")
	}
	z.row.Location, z.quality.PointSource = first.at, first.source
}

// candidates returns the points that sources have for a ZIP, the best first.
func (b *builder) candidates(z *zipDraft, county string) []located {
	people := b.amongPeople(z.row.ZIP, county)
	middle := []located{z.middle}
	if place, ok := b.city(z); ok {
		middle = append(middle, located{place.Location, pointCity})
	}
	switch {
	case z.row.Class == dataset.General && b.afar(z):
		return slices.Concat(people, middle, z.offices)
	case z.row.Class == dataset.General:
		return slices.Concat(people, z.offices, middle)
	case z.middle.source == pointGazetteer && z.post.IsValid() && miles(z.post, z.middle.at) > farMiles && (z.row.Class != dataset.POBox || !b.inCity(z)):
		b.report.applied("far-off point gives way to the ZCTA's", fmt.Sprintf("%s, %.0f miles", z.row.ZIP, miles(z.post, z.middle.at)))
		return slices.Concat(people, middle, z.offices)
	default:
		return slices.Concat(z.offices, people, middle)
	}
}

// afar reports whether the post office of a ZIP lies so far from the Gazetteer's
// point that it cannot be within the ZCTA: farther than 4 miles and than three
// times the radius of a circle of its size. Small ZCTAs of a campus or a base
// have the point of the next city in other lists. Beyond 60 miles it is the
// Gazetteer's point that lies in another part of a large ZCTA.
func (b *builder) afar(z *zipDraft) bool {
	const (
		least        = 4.0 // miles
		metresInMile = 1609.344
	)
	own, ok := b.tables.zctas[z.row.ZIP.String()]
	if !ok || !z.post.IsValid() {
		return false
	}
	radius := math.Sqrt(float64(own.Land+own.Water)/math.Pi) / metresInMile
	d := miles(z.post, own.Location)
	return d > max(least, 3*radius) && d <= farMiles
}

// amongPeople returns the point where the people within the outline of a ZIP
// are, and the center nearest to it that lies in the county.
func (b *builder) amongPeople(zip dataset.ZIP, county string) []located {
	mean := b.tables.peopleAt[zip]
	if !mean.IsValid() {
		return nil
	}
	all := []located{{mean, pointPeople}}
	var own []center
	for _, c := range b.tables.residentsOf[zip] {
		if c.county == county {
			own = append(own, c)
		}
	}
	if c := nearestCenter(own, mean); c.at.IsValid() {
		all = append(all, located{c.at, pointPeople})
	}
	return all
}
