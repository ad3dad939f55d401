package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// FSAs are those of GeoNames' list, whose points and names are often wrong. The point of
// X0A (Iqaluit) lies on uninhabited Ellesmere Island, that of T2P (downtown Calgary) 17
// miles away. 35 FSAs are named after a city more than 50 miles from their point. So an
// FSA is placed by where its people are, in this order:
//
//  1. the reviewed table,
//  2. its dissemination areas within its outline; in a rural FSA those of its largest
//     settlement, which also gives the name (settle),
//  3. GeoNames, if that lies in Canada,
//  4. a point within the outline, if the one found lies outside,
//  5. later, the median of its postal codes, if they lie elsewhere (moveFSAs).
//
// The open file of dissemination areas has points and no people. Statistics Canada draws
// the areas for 400 to 700 people on average, so that each counts as one.

// canadaBox holds every inhabited place of Canada.
var canadaBox = struct{ south, north, west, east float64 }{41.6, 83.2, -141.1, -52.5}

// Sources of the points of FSAs, as [store.Quality] has them.
const (
	pointReviewed = "reviewed table"
	pointAreas    = "points of dissemination areas 2016"
	pointOutline  = "within the outline"
	pointCodes    = "median of the postal codes"
)

// placeFSA decides the point of an FSA: of the reviewed table, else among its
// people, else GeoNames'. A point outside the outline gives way to the nearest of
// the people within, else to any point within.
func (d *Draft) placeFSA(f *FSA, places *fsaPlaces) {
	code, p := f.GeoNames.Code, f.GeoNames.Location
	f.Row.Location, f.Detail.Quality.PointSource = p, pointGeoNames
	switch o, ok := fsaOverrides()[code]; {
	case ok:
		if o.Point != p {
			d.applied("FSA point of the reviewed table", code)
		}
		f.Row.Location, f.Detail.Quality.PointSource = o.Point, pointReviewed
		if !o.Point.IsValid() {
			f.Detail.Quality.PointSource = ""
		}
	case places.settle(d, f):
	case !inCanada(p):
		d.applied("FSA point outside Canada", code+" "+p.String())
		f.Row.Location, f.Detail.Quality.PointSource = geo.LatLng{}, ""
	}
	home := d.FSAs.Homes
	if !home.has(f.Row.FSA) || home.holds(f.Row.FSA, f.Row.Location) {
		return
	}
	// GeoNames' point is still a hint: the people nearest to it are taken. Such a point
	// stays open for moveFSAs, unlike one among all the people.
	within := Located{At: home.within(f.Row.FSA), Source: pointOutline}
	if p.IsValid() {
		for _, c := range byDistance(places.people[f.Row.FSA], p) {
			if home.holds(f.Row.FSA, c.At) {
				within.At = c.At
				break
			}
		}
	}
	if within.At.IsValid() {
		d.applied("FSA point outside its outline gives way to one within", code)
		f.Row.Location, f.Detail.Quality.PointSource = within.At, within.Source
	}
}

// inCanada reports whether the point lies in the box of the inhabited places. The box
// also has much of the United States. It is there for signs and digits that are wrong,
// such as the North Pole for H0H.
func inCanada(p geo.LatLng) bool {
	return p.IsValid() && p.Lat() >= canadaBox.south && p.Lat() <= canadaBox.north && p.Lng() >= canadaBox.west && p.Lng() <= canadaBox.east
}

// moveFSAs moves the point of an FSA that lies far from its postal codes to their median.
// With many codes the limit is 5 km. With fewer, only an FSA without outline is moved,
// beyond 30 miles and five times their median distance from it. Reviewed points and those
// among the people stay, and none leaves its outline. Single codes have points far away,
// which moves a mean but no median.
func (d *Draft) moveFSAs() {
	const (
		enough, many = 5, 20 // codes
		near         = 5_000 // meters
	)
	d.eachFSA(func(f *FSA, rows []store.PostalRow) {
		code := f.Row.FSA.String()
		settled := f.Detail.Quality.PointSource == pointReviewed || f.Detail.Quality.PointSource == pointAreas
		if settled || len(rows) < enough || !f.Row.Location.IsValid() {
			return
		}
		center, spread, pointed := medianPoint(rows)
		home := d.FSAs.Homes
		if !center.IsValid() || home.has(f.Row.FSA) && !home.holds(f.Row.FSA, center) {
			return
		}
		if pointed >= many {
			if away := float64(geo.Distance(f.Row.Location, center)); away > near {
				d.applied("FSA point more than 5 km from the median of its postal codes gives way to it", fmt.Sprintf("%s, %.0f km", code, away/1000))
				f.Row.Location, f.Detail.Quality.PointSource = center, pointCodes
			}
			return
		}
		if d.FSAOutlines.polygons[f.Row.FSA] != nil && !slices.Contains(d.FSAs.Unfit, f.Row.FSA) {
			return
		}
		if miles := shape.Miles(f.Row.Location, center); miles > 30 && miles > 5*spread {
			d.applied("FSA point far from its postal codes gives way to their median", code)
			f.Row.Location, f.Detail.Quality.PointSource = center, pointCodes
		}
	})
}

// fsaPlaces are the people of each FSA and the municipalities that they live in. They are
// empty without the points of dissemination areas or outlines of FSAs. A municipality in
// several FSAs has its people divided by the number of its areas in each.
type fsaPlaces struct {
	people map[postcode.FSA][]Center
	places map[postcode.FSA][]fsaResident // of rural FSAs
}

