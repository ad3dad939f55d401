package draft

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// farMiles is the limit between a point and that of the ZCTA of the same code,
// or between the points of two sources. Beyond it one of them is an error. The
// largest ZCTAs, in Alaska and Nevada, reach about as far.
const farMiles = 60

// Sources of points, as [store.Quality] has them.
const (
	pointPeople    = "block-group centers 2020"
	pointSupplied  = "zip_code_database.csv"
	pointGeoNames  = "GeoNames"
	pointGazetteer = "Gazetteer"
	pointCity      = "Gazetteer, the city"
	pointEnclosing = "Gazetteer, the enclosing ZCTA"
)

// postOffices finds the post office of each ZIP and the middle of its area.
// Military ZIPs have neither: their mail leaves the country, and GeoNames has
// bases of decades ago for them.
type postOffices struct {
	*Draft

	cityAreas map[[2]string][]geo.LatLng // points of ZCTAs of general ZIPs by state and city
}

// PlacePostOffices places the post offices of ZIP Codes.
func (d *Draft) PlacePostOffices(_ context.Context) error {
	b := &postOffices{Draft: d}
	b.gatherCityAreas()
	for _, z := range b.ZIPs.List {
		if z.Row.Class == store.Military {
			continue
		}
		z.Middle = b.middle(z)
		if z.Offices = b.offices(z); len(z.Offices) > 0 {
			z.Post = z.Offices[0].At
		}
		b.bringHome(z)
	}
	return nil
}

// offices returns the points of the user's table and of GeoNames. GeoNames
// comes first if the two are more than 60 miles apart. The table then mostly
// has another place, or a longitude of the wrong sign.
func (b *postOffices) offices(z *ZIP) []Located {
	var all []Located
	if z.Supplied != nil && z.Supplied.Location.IsValid() {
		all = append(all, Located{At: z.Supplied.Location, Source: pointSupplied})
	}
	if z.GeoNames != nil && z.GeoNames.Location.IsValid() {
		all = append(all, Located{At: z.GeoNames.Location, Source: pointGeoNames})
	}
	if _, hasZCTA := b.ZCTAs[z.Row.ZIP.String()]; hasZCTA || len(all) < 2 {
		return all
	}
	if d := shape.Miles(all[0].At, all[1].At); d > farMiles {
		b.Applied("sources disagree about the point, GeoNames' is taken", fmt.Sprintf("%s, %.0f miles", z.Row.ZIP, d))
		all[0], all[1] = all[1], all[0]
	}
	return all
}

// middle returns the Gazetteer's point of the ZCTA of the same code, else of the
// one that encloses the ZIP.
func (b *postOffices) middle(z *ZIP) Located {
	if own, ok := b.ZCTAs[z.Row.ZIP.String()]; ok {
		return Located{At: own.Location, Source: pointGazetteer}
	}
	if z.UDS == nil {
		return Located{}
	}
	return Located{At: b.ZCTAs[z.UDS.ZCTA].Location, Source: pointEnclosing}
}

// reviewedPoints are the points of post offices that other lists lack or have in
// another place. They lie in the place that the Postal Service names.
var reviewedPoints = map[postcode.ZIP]geo.LatLng{
	96898: geo.MustLatLng(19.2836, 166.6419), // Wake Island, which lists have under the county of Honolulu
	96941: geo.MustLatLng(6.9640, 158.2090),  // Kolonia, Pohnpei
	96942: geo.MustLatLng(7.4467, 151.8430),  // Weno, Chuuk
	96943: geo.MustLatLng(9.5144, 138.1292),  // Colonia, Yap
	96944: geo.MustLatLng(5.3253, 163.0086),  // Tofol, Kosrae
}

// points gives each ZIP but military ones its point: the first candidate in the
// county of the record, or the first of all. A general ZIP with an outline lies
// within it, even if the outline lies outside that county.
//
//   - A general ZIP lies where its people are, at the mean of the centers of
//     population within its outline. If the mean lies outside the outline or the
//     county, the nearest of these centers is used. Then come the user's table and
//     GeoNames, unless they have it far outside an area of its size, the city of its
//     name, if it lies within, the Gazetteer, and any point within the outline.
//   - Any other ZIP lies at its post office.
type points struct {
	*Draft

	homes *shape.Homes[postcode.ZIP]
}

