package draft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
)

// fsaPlaces are the people of each FSA and the municipalities that they live
// in. It is nil without the points of dissemination areas or outlines of FSAs.
// Dissemination areas are alike in size: each counts the same.
type fsaPlaces struct {
	people map[string][]Center      // by FSA
	places map[string][]fsaResident // by rural FSA
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
func (d *Draft) readFSAPlaces(ctx context.Context) (*fsaPlaces, error) {
	if d.FSAAreas.Areas == nil || !d.Has(catalog.DAPoints) {
		return nil, nil
	}
	s := &fsaPlaces{people: map[string][]Center{}, places: map[string][]fsaResident{}}
	inCSD := map[string]map[string][]Center{} // by municipality and FSA
	all := map[string]int{}                   // areas by municipality
	err := plan.Read(ctx, d.Env, catalog.DAPoints, source.DAPoints, func(r source.DAPointRow) error {
		c := Center{At: r.Location, People: 1, GEOID: r.DA}
		csd := ""
		if d.Subdivisions.Areas != nil {
			csd = d.Subdivisions.Areas.First(r.Location)
			all[csd]++
		}
		for _, fsa := range d.FSAAreas.Areas.At(r.Location) {
			s.people[fsa] = append(s.people[fsa], c)
			if csd != "" {
				if inCSD[csd] == nil {
					inCSD[csd] = map[string][]Center{}
				}
				inCSD[csd][fsa] = append(inCSD[csd][fsa], c)
			}
		}
		return nil
	})
	if err != nil || d.Subdivisions.Areas == nil {
		return s, err
	}
	return s, plan.Read(ctx, d.Env, catalog.Subdivisions, source.Subdivisions, func(r source.SubdivisionRow) error {
		if r.Population == nil || !isSettlement(r) {
			return nil
		}
		place := fsaResident{name: settlementName(r), people: float64(*r.Population), whole: true, reserve: r.Type == reserve, inside: d.Subdivisions.Inside[r.CSD]}
		if all[r.CSD] == 0 {
			if fsa := d.FSAAreas.Areas.First(place.inside); fsa != "" {
				s.places[fsa] = append(s.places[fsa], place)
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
}

// settlementName returns the name of a municipality without the number that a
// reserve has.
func settlementName(r source.SubdivisionRow) string {
	name, _ := MunicipalNames(r.Name)
	words := strings.Fields(name)
	for len(words) > 1 && (strings.ContainsAny(words[len(words)-1], "0123456789") || words[len(words)-1] == "No.") {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// settle moves an FSA to the point among its people and reports whether it has
// any. A rural FSA takes the name of the settlement with most people, and lies
// there.
func (s *fsaPlaces) settle(b *Draft, f *FSA) bool {
	code := f.GeoNames.Code
	if s == nil || len(s.people[code]) == 0 || !b.FSAAreas.Fit[code] {
		return false
	}
	people := s.people[code]
	if place := s.largest(f); place != nil {
		switch {
		case len(place.areas) > 0:
			people = place.areas
		default:
			people = []Center{nearestCenter(people, place.inside)}
		}
		if !sameCity(place.name, f.Row.City) {
			b.Applied("city of a rural FSA is the place with most residents", fmt.Sprintf("%s %s, not %s", code, place.name, f.Row.City))
			f.Row.City = place.name
		}
	}
	f.Row.Location = amongCenters(people, func(p geo.LatLng) bool { return b.FSAs.Homes.Holds(f.Row.FSA, p) })
	f.Quality.PointSource = pointAreas
	return true
}

// near returns the people of an FSA, the nearest to the point first.
func (s *fsaPlaces) near(code string, p geo.LatLng) []Center {
	if s == nil || !p.IsValid() {
		return nil
	}
	return byDistance(s.people[code], p)
}

// largest returns the settlement with most people in a rural FSA, nil for
// others or without any. A reserve counts if GeoNames names the FSA after it.
// Coarse outlines divide the people of a settlement between FSAs only roughly.
// Such a settlement needs half as many people again as the one that GeoNames
// names.
func (s *fsaPlaces) largest(f *FSA) *fsaResident {
	const surely = 1.5
	code := f.GeoNames.Code
	if code[1] != '0' {
		return nil
	}
	var best, named *fsaResident
	for i := range s.places[code] {
		p := &s.places[code][i]
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