// An fsaResident is a municipality with people in an FSA.
type fsaResident struct {
	name   string
	people float64  // in the FSA
	whole  bool     // whether all of its people live there
	areas  []Center // its dissemination areas in the FSA
	inside geo.LatLng

	reserve bool
}

// openCountry are the types of census subdivisions that are not settlements:
// rural and regional municipalities, districts and areas without government.
var openCountry = []string{
	"RM", "MD", "RDA", "SNO", "NO", "SC", "ID", "LGD", "IGD", "RG", "RGM", "FD", "P", "CM", "CO", "MRC", "SA", "CC", "TL", "TAL", "DR", "SUN",
}

const (
	specialized = "SM"  // a specialized municipality of Alberta: a town, or a county around some
	reserve     = "IRI" // named after a people or a number rather than the postal city
)

// isSettlement reports whether a municipality may give an FSA its name.
func isSettlement(r source.SubdivisionRow) bool {
	if r.Type == specialized {
		return !strings.HasSuffix(r.Name, "County") && r.Name != "Wood Buffalo"
	}
	return !slices.Contains(openCountry, r.Type)
}

// readFSAPlaces finds the people of each FSA by its outline, and the
// settlements of rural FSAs.
func (d *Draft) readFSAPlaces() *fsaPlaces {
	s := &fsaPlaces{people: map[postcode.FSA][]Center{}, places: map[postcode.FSA][]fsaResident{}}
	if !d.has(catalog.FSAAreas, catalog.DAPoints) {
		return s
	}
	outlines := d.FSAOutlines.index()
	inCSD := map[string]map[postcode.FSA][]Center{} // by municipality and FSA
	all := map[string]int{}                         // areas by municipality
	read(d, catalog.DAPoints, source.DAPoints, func(r source.DAPointRow) error {
		c := Center{At: r.Location, People: 1, GEOID: r.DA}
		csd := d.Municipal.CSDs.first(r.Location)
		all[csd]++
		if inCSD[csd] == nil {
			inCSD[csd] = map[postcode.FSA][]Center{}
		}
		for _, fsa := range outlines.at(r.Location) {
			s.people[fsa] = append(s.people[fsa], c)
			inCSD[csd][fsa] = append(inCSD[csd][fsa], c)
		}
		return nil
	})
	if !d.has(catalog.CSDAreas) {
		return s
	}
	read(d, catalog.Subdivisions, source.Subdivisions, func(r source.SubdivisionRow) error {
		if r.Population == nil || !isSettlement(r) {
			return nil
		}
		place := fsaResident{name: settlementName(r), people: float64(*r.Population), whole: true, reserve: r.Type == reserve, inside: d.Municipal.CSDPlaces[r.CSD].at}
		// A small municipality may have no area of its own. It belongs to the FSA around
		// it.
		if all[r.CSD] == 0 {
			if at := outlines.at(place.inside); len(at) > 0 {
				s.places[at[0]] = append(s.places[at[0]], place)
			}
			return nil
		}
		for fsa, areas := range inCSD[r.CSD] {
			part := place
			part.areas, part.whole = areas, len(areas) == all[r.CSD]
			part.people *= float64(len(areas)) / float64(all[r.CSD])
			s.places[fsa] = append(s.places[fsa], part)
		}
		return nil
	})
	return s
}

// settlementName returns the name of a municipality without the number that a
// reserve has.
func settlementName(r source.SubdivisionRow) string {
	name, _ := municipalNames(r.Name)
	words := strings.Fields(name)
	for len(words) > 1 && (strings.ContainsAny(words[len(words)-1], "0123456789") || words[len(words)-1] == "No.") {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// settle moves an FSA to the point among its people and reports whether it has
// any. A rural FSA takes the name of the settlement with most people, and lies
// there.
func (s *fsaPlaces) settle(d *Draft, f *FSA) bool {
	people := s.people[f.Row.FSA]
	if len(people) == 0 || slices.Contains(d.FSAs.Unfit, f.Row.FSA) {
		return false
	}
	if place := s.largest(f); place != nil {
		switch {
		case len(place.areas) > 0:
			people = place.areas
		default:
			people = byDistance(people, place.inside)[:1]
		}
		if !sameCity(place.name, f.Row.City) {
			d.applied("city of a rural FSA is the place with most residents", fmt.Sprintf("%s %s, not %s", f.Row.FSA, place.name, f.Row.City))
			f.Row.City = place.name
		}
	}
	f.Row.Location = amongCenters(people, func(p geo.LatLng) bool { return d.FSAs.Homes.holds(f.Row.FSA, p) })
	f.Detail.Quality.PointSource = pointAreas
	return true
}

// largest returns the settlement with most people in a rural FSA, nil for
// others or without any. A reserve counts if GeoNames names the FSA after it.
// Coarse outlines divide the people of a settlement between FSAs only roughly.
// Such a settlement needs half as many people again as the one that GeoNames
// names.
func (s *fsaPlaces) largest(f *FSA) *fsaResident {
	const surely = 1.5
	if f.GeoNames.Code[1] != '0' {
		return nil
	}
	var best, named *fsaResident
	for i := range s.places[f.Row.FSA] {
		p := &s.places[f.Row.FSA][i]
		same := sameCity(p.name, f.Row.City)
		if same && (named == nil || p.people > named.people) {
			named = p
		}
		if (!p.reserve || same) && (best == nil || p.people > best.people) {
			best = p
		}
	}
	if named != nil && !best.whole && best.people < surely*named.people {
		return named
	}
	return best
}

// sameCity reports whether one of two names is the other or begins with it.
func sameCity(a, b string) bool {
	a, b = Fold(a)+" ", Fold(b)+" "
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}
