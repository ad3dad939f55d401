package draft

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// A ZIP has three sorts of points, from which choosePoints takes one (decision D61):
//
//   - among people: the mean of the 2020 block-group centers in its outline, and the
//     centers,
//   - of its post office, in the supplied table and in GeoNames,
//   - of its area: the Gazetteer's for the ZCTA, or for the place of its name.
//
// The Gazetteer's internal point was once the first choice. For a large ZCTA it may lie
// hundreds of miles from the residents, and that of 90210 lies in Los Angeles. Post
// offices come before counties in the recipe, because a county may be decided by the
// point; the point of record comes after, because it has to lie in the county.

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

	cityAreas map[[2]string][]geo.LatLng // points of ZCTAs of general ZIPs by state and city, see inCity
}

// placePostOffices places the post offices of ZIP Codes.
func (d *Draft) placePostOffices() {
	b := &postOffices{d, map[[2]string][]geo.LatLng{}}
	for _, z := range d.ZIPs.List {
		if own := d.ZCTAs[z.Row.ZIP.String()]; own.Location.IsValid() && z.Row.Class == store.General {
			b.cityAreas[z.CityKey()] = append(b.cityAreas[z.CityKey()], own.Location)
		}
	}
	for _, z := range d.ZIPs.List {
		if z.Row.Class == store.Military {
			continue
		}
		z.Middle = b.middle(z)
		if z.Offices = b.offices(z); len(z.Offices) > 0 {
			z.Post = z.Offices[0].At
		}
		b.bringHome(z)
	}
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
	// That of a ZIP with a ZCTA is compared with the ZCTA instead, see afar.
	if _, hasZCTA := b.ZCTAs[z.Row.ZIP.String()]; hasZCTA || len(all) < 2 {
		return all
	}
	if d := shape.Miles(all[0].At, all[1].At); d > farMiles {
		b.applied("sources disagree about the point, GeoNames' is taken", fmt.Sprintf("%s, %.0f miles", z.Row.ZIP, d))
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

// choosePoints gives each ZIP but military ones its point: the first candidate in the
// county of the record, or the first of all. A general ZIP with an outline lies
// within it, even if the outline lies outside that county.
//
//   - A general ZIP lies where its people are, at the mean of the centers of
//     population within its outline. If the mean lies outside the outline or the
//     county, the nearest of these centers is used. Then come the user's table and
//     GeoNames, unless they have it far outside an area of its size, the city of its
//     name, if it lies within, the Gazetteer, and any point within the outline.
//   - Any other ZIP lies at its post office.
func (d *Draft) choosePoints() {
	for _, z := range d.ZIPs.List {
		if z.Row.Class != store.Military {
			d.choosePoint(z)
		}
	}
}

// choosePoint takes the first candidate within the ZIP's outline and its county, if they
// have outlines, else the first within the outline, else the first in the county.
//
// A candidate's merit is a sum of two bits. The outline counts more than the county: a
// point must resolve to its own ZIP, and a county of record may hardly touch the area.
// first is the point of the sources alone, for the report.
func (d *Draft) choosePoint(z *ZIP) {
	const inCounty, inOutline = 1, 2
	homes, outlined := d.ZIPOutlines.index(), d.ZIPOutlines.index().has(z.Row.ZIP)
	county := d.CountyOutlines.polygons[z.Row.County] != nil
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
		if !county || slices.Contains(d.CountyOutlines.index().at(c.At), z.Row.County) {
			m += inCounty
		}
		if !outlined || homes.holds(z.Row.ZIP, c.At) {
			m += inOutline
		}
		if m > merit {
			best, merit = c, m
		}
		return m == inCounty+inOutline
	}
	for _, c := range d.candidates(z) {
		if try(c) {
			break
		}
	}
	// If all candidates lie outside the outline, any point in it is better.
	if merit < inOutline && outlined {
		try(Located{At: homes.within(z.Row.ZIP), Source: pointOutline})
	}
	z.Row.Location, z.Detail.Quality.PointSource = best.At, best.Source
	if merit < 0 {
		return
	}
	switch {
	case best != first:
		d.applied("point outside the outline or the county of the record refused",
			fmt.Sprintf("%s, %s: %.1f miles from the one taken, %s", z.Row.ZIP, first.Source, shape.Miles(first.At, best.At), best.Source))
	case len(z.Offices) == 0 && best == z.Middle:
		d.applied("missing point of a post office, "+best.Source, z.Row.ZIP.String())
	}
	switch {
	case merit&inCounty != 0:
	case outlined && merit >= inOutline:
		d.applied("point within the outline, outside the county of the record", z.Row.ZIP.String()+", "+best.Source)
		z.Detail.Quality.Notes = append(z.Detail.Quality.Notes, "The point lies within the outline, outside the county.")
	default:
		d.applied("point outside the county of the record, as are all candidates", z.Row.ZIP.String()+", "+best.Source)
		z.Detail.Quality.Notes = append(z.Detail.Quality.Notes, "The point lies outside the county, as do the points of all sources.")
	}
}

// candidates returns the points that sources have for a ZIP, the best first. A reviewed
// point is the only one. If the point of the city of its name lies in the outline, it is
// better than the middle of the area, because the town is there. Otherwise it is worse.
func (d *Draft) candidates(z *ZIP) []Located {
	if at := islandOf(z.Row.ZIP).Point; at.IsValid() {
		return []Located{{At: at, Source: pointReviewed}}
	}
	people := d.amongPeople(z.Row.ZIP)
	middle := []Located{z.Middle}
	if place, ok := d.Gazetteer.City(z); ok && d.ZIPOutlines.index().holds(z.Row.ZIP, place.Location) {
		middle = slices.Insert(middle, 0, Located{At: place.Location, Source: pointCity})
	} else if ok {
		middle = append(middle, Located{At: place.Location, Source: pointCity})
	}
	switch {
	case z.Row.Class != store.General:
		return slices.Concat(z.Offices, people, middle)
	case d.afar(z):
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
func (d *Draft) afar(z *ZIP) bool {
	const least = 4.0 // miles
	own, ok := d.ZCTAs[z.Row.ZIP.String()]
	if !ok || !z.Post.IsValid() {
		return false
	}
	radius := shape.Radius(own.Land + own.Water)
	away := shape.Miles(z.Post, own.Location)
	return away > max(least, 3*radius) && away <= farMiles
}

// amongPeople returns the point among the people within the outline of a ZIP,
// and the centers with people, the nearest to it first.
func (d *Draft) amongPeople(zip postcode.ZIP) []Located {
	mean := d.Residents.At[zip]
	if !mean.IsValid() {
		return nil
	}
	all := []Located{{At: mean, Source: pointPeople}}
	for _, c := range byDistance(d.Residents.Of[zip], mean) {
		all = append(all, Located{At: c.At, Source: pointPeople})
	}
	return all
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
	if g := z.GeoNames; g != nil && g.CountyCode != "" {
		if id := b.CountyOutlines.index().first(place.Location); id != 0 && b.Counties.FIPS(id) != b.States.FIPS(z.Row.State)+g.CountyCode {
			return
		}
	}
	b.applied("PO Box ZIP far from the city of its name takes the city's point",
		fmt.Sprintf("%s %s, %.0f miles", z.Row.ZIP, place.Name, shape.Miles(z.Post, place.Location)))
	z.Post = place.Location
	z.Offices = slices.Insert(z.Offices, 0, Located{At: place.Location, Source: pointCity})
}

// findResidents reads the outlines of ZIP Codes and the centers of population, and notes
// for each ZIP those that lie within its outline, and the point among their people.
// Centers are sorted by GEOID and each is taken once, so that the order of the file does
// not show.
func (d *Draft) findResidents() {
	d.readZIPOutlines()
	var all []Center
	if d.includes(catalog.Boundaries) {
		read(d, catalog.Centers, source.BlockGroupCenters, func(r source.CenterRow) error {
			all = append(all, Center{At: r.Location, People: int(r.People), GEOID: r.GEOID, County: d.countyToday(r.GEOID[:5], r.Location)})
			return nil
		})
	}
	if len(all) == 0 {
		return
	}
	byID := func(x, y Center) int { return strings.Compare(x.GEOID, y.GEOID) }
	slices.SortStableFunc(all, byID)
	all = slices.CompactFunc(all, func(x, y Center) bool { return byID(x, y) == 0 })
	d.Residents.Of, d.Residents.At = map[postcode.ZIP][]Center{}, map[postcode.ZIP]geo.LatLng{}
	for _, c := range all {
		d.Residents.Centers = append(d.Residents.Centers, store.Center{BlockGroup: must(strconv.ParseUint(c.GEOID, 10, 64)), At: c.At, People: c.People})
	}
	for _, set := range []*outlines[postcode.ZIP]{d.ZIPOutlines, d.BoxOutlines} {
		for _, c := range all {
			for _, zip := range set.index().at(c.At) {
				d.Residents.Of[zip] = append(d.Residents.Of[zip], c)
			}
		}
		for _, zip := range set.keys() {
			if centers := d.Residents.Of[zip]; len(centers) > 0 {
				d.Residents.At[zip] = amongCenters(centers, func(p geo.LatLng) bool { return slices.Contains(set.index().at(p), zip) })
			}
		}
	}
}

// countyToday returns the county of today of a point in a county of the census of 2020, 0
// if it is unknown. A county with one successor was renamed or merged. Any other, such as
// those of Connecticut, needs the outline around the center.
func (d *Draft) countyToday(fips string, at geo.LatLng) store.CountyID {
	if id := d.Counties.IDs[fips]; id != 0 {
		return id
	}
	if now := successors[fips]; len(now) == 1 {
		return d.Counties.IDs[now[0]]
	}
	return d.CountyOutlines.index().first(at)
}

// amongCenters returns the mean of the centers, weighted by their people. If
// that lies outside the outline, it returns the nearest center. The point is
// not valid without people.
func amongCenters(centers []Center, inside func(geo.LatLng) bool) geo.LatLng {
	if len(centers) == 0 {
		return geo.LatLng{}
	}
	// Integers, so that the mean does not depend on the order of additions or the
	// processor. 180 million microdegrees times 330 million people fit into 63 bits.
	// Longitudes are summed as differences from the first, so that areas may cross the
	// antimeridian.
	var lat, lng, people int64 // microdegrees times people
	from := micro(centers[0].At.Lng())
	for _, c := range centers {
		n := int64(c.People)
		people += n
		lat += n * micro(c.At.Lat())
		lng += n * turn(micro(c.At.Lng())-from)
	}
	if people == 0 {
		return geo.LatLng{}
	}
	mean := geo.LatLngFromMicrodegrees(int32(lat/people), int32(turn(from+lng/people)))
	if inside(mean) {
		return mean
	}
	return nearestCenter(centers, mean).At
}

// byDistance returns the centers with people, the nearest to a point first.
func byDistance(centers []Center, to geo.LatLng) []Center {
	type far struct {
		Center
		miles float64
	}
	list := make([]far, 0, len(centers))
	for _, c := range centers {
		if c.People > 0 {
			list = append(list, far{c, shape.Miles(c.At, to)})
		}
	}
	slices.SortStableFunc(list, func(x, y far) int { return cmp.Compare(x.miles, y.miles) })
	sorted := make([]Center, len(list))
	for i, f := range list {
		sorted[i] = f.Center
	}
	return sorted
}

// nearestCenter returns the center with people that is nearest to a point, the
// first of several; the zero center without any.
func nearestCenter(centers []Center, to geo.LatLng) (best Center) {
	if list := byDistance(centers, to); len(list) > 0 {
		best = list[0]
	}
	return best
}

func micro(degrees float64) int64 { return int64(math.Round(degrees * 1e6)) }

// turn brings microdegrees of longitude into a half turn on either side of 0.
func turn(v int64) int64 {
	const half = 180_000_000
	switch {
	case v > half:
		return v - 2*half
	case v < -half:
		return v + 2*half
	}
	return v
}
