package draft

import (
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// AddCity takes a place, not a county subdivision, by state and folded name. A
// name of several places of a state leads to all of them.
func (g *Gazetteer) AddCity(r source.GazetteerRow) {
	const placeDigits = 7
	if len(r.GEOID) != placeDigits || !r.Location.IsValid() {
		return
	}
	key := [2]string{r.State, Fold(SaintInFull(PlainName(r.Name)))}
	if g.cities == nil {
		g.cities = map[[2]string][]source.GazetteerRow{}
	}
	g.cities[key] = append(g.cities[key], r)
}

// City returns the one place of the state that bears the name of the ZIP's city.
func (g *Gazetteer) City(z *ZIP) (source.GazetteerRow, bool) {
	found := g.cities[z.CityKey()]
	if len(found) != 1 {
		return source.GazetteerRow{}, false
	}
	return found[0], true
}

// CityKey returns the state and folded name of the city of a ZIP.
func (z *ZIP) CityKey() [2]string {
	return [2]string{z.State, Fold(SaintInFull(z.RawName()))}
}

// Gazetteer has the places and county subdivisions of the Gazetteer.
type Gazetteer struct {
	Spelling Speller
	Places   []source.GazetteerRow // in the order of the file
	Towns    []source.GazetteerRow // county subdivisions that are municipalities
	cities   map[[2]string][]source.GazetteerRow
}

// Add keeps a row of the Gazetteer for suggestions: a place, or a town or
// township with a government. Towns count in the states whose people live in
// those rather than in places.
func (g *Gazetteer) Add(r source.GazetteerRow) {
	const active = "A"
	switch {
	case !r.Location.IsValid():
	case len(r.GEOID) != CousubDigits:
		g.Places = append(g.Places, r)
	case r.FuncStat == active && slices.Contains(knownTowns, r.GEOID[:2]):
		g.Towns = append(g.Towns, r)
	}
}

// knownTowns are the states whose towns people look for by name: New England,
// New York and New Jersey. Elsewhere townships share a handful of names.
var knownTowns = []string{"09", "23", "25", "33", "34", "36", "44", "50"}

// CousubDigits is the length of the GEOID of a county subdivision.
const CousubDigits = 10

// DesignatedPlace is the legal/statistical area description of census designated
// places.
const DesignatedPlace = "57"

// Municipal finds municipalities by point. The sets are nil without the
// outlines; CSDs is nil too if those are too coarse.
type Municipal struct {
	Places, Cousubs, CSDs *shape.Areas
	Names                 map[string]string // by GEOID
}

// Subdivisions are the census subdivisions of Canada, in any detail.
type Subdivisions struct {
	Areas  *shape.Areas          // nil without the outlines
	Inside map[string]geo.LatLng // a point within each
}

// FSAAreas finds FSAs by point. Areas is nil without the outlines.
type FSAAreas struct {
	Areas *shape.Areas
	Fit   map[string]bool        // whether the outline is used to find people
	Land  map[postcode.FSA]int64 // square meters
	Set   *shape.OutlineSet[postcode.FSA]
}

// ZIPOutlines are the outlines of ZIP Codes. Points has PO Box, unique and
// military ZIP Codes, which are compared with layers and not stored. The sets
// are nil without the boundaries layer, as in the other tables of outlines.
type ZIPOutlines struct {
	Areas, Points *shape.OutlineSet[postcode.ZIP]
}

// StateOutlines are the outlines of states and provinces.
type StateOutlines struct {
	Areas     *shape.OutlineSet[store.StateID]
	Uncovered float64 // square meters that no outline of a ZIP Code covers
}
