package codes

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/shape"
)

// farMiles is the limit between a point and that of the ZCTA of the same code,
// or between the points of two sources. Beyond it one of them is an error. The
// largest ZCTAs, in Alaska and Nevada, reach about as far.
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

// postOffices finds the post office of each ZIP and the middle of its area.
// Military ZIPs have neither: their mail leaves the country, and GeoNames has
// bases of decades ago for them.
type postOffices struct {
	*plan.Env
	States      *draft.States
	Gazetteer   *draft.Gazetteer
	ZCTAs       *draft.ZCTAs
	CountyAreas *draft.CountyAreas
	CityAreas   *CityAreas  `writes:"rows"`
	ZIPs        *draft.ZIPs `reads:"class" writes:"office"`
}

func (b *postOffices) Run(context.Context) error {
	b.gatherCityAreas()
	for _, z := range b.ZIPs.List {
		if z.Row.Class == dataset.Military {
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
func (b *postOffices) offices(z *draft.ZIP) []draft.Located {
	var all []draft.Located
	if z.Supplied != nil && z.Supplied.Location.IsValid() {
		all = append(all, draft.Located{At: z.Supplied.Location, Source: pointSupplied})
	}
	if z.GeoNames != nil && z.GeoNames.Location.IsValid() {
		all = append(all, draft.Located{At: z.GeoNames.Location, Source: pointGeoNames})
	}
	if _, hasZCTA := b.ZCTAs.ByCode[z.Row.ZIP.String()]; hasZCTA || len(all) < 2 {
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
func (b *postOffices) middle(z *draft.ZIP) draft.Located {
	if own, ok := b.ZCTAs.ByCode[z.Row.ZIP.String()]; ok {
		return draft.Located{At: own.Location, Source: pointGazetteer}
	}
	if z.UDS == nil {
		return draft.Located{}
	}
	return draft.Located{At: b.ZCTAs.ByCode[z.UDS.ZCTA].Location, Source: pointEnclosing}
}

// points gives each ZIP but military ones its point: the first candidate in the
// county of the record, or the first of all.
//
//   - A general ZIP lies where its people are, at the mean of the centers of
//     population within its outline. If the mean lies outside the outline or the
//     county, the nearest of these centers is used. Then come the user's table and
//     GeoNames, unless they have it far outside an area of its size, and the
//     Gazetteer.
//   - Any other ZIP lies at its post office, unless that is farther than 60 miles
//     from the ZCTA of the same code. A PO Box ZIP in the city of its name stays
//     there.
type points struct {
	*plan.Env
	Gazetteer   *draft.Gazetteer
	ZCTAs       *draft.ZCTAs
	CityAreas   *CityAreas
	Counties    *draft.Counties
	CountyAreas *draft.CountyAreas
	Residents   *draft.Residents
	ZIPs        *draft.ZIPs `reads:"class office county" writes:"point"`
}

func (b *points) Run(context.Context) error {
	outlined := b.CountyAreas.Areas.Ids()
	for _, z := range b.ZIPs.List {
		if z.Row.Class == dataset.Military {
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

// choosePoint takes the first candidate that lies in the county; "" takes any.
func (b *points) choosePoint(z *draft.ZIP, county string) {
	var first draft.Located
	for _, c := range b.candidates(z, county) {
		if !c.At.IsValid() {
			continue
		}
		if !first.At.IsValid() {
			first = c
		}
		if county == "" || b.CountyAreas.Areas.Contains(county, c.At) {
			z.Row.Location, z.Quality.PointSource = c.At, c.Source
			switch {
			case c != first:
				b.Applied("point outside the county of the record refused",
					fmt.Sprintf("%s, %s: %.1f miles from the one taken, %s", z.Row.ZIP, first.Source, shape.Miles(first.At, c.At), c.Source))
			case len(z.Offices) == 0 && c == z.Middle:
				b.Applied("missing point of a post office, "+c.Source, z.Row.ZIP.String())
			}
			return
		}
	}
	if first.At.IsValid() {
		b.Applied("point outside the county of the record, as are all candidates", z.Row.ZIP.String()+", "+first.Source)
		z.Quality.Notes = append(z.Quality.Notes, "The point lies outside the county, as do the points of all sources.")
	}
	z.Row.Location, z.Quality.PointSource = first.At, first.Source
}

// candidates returns the points that sources have for a ZIP, the best first.
func (b *points) candidates(z *draft.ZIP, county string) []draft.Located {
	people := b.amongPeople(z.Row.ZIP, county)
	middle := []draft.Located{z.Middle}
	if place, ok := b.Gazetteer.City(z); ok {
		middle = append(middle, draft.Located{At: place.Location, Source: pointCity})
	}
	switch {
	case z.Row.Class == dataset.General && b.afar(z):
		return slices.Concat(people, middle, z.Offices)
	case z.Row.Class == dataset.General:
		return slices.Concat(people, z.Offices, middle)
	case z.Middle.Source == pointGazetteer && z.Post.IsValid() && shape.Miles(z.Post, z.Middle.At) > farMiles && (z.Row.Class != dataset.POBox || !inCity(b.Gazetteer, b.CityAreas, z)):
		b.Applied("far-off point gives way to the ZCTA's", fmt.Sprintf("%s, %.0f miles", z.Row.ZIP, shape.Miles(z.Post, z.Middle.At)))
		return slices.Concat(people, middle, z.Offices)
	default:
		return slices.Concat(z.Offices, people, middle)
	}
}

// afar reports whether the post office of a ZIP lies too far from the
// Gazetteer's point to be within the ZCTA. The limits are 4 miles and three
// times the radius of a circle of its size. Small ZCTAs of a campus or a base
// have the point of the next city in other lists. Beyond 60 miles the
// Gazetteer's point lies in another part of a large ZCTA.
func (b *points) afar(z *draft.ZIP) bool {
	const least = 4.0 // miles
	own, ok := b.ZCTAs.ByCode[z.Row.ZIP.String()]
	if !ok || !z.Post.IsValid() {
		return false
	}
	radius := shape.Radius(own.Land + own.Water)
	d := shape.Miles(z.Post, own.Location)
	return d > max(least, 3*radius) && d <= farMiles
}

// amongPeople returns the point among the people within the outline of a ZIP,
// and the nearest center in the county.
func (b *points) amongPeople(zip dataset.ZIP, county string) []draft.Located {
	mean := b.Residents.At[zip]
	if !mean.IsValid() {
		return nil
	}
	all := []draft.Located{{At: mean, Source: pointPeople}}
	var own []draft.Center
	for _, c := range b.Residents.Of[zip] {
		if c.County == county {
			own = append(own, c)
		}
	}
	if c := nearestCenter(own, mean); c.At.IsValid() {
		all = append(all, draft.Located{At: c.At, Source: pointPeople})
	}
	return all
}
