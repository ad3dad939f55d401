package draft

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// Census regions and divisions, in the order of their numbers.
var (
	censusRegions   = []string{"", "Northeast", "Midwest", "South", "West"}
	censusDivisions = []string{
		"", "New England", "Middle Atlantic", "East North Central", "West North Central", "South Atlantic",
		"East South Central", "West South Central", "Mountain", "Pacific",
	}
	divisionRegion = []int{0, 1, 1, 2, 2, 3, 3, 3, 4, 4} // territories have division 0, and no region
)

// listStates lists the states and provinces, those of the United States first, in the
// order of package pub28. Territories, freely associated states and military "states" are
// states here, because mail addresses have their letters.
func (d *Draft) listStates() {
	for _, s := range pub28.States() {
		d.States.Add(store.State{
			Country: store.US, Abbr: s.Abbr, Name: s.Name, FIPS: s.FIPS,
			Region: censusRegions[divisionRegion[s.Division]], Division: censusDivisions[s.Division],
		})
	}
	for _, p := range pub28.Provinces() {
		d.States.Provinces[p.FIPS] = d.States.Add(store.State{Country: store.CA, Abbr: p.Abbr, Name: p.Name})
	}
}

// militaryState returns the military "state" of a ZIP by its first three
// digits, or "" for a civil ZIP. Prefix 340 is the Americas, 090 to 099 Europe,
// Africa, the Middle East and Canada, and 962 to 966 the Pacific. Source:
// Domestic Mail Manual, labeling list L002.
func militaryState(z postcode.ZIP) string {
	switch prefix := z / 100; {
	case prefix == 340:
		return "AA"
	case prefix >= 90 && prefix <= 99:
		return "AE"
	case prefix >= 962 && prefix <= 966:
		return "AP"
	default:
		return ""
	}
}

// particles are words in small letters within a French name.
var particles = []string{"a", "à", "au", "aux", "de", "des", "du", "en", "et", "la", "le", "les", "lès", "sous", "sur"}

// bearsCapital are names that keep the capital of a particle.
var bearsCapital = []string{"Baie-D'Urfé"}

// frenchName writes the name of a place in Quebec as the place does, whose
// particles GeoNames often has with capitals: "Saint-Antoine-Sur-Richelieu"
// becomes "Saint-Antoine-sur-Richelieu", "Saint-Nazaire-D'Acton"
// "Saint-Nazaire-d'Acton". A particle that begins the name or ends it stays.
// "St-" is written out, and "Etienne" and "a la" take their accents.
func frenchName(name string) string {
	if slices.Contains(bearsCapital, name) {
		return name
	}
	words := strings.Split(name, " ")
	for i, word := range words {
		parts := strings.Split(word, "-")
		for j, p := range parts {
			within := j > 0 && j < len(parts)-1
			switch small := strings.ToLower(p); {
			case within && slices.Contains(particles, small):
				parts[j] = small
			case j > 0 && (strings.HasPrefix(p, "D'") || strings.HasPrefix(p, "L'")):
				parts[j] = strings.ToLower(p[:1]) + p[1:]
			case j == 0 && len(parts) > 1 && p == "St":
				parts[j] = "Saint"
			case j == 0 && len(parts) > 1 && p == "Ste":
				parts[j] = "Sainte"
			case p == "Etienne":
				parts[j] = "Étienne"
			}
			if within && parts[j] == "a" {
				parts[j] = "à"
			}
		}
		words[i] = strings.Join(parts, "-")
	}
	return strings.Join(words, " ")
}

// An islandCounty is a county equivalent of the territories that the Gazetteer's county
// file leaves out (INCITS 31), with a point on it.
type islandCounty struct {
	FIPS  string     `col:"fips" digits:"5"`
	State string     `col:"state" letters:"2"`
	Name  string     `col:"name"`
	At    geo.LatLng `col:"lat;lng"`
}

var islandCounties = reviewed[islandCounty]("counties.csv")

// successors are the counties that replaced one that older files still name, by its
// code. connecticut are the codes of the counties that planning regions took the place
// of, by their names.
var successors, connecticut = formerByCode()

func formerByCode() (successors map[string][]string, connecticut map[string]string) {
	successors, connecticut = map[string][]string{}, map[string]string{}
	for _, f := range store.FormerCounties {
		if f.State == "CT" {
			connecticut[strings.ToUpper(strings.TrimSuffix(f.Name, " County"))] = f.FIPS
		} else {
			successors[f.FIPS] = f.Successors
		}
	}
	return successors, connecticut
}

