package draft

import (
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// An fsaOverride replaces the city and the point that GeoNames has for an FSA. The point
// lies in the city.
type fsaOverride struct {
	FSA   string     `col:"fsa"`
	City  string     `col:"city"`    // "": as GeoNames has it
	Point geo.LatLng `col:"lat;lng"` // not valid: the FSA has no point
}

var fsaOverrides = reviewedBy("fsas.csv", func(o fsaOverride) string { return o.FSA })

// listFSAs makes the forward sortation areas of GeoNames' list, the first of
// those that it has twice, with the counts of the census.
func (d *Draft) listFSAs() {
	d.FSAs.At = map[postcode.FSA]*FSA{}
	read(d, catalog.GeoNamesCA, source.GeoNames, func(r source.GeoNamesRow) error {
		fsa, ok := postcode.ParseFSA(r.Code)
		switch {
		case !ok:
			return refused("not a forward sortation area", r.Line, r.Code)
		case d.FSAs.At[fsa] != nil:
			return refused("duplicate FSA, the first is kept", r.Line, r.Code+" "+r.Place)
		case d.States.ID(store.CA, r.State) == 0:
			return refused("unknown province", r.Line, r.Code+" "+r.State)
		}
		f := &FSA{GeoNames: r, Province: r.State}
		f.Row = store.FSARow{FSA: fsa, Province: d.States.ID(store.CA, r.State), City: fsaCity(r)}
		d.FSAs.At[fsa] = f
		d.FSAs.List = append(d.FSAs.List, f)
		return nil
	})
	d.FSACensus = map[postcode.FSA]source.FSAPopulationRow{}
	read(d, catalog.FSAPopulation, source.FSAPopulation, func(r source.FSAPopulationRow) error {
		return once(d.FSACensus, r.FSA, r, "duplicate FSA", r.Line)
	})
	d.sortFSAs()
	d.FSAs.Homes = d.FSAOutlines.only(func(f postcode.FSA) bool { return d.FSAs.At[f] != nil })
	places := d.readFSAPlaces()
	for _, f := range d.FSAs.List {
		d.placeFSA(f, places)
		d.countFSA(f)
	}
}

// sortFSAs orders the FSAs. It is called again when postal codes have added some.
func (d *Draft) sortFSAs() {
	slices.SortFunc(d.FSAs.List, func(a, b *FSA) int { return int(a.Row.FSA) - int(b.Row.FSA) })
}

// countFSA sets the counts of the census and the land area of an FSA.
func (d *Draft) countFSA(f *FSA) {
	count := func(n *int64) *int32 {
		if n == nil || *n > math.MaxInt32 {
			return nil
		}
		v := int32(*n)
		return &v
	}
	p := d.FSACensus[f.Row.FSA]
	f.Detail.Population, f.Detail.Dwellings, f.Detail.DwellingsOccupied = count(p.Population), count(p.Dwellings), count(p.DwellingsOccupied)
	if f.Detail.Population != nil {
		f.Detail.Quality.PopulationYear, f.Detail.Quality.PopulationSource = canadianYear, catalog.FSAPopulation
	}
	if stated, ok := d.FSAOutlines.stated[f.Row.FSA]; ok {
		f.Detail.LandArea = &stated.land
	}
}

// fsaCity makes the name of a city out of GeoNames' description of an FSA.
// Urban FSAs are described as "Winnipeg (Grassie / Pequis)" or "Surrey North".
// Rural ones, whose second character is 0, are a region with its main place in
// brackets, "Eastern Alberta (St. Paul)". If the description begins with the
// city of the second column, that is the city. Some of those are cut short
// ("Sault Ste.", "Grand"), and "Jean-Talon" is a street.
func fsaCity(r source.GeoNamesRow) string {
	if o := fsaOverrides()[r.Code]; o.City != "" {
		return o.City
	}
	city := plainCity(r)
	if strings.HasPrefix(r.Code, "G") || strings.HasPrefix(r.Code, "H") || strings.HasPrefix(r.Code, "J") {
		return frenchName(city)
	}
	return city
}

// plainCity is fsaCity before French names are written properly.
func plainCity(r source.GeoNamesRow) string {
	base, brackets, _ := strings.Cut(r.Place, " (")
	brackets = strings.TrimSuffix(brackets, ")")
	switch {
	case r.Code[1] == '0' && brackets != "":
		return brackets
	case r.Code[0] == 'M':
		return "Toronto"
	case r.Code[0] == 'H' && r.Code[1] != '0':
		return montrealCity(r.Code, base)
	}
	city := strings.TrimSpace(r.County)
	cutShort := city == "" || city == "Grand" || city == "Jean-Talon" || strings.HasSuffix(city, ".")
	if !cutShort && strings.HasPrefix(base+" ", city+" ") {
		return city
	}
	return cityOf(base)
}

// islandCities are the cities on the island of Montréal except Montréal.
var islandCities = []string{
	"Baie-D'Urfé", "Beaconsfield", "Côte-Saint-Luc", "Dollard-Des-Ormeaux", "Dorval", "Hampstead", "Kirkland", "Montreal West",
	"Mount Royal", "Pointe-Claire", "Sainte-Anne-De-Bellevue", "Senneville", "Westmount",
}

// montrealCity returns the city of an FSA that begins with H: Laval under H7,
// else Montreal (whose boroughs GeoNames names) or one of the island's other
// cities.
func montrealCity(code, base string) string {
	if code[1] == '7' {
		return "Laval"
	}
	for _, city := range islandCities {
		if strings.HasPrefix(base, city) {
			return city
		}
	}
	return "Montreal"
}

// parts are words that GeoNames appends to a city's name for a part of it.
var parts = map[string]bool{
	"North": true, "South": true, "East": true, "West": true, "Central": true, "Northeast": true, "Northwest": true,
	"Southeast": true, "Southwest": true, "Inner": true, "Outer": true, "Upper": true, "Lower": true, "Riverbank": true,
	"Mid-Riverbank": true, "and": true, "southeast": true, "Extremities": true, "Outskirts": true, "&": true, "Core": true,
	"Downtown": true, "City-Centre": true,
}

// cityOf removes the parts of a description that name a part of the city. These
// are a leading "Downtown" or "Old", directions at the end, a second place
// after a comma, and "… Provincial Government".
func cityOf(base string) string {
	switch {
	case strings.HasPrefix(base, "Conception Bay"):
		return "Conception Bay South"
	case strings.HasPrefix(base, "Jean-Talon"):
		return "Quebec City"
	}
	base, _, _ = strings.Cut(base, ",")
	base = strings.TrimPrefix(strings.TrimSuffix(base, " RCM"), "Rm Of ")
	if i := strings.Index(base, " Provincial Government"); i >= 0 {
		base = base[:i]
		for _, p := range append([]string{"Newfoundland & Labrador"}, provinceNames()...) {
			base = strings.TrimSpace(strings.TrimSuffix(base, p))
		}
	}
	words := strings.Fields(base)
	for len(words) > 1 && (words[0] == "Downtown" || words[0] == "Old") {
		words = words[1:]
	}
	for len(words) > 1 && parts[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

func provinceNames() []string {
	names := make([]string, len(pub28.Provinces()))
	for i, p := range pub28.Provinces() {
		names[i] = p.Name
	}
	return names
}

// provinceLetters are the provinces by the first letter of their FSAs; X is
// shared by two territories.
var provinceLetters = map[byte]string{
	'A': "NL", 'B': "NS", 'C': "PE", 'E': "NB", 'G': "QC", 'H': "QC", 'J': "QC", 'K': "ON", 'L': "ON", 'M': "ON", 'N': "ON", 'P': "ON",
	'R': "MB", 'S': "SK", 'T': "AB", 'V': "BC", 'Y': "YT",
}

// provinceOf returns the province of an FSA: as GeoNames has it, else by its
// first letter; 0 for a letter of no single province.
func (d *Draft) provinceOf(fsa postcode.FSA) store.StateID {
	if f := d.FSAs.At[fsa]; f != nil {
		return f.Row.Province
	}
	return d.States.ID(store.CA, provinceLetters[fsa.String()[0]])
}

// adoptFSAs makes FSAs that GeoNames' list lacks of their postal codes: at the median of
// their points, with the city that most of them name. Codes of an FSA that has neither
// are refused. Every remaining code then has an FSA, on which the steps after it, and
// lookups that fall back to the FSA, rely.
func (d *Draft) adoptFSAs() {
	var kept []store.PostalRow
	d.eachFSA(func(f *FSA, rows []store.PostalRow) {
		fsa := rows[0].Code.FSA()
		if f == nil {
			center, _, _ := medianPoint(rows)
			if within := d.FSAs.Homes.within(fsa); within.IsValid() && !d.FSAs.Homes.holds(fsa, center) {
				center = within
			}
			city := d.commonCity(rows)
			if !center.IsValid() || city == "" {
				for _, r := range rows {
					d.refuse(catalog.Correspondence, "postal code of an unknown FSA", r.Code.String())
				}
				return
			}
			f = &FSA{Province: d.States.List[rows[0].Province-1].Abbr}
			f.Row = store.FSARow{FSA: fsa, City: city, Province: rows[0].Province, Location: center}
			f.Detail.Quality.PointSource = pointCodes
			d.countFSA(f)
			d.FSAs.At[fsa] = f
			d.FSAs.List = append(d.FSAs.List, f)
			d.applied("FSA that GeoNames lacks, made of its postal codes", fsa.String()+" "+city)
		}
		kept = append(kept, rows...)
	})
	d.Postal.Rows = kept
	d.sortFSAs()
}

// commonCity returns the city that most of the codes name, the first in the
// alphabet of several, or else that of the nearest FSA.
func (d *Draft) commonCity(rows []store.PostalRow) string {
	counts := map[string]int{}
	for _, r := range rows {
		if r.City != "" {
			counts[r.City]++
		}
	}
	best := heaviest(counts)
	if center, _, _ := medianPoint(rows); best == "" {
		near := &nearest[string]{}
		for _, f := range d.FSAs.List {
			if f.Row.Province == rows[0].Province {
				near.add(f.Row.Location, f.Row.City)
			}
		}
		best, _ = near.find(center, nil)
	}
	return best
}