// ChoosePoints decides the points of ZIP Codes.
func (d *Draft) ChoosePoints(_ context.Context) (err error) {
	b := &points{Draft: d}
	if b.homes, err = b.ZIPOutlines.Areas.Homes(nil); err != nil {
		return err
	}
	outlined := b.CountyAreas.Ids()
	for _, z := range b.ZIPs.List {
		if z.Row.Class == store.Military {
			continue
		}
		county := ""
		if z.Row.County != 0 && outlined[b.Counties.FIPS(z.Row.County)] {
			county = b.Counties.FIPS(z.Row.County)
		}
		b.choosePoint(z, county)
	}
	return nil
}

// choosePoint takes the first candidate within the ZIP's outline and the county,
// else the first within the outline, else the first in the county; "" takes any.
func (b *points) choosePoint(z *ZIP, county string) {
	const inCounty, inOutline = 1, 2
	outlined := b.homes.Has(z.Row.ZIP)
	var first, best Located
	merit := -1
	try := func(c Located) (enough bool) {
		if !c.At.IsValid() {
			return false
		}
		if !first.At.IsValid() {
			first = c
		}
		m := 0
		if county == "" || b.CountyAreas.Contains(county, c.At) {
			m += inCounty
		}
		if !outlined || b.homes.Holds(z.Row.ZIP, c.At) {
			m += inOutline
		}
		if m > merit {
			best, merit = c, m
		}
		return m == inCounty+inOutline
	}
	for _, c := range b.candidates(z) {
		if try(c) {
			break
		}
	}
	if merit < inOutline && outlined {
		try(Located{At: b.homes.Within(z.Row.ZIP), Source: pointOutline})
	}
	z.Row.Location, z.Quality.PointSource = best.At, best.Source
	if merit < 0 {
		return
	}
	switch {
	case best != first:
		b.Applied("point outside the outline or the county of the record refused",
			fmt.Sprintf("%s, %s: %.1f miles from the one taken, %s", z.Row.ZIP, first.Source, shape.Miles(first.At, best.At), best.Source))
	case len(z.Offices) == 0 && best == z.Middle:
		b.Applied("missing point of a post office, "+best.Source, z.Row.ZIP.String())
	}
	switch {
	case merit&inCounty != 0:
	case outlined && merit >= inOutline:
		b.Applied("point within the outline, outside the county of the record", z.Row.ZIP.String()+", "+best.Source)
		z.Quality.Notes = append(z.Quality.Notes, "The point lies within the outline, outside the county.")
	default:
		b.Applied("point outside the county of the record, as are all candidates", z.Row.ZIP.String()+", "+best.Source)
		z.Quality.Notes = append(z.Quality.Notes, "The point lies outside the county, as do the points of all sources.")
	}
}

// candidates returns the points that sources have for a ZIP, the best first.
func (b *points) candidates(z *ZIP) []Located {
	if at, ok := reviewedPoints[z.Row.ZIP]; ok {
		return []Located{{At: at, Source: pointReviewed}}
	}
	people := b.amongPeople(z.Row.ZIP)
	middle := []Located{z.Middle}
	if place, ok := b.Gazetteer.City(z); ok && b.homes.Holds(z.Row.ZIP, place.Location) {
		middle = slices.Insert(middle, 0, Located{At: place.Location, Source: pointCity})
	} else if ok {
		middle = append(middle, Located{At: place.Location, Source: pointCity})
	}
	switch {
	case z.Row.Class != store.General:
		return slices.Concat(z.Offices, people, middle)
	case b.afar(z):
		return slices.Concat(people, middle, z.Offices)
	default:
		return slices.Concat(people, z.Offices, middle)
	}
}

// afar reports whether the post office of a ZIP lies too far from the
// Gazetteer's point to be within the ZCTA. The limits are 4 miles and three
// times the radius of a circle of its size. Small ZCTAs of a campus or a base
// have the point of the next city in other lists. Beyond 60 miles the
// Gazetteer's point lies in another part of a large ZCTA.
func (b *points) afar(z *ZIP) bool {
	const least = 4.0 // miles
	own, ok := b.ZCTAs[z.Row.ZIP.String()]
	if !ok || !z.Post.IsValid() {
		return false
	}
	radius := shape.Radius(own.Land + own.Water)
	d := shape.Miles(z.Post, own.Location)
	return d > max(least, 3*radius) && d <= farMiles
}

// amongPeople returns the point among the people within the outline of a ZIP,
// and the centers with people, the nearest to it first.
func (b *points) amongPeople(zip postcode.ZIP) []Located {
	mean := b.Residents.At[zip]
	if !mean.IsValid() {
		return nil
	}
	all := []Located{{At: mean, Source: pointPeople}}
	for _, c := range byDistance(b.Residents.Of[zip], mean) {
		all = append(all, Located{At: c.At, Source: pointPeople})
	}
	return all
}