// readCounties makes the table of counties, in the order of their codes, of the
// Gazetteer's counties and those of the islands.
func (d *Draft) readCounties() {
	d.Counties.At = map[string]geo.LatLng{}
	take := func(fips, state, name string, at geo.LatLng) {
		m := d.Metros.Of[fips]
		d.Counties.List = append(d.Counties.List, store.County{
			FIPS: fips, Name: name, State: d.States.ID(store.US, state), CBSA: m.CBSA, Division: m.Division,
		})
		d.Counties.At[fips] = at
	}
	read(d, catalog.GazetteerCounties, source.Gazetteer(5, "USPS", "NAME"), func(r source.GazetteerRow) error {
		switch {
		case d.States.ID(store.US, r.State) == 0:
			return refused("unknown state", r.Line, r.State)
		case d.Counties.At[r.GEOID].IsValid():
			return refused("duplicate county", r.Line, r.GEOID)
		}
		take(r.GEOID, r.State, r.Name, r.Location)
		return nil
	})
	for _, c := range islandCounties() {
		if _, have := d.Counties.At[c.FIPS]; !have {
			take(c.FIPS, c.State, c.Name, c.At)
		}
	}
	slices.SortFunc(d.Counties.List, func(a, b store.County) int { return strings.Compare(a.FIPS, b.FIPS) })
	d.Counties.IDs = make(map[string]store.CountyID, len(d.Counties.List))
	for i, c := range d.Counties.List {
		d.Counties.IDs[c.FIPS] = store.CountyID(i + 1)
	}
	// A bulletin and the Gazetteer of different years name different counties.
	for _, fips := range slices.Sorted(maps.Keys(d.Metros.Of)) {
		if d.Counties.IDs[fips] == 0 {
			d.refuse(catalog.Delineation, "county that the Gazetteer lacks", d.line(catalog.Delineation, d.Metros.Of[fips].Line)+fips)
		}
	}
}

// CountyName returns the name of a county without its legal description and
// without anything but letters and digits. "Saint Louis city", "St. Louis City"
// and "City of St. Louis" are equal. Independent cities keep a mark that
// separates them from counties of the same name.
func CountyName(name string) string {
	s := " " + Fold(name) + " "
	city := strings.HasSuffix(s, " city ") || strings.HasPrefix(s, " city of ")
	for _, cut := range []string{" city and borough of ", " municipality of ", " city of "} {
		if rest, ok := strings.CutPrefix(s, cut); ok {
			s = " " + rest
		}
	}
	for _, cut := range countySuffixes {
		if rest := strings.TrimSuffix(s, cut); rest != s && strings.TrimSpace(rest) != "" {
			s = rest + " "
			break
		}
	}
	// Sources write "Saint" and "St.", and "De Kalb" and "DeKalb".
	s = strings.ReplaceAll(s, " saint ", " st ")
	s = strings.ReplaceAll(s, " sainte ", " ste ")
	s = strings.ReplaceAll(s, " ", "")
	if city {
		s += "/city"
	}
	return s
}

// countySuffixes are legal descriptions as fold leaves them, longest first.
var countySuffixes = []string{
	" city and borough ", " planning region ", " census area ", " municipality ", " municipio ",
	" borough ", " district ", " county ", " parish ", " island ", " city ",
}

// readMetros makes the tables of core based statistical areas and metropolitan
// divisions, in the order of their codes, from the delineation of counties.
func (d *Draft) readMetros() {
	var rows []source.DelineationRow
	seen := map[string]bool{}
	read(d, catalog.Delineation, source.Delineation, func(r source.DelineationRow) error {
		if seen[r.CountyFIPS] {
			return refused("duplicate county", r.Line, r.CountyFIPS)
		}
		seen[r.CountyFIPS] = true
		rows = append(rows, r)
		return nil
	})
	slices.SortStableFunc(rows, func(a, b source.DelineationRow) int {
		return cmp.Or(strings.Compare(a.CBSA, b.CBSA), strings.Compare(a.Division, b.Division))
	})
	d.Metros.Of = make(map[string]Metro, len(rows))
	for _, r := range rows {
		if n := len(d.Metros.CBSAs); n == 0 || d.Metros.CBSAs[n-1].Code != r.CBSA {
			d.Metros.CBSAs = append(d.Metros.CBSAs, store.CBSA{
				Code: r.CBSA, Title: r.CBSATitle, Metropolitan: r.Metropolitan, CSA: r.CSA, CSATitle: r.CSATitle,
			})
		}
		m := Metro{CBSA: store.CBSAID(len(d.Metros.CBSAs)), Line: r.Line}
		if r.Division != "" {
			if n := len(d.Metros.Divisions); n == 0 || d.Metros.Divisions[n-1].Code != r.Division {
				d.Metros.Divisions = append(d.Metros.Divisions, store.Division{Code: r.Division, Title: r.DivisionTitle, CBSA: m.CBSA})
			}
			m.Division = store.DivisionID(len(d.Metros.Divisions))
		}
		d.Metros.Of[r.CountyFIPS] = m
	}
}
