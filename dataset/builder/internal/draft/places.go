package draft

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/source"
)

// addCity takes a place, not a county subdivision, by state and folded name. A
// name of several places of a state leads to all of them.
func (g *Gazetteer) addCity(r source.GazetteerRow) {
	const placeDigits = 7
	if len(r.GEOID) != placeDigits || !r.Location.IsValid() {
		return
	}
	key := [2]string{r.State, Fold(saintInFull(PlainName(r.Name)))}
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
	return [2]string{z.State, Fold(saintInFull(z.RawName()))}
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
	case len(r.GEOID) != cousubDigits:
		g.Places = append(g.Places, r)
	case r.FuncStat == active && slices.Contains(knownTowns, r.GEOID[:2]):
		g.Towns = append(g.Towns, r)
	}
}

// knownTowns are the states whose towns people look for by name: New England,
// New York and New Jersey. Elsewhere townships share a handful of names.
var knownTowns = []string{"09", "23", "25", "33", "34", "36", "44", "50"}

// cousubDigits is the length of the GEOID of a county subdivision.
const cousubDigits = 10

// DesignatedPlace is the legal/statistical area description of census designated
// places.
const DesignatedPlace = "57"

// findMunicipalities gives each code the municipality around its point. In the
// United States that is the incorporated place or, in town states, else the
// town. In Puerto Rico it is the municipio, in Canada the census subdivision. A
// ZIP whose point or post office lies in the place of the ZIP's city is in that
// place. The internal point of the ZCTA of 90210 lies in Los Angeles, the post
// office in Beverly Hills. The step needs the place layer. ZIPs without a point
// have no municipality, and the other territories have no incorporated places.
func (d *Draft) findMunicipalities() {
	for _, z := range d.ZIPs.List {
		z.Row.Municipality = d.municipality(z)
	}
	if !d.fit(catalog.CSDAreas) {
		return
	}
	for _, f := range d.FSAs.List {
		f.Row.Municipality = d.Municipal.CSDPlaces[d.Municipal.CSDs.first(f.Row.Location)].name
	}
	for i := range d.Postal.Rows {
		d.Postal.Rows[i].Municipality = d.Municipal.CSDPlaces[d.Municipal.CSDs.first(d.Postal.Rows[i].Location)].name
	}
}

// municipality returns the name of the place or town of the ZIP's state that contains its
// point or post office. A name that is the ZIP's city is looked for first at both points,
// since the mail goes to that city. In Puerto Rico, the county is the municipio.
func (d *Draft) municipality(z *ZIP) string {
	if !d.has(catalog.PlaceAreas) {
		return ""
	}
	if z.State == "PR" && z.Row.County != 0 {
		return strings.TrimSuffix(d.Counties.List[z.Row.County-1].Name, " Municipio")
	}
	fips := d.States.FIPS(z.Row.State)
	city := Fold(saintInFull(z.Row.City))
	for _, at := range []geo.LatLng{z.Row.Location, z.Post} {
		for _, name := range d.municipalitiesAt(fips, at) {
			if Fold(saintInFull(name)) == city {
				return name
			}
		}
	}
	if names := d.municipalitiesAt(fips, z.Row.Location); len(names) > 0 {
		return names[0]
	}
	return ""
}

// municipalitiesAt returns the names of the places, then of the towns, of the
// state that contain the point.
func (d *Draft) municipalitiesAt(stateFIPS string, at geo.LatLng) []string {
	const firstTerritory = "60" // FIPS code of American Samoa; those of states end at 56
	if stateFIPS == "" || stateFIPS >= firstTerritory {
		return nil
	}
	var names []string
	for _, set := range []*areas[string]{&d.Municipal.Places, &d.Municipal.Cousubs} {
		for _, id := range set.at(at) {
			if strings.HasPrefix(id, stateFIPS) {
				names = append(names, PlainName(d.Municipal.Names[id]))
			}
		}
	}
	return names
}

// readPlaceNames reads the places and county subdivisions of the Gazetteer and learns
// their spelling; places come first, because of two spellings of a name the first stays.
func (d *Draft) readPlaceNames() {
	seen := map[string]bool{}
	learn := func(r source.GazetteerRow) error {
		if seen[r.GEOID] {
			return refused("duplicate place", r.Line, r.GEOID)
		}
		seen[r.GEOID] = true
		d.Gazetteer.Spelling.Learn(r.State, PlainName(r.Name))
		d.Gazetteer.addCity(r)
		d.Gazetteer.Add(r)
		return nil
	}
	read(d, catalog.GazetteerPlaces, source.Gazetteer(7, "USPS", "NAME", "LSAD", "FUNCSTAT"), learn)
	read(d, catalog.GazetteerCousubs, source.Gazetteer(10, "USPS", "NAME", "FUNCSTAT"), learn)
}

// municipalNames returns the name of a municipality, the first of two names
// divided by a stroke, and the others. These are the second, both, and the name
// of a rural municipality without its number.
func municipalNames(full string) (name string, others []string) {
	name = full
	if first, second, ok := strings.Cut(full, " / "); ok {
		name = first
		others = append(others, second, full)
	}
	if bare, _, ok := strings.Cut(name, " No. "); ok {
		others = append(others, bare)
	}
	return name, others
}

// A Speller gives names of places their proper case and punctuation. Postal
// sources write in capitals, or in capitals turned into initial capitals, which
// loses the difference between "Dekalb" and "DeKalb". The Census Bureau writes
// names as the places do, so its spelling is used for a name of the same words
// in the same state. Other names follow general rules. Accents are not added:
// the Postal Service has none. "Saint" and "St." stay as they are.
type Speller struct {
	known map[[2]string]string // state, words as one key: official spelling without accents
}

// Learn remembers the spelling of a name; the first of the same words stays.
func (s *Speller) Learn(state, name string) {
	if s.known == nil {
		s.known = map[[2]string]string{}
	}
	name = withoutAccents(name)
	for _, variant := range []string{name, saintInFull(name)} {
		for _, key := range wordKeys(variant) {
			k := [2]string{state, key}
			if _, have := s.known[k]; !have {
				s.known[k] = variant
			}
		}
	}
}

// saintInFull writes the abbreviations that the Postal Service writes out.
func saintInFull(name string) string {
	words := strings.Split(name, " ")
	for i, w := range words {
		switch w {
		case "St.":
			words[i] = "Saint"
		case "Ste.":
			words[i] = "Sainte"
		case "Mt.":
			words[i] = "Mount"
		case "Ft.":
			words[i] = "Fort"
		}
	}
	return strings.Join(words, " ")
}

// wordKeys returns the keys of a known name: an apostrophe means nothing ("Lees
// Summit") or a space ("O Fallon").
func wordKeys(name string) []string {
	tight := Fold(name)
	loose := Fold(strings.NewReplacer("'", " ", "’", " ").Replace(name))
	if loose == tight {
		return []string{tight}
	}
	return []string{tight, loose}
}

// Spell returns the name in its proper case.
func (s *Speller) Spell(state, name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if name == "" {
		return ""
	}
	for _, key := range wordKeys(name) {
		if official, ok := s.known[[2]string{state, key}]; ok {
			return official
		}
	}
	words := strings.Split(name, " ")
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		words[i] = spellWord(w, next, i, len(words))
	}
	return joinParticles(words, s, state)
}

// smallWords are written in small letters within a name.
var smallWords = []string{"of", "the", "and", "in", "on", "at", "by"}

// initials are words that are written in capitals.
var initials = []string{
	"AFB", "ANGB", "AFS", "APO", "FPO", "DPO", "JBPHH", "JBER", "JBSA", "MCBH", "MCAS", "MCB", "NAS", "NAF", "NAWC", "NAWS",
	"USAF", "USCG", "USMC", "USPS", "IRS", "DHS", "II", "III", "IV", "BMC", "BRM", "STC", "NYC", "SLC", "SSL", "UNM", "S&DC", "P&DC",
}

// initialsIn are names that no rule spells.
var initialsIn = map[string]string{
	"fe warren afb": "FE Warren AFB", "t or c": "T or C", "macdill afb": "MacDill AFB",
}

func spellWord(w, next string, i, n int) string {
	upper := strings.ToUpper(w)
	switch {
	case i > 0 && i < n-1 && slices.Contains(smallWords, strings.ToLower(w)):
		return strings.ToLower(w)
	case slices.Contains(initials, upper):
		return upper
	case upper == "ST" && i < n-1 && !strings.HasPrefix(next, "Univ"): // "Penn St Univ" has no saint
		return "St."
	case upper == "STE" && i < n-1:
		return "Ste."
	case !allCapitals(w) && !allSmall(w) && !plainTitle(w):
		return w // mixed case is deliberate
	}
	return titleWord(w)
}

// titleWord capitalizes the first letter of each part of a hyphenated word, and
// the letter after "Mc" and "O'".
func titleWord(w string) string {
	parts := strings.Split(strings.ToLower(w), "-")
	for i, p := range parts {
		letters := []rune(p)
		if len(letters) == 0 {
			continue
		}
		letters[0] = unicode.ToUpper(letters[0])
		switch {
		case strings.HasPrefix(p, "mc") && len(letters) > 2, strings.HasPrefix(p, "o'") && len(letters) > 2,
			strings.HasPrefix(p, "d'") && len(letters) > 2:
			letters[2] = unicode.ToUpper(letters[2])
		}
		parts[i] = string(letters)
	}
	return strings.Join(parts, "-")
}

// joinParticles puts together what capitals without punctuation have torn apart: "Mc
// Lean" and "O Brien", "D Hanis", "Bois D Arc". In "Village O the Elms" the small word behind
// the O shows that it is not a particle of a name.
func joinParticles(words []string, s *Speller, state string) string {
	if whole, ok := initialsIn[strings.ToLower(strings.Join(words, " "))]; ok {
		return whole
	}
	var out []string
	for i := 0; i < len(words); i++ {
		last := i == len(words)-1
		switch {
		case !last && words[i] == "Mc":
			joined := titleWord("mc" + words[i+1])
			if official, ok := s.known[[2]string{state, Fold(joined)}]; ok && len(words) == 2 {
				joined = official
			}
			out = append(out, joined)
			i++
		case !last && (words[i] == "O" || words[i] == "D") && !slices.Contains(smallWords, words[i+1]):
			out = append(out, words[i]+"'"+capital(words[i+1]))
			i++
		default:
			out = append(out, words[i])
		}
	}
	return strings.Join(out, " ")
}

// capital returns a word that is not empty with a capital first letter; the rest stays.
func capital(w string) string {
	letters := []rune(w)
	letters[0] = unicode.ToUpper(letters[0])
	return string(letters)
}

func allCapitals(w string) bool { return w == strings.ToUpper(w) }

func allSmall(w string) bool { return w == strings.ToLower(w) }

// plainTitle reports a capital followed by small letters only.
func plainTitle(w string) bool {
	for i, r := range []rune(w) {
		if i == 0 && !unicode.IsUpper(r) || i > 0 && unicode.IsUpper(r) {
			return false
		}
	}
	return true
}

// Fold returns the words of a name as search keys have them, with single spaces between.
func Fold(name string) string { return string(namekey.Fold(nil, name)) }

// withoutAccents replaces letters with accents by those without, and keeps case and
// punctuation, which Fold does not.
func withoutAccents(name string) string {
	ascii := true
	for i := range len(name) {
		ascii = ascii && name[i] < 0x80
	}
	if ascii {
		return name
	}
	var out strings.Builder
	for _, r := range norm.NFD.String(name) {
		if !unicode.Is(unicode.Mn, r) {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// PlainName returns the name of a Census place or county subdivision without
// its legal description: "Abbeville city", "Nashville-Davidson metropolitan
// government (balance)".
func PlainName(name string) string {
	name = strings.TrimSpace(strings.TrimSuffix(name, " (balance)"))
	for _, suffix := range legalSuffixes {
		if rest, ok := strings.CutSuffix(name, suffix); ok && rest != "" {
			return strings.TrimSpace(rest)
		}
	}
	return name
}

// legalSuffixes are the legal and statistical descriptions that the Census
// Bureau appends to names, longest first if one ends in another.
var legalSuffixes = []string{
	" consolidated government", " metropolitan government", " metro government", " unified government", " city and borough",
	" charter township", " zona urbana", " urban county", " municipality", " corporation", " comunidad", " plantation",
	" unorganized territory", " reservation", " census subarea", " barrio-pueblo", " township", " precinct", " district",
	" village", " borough", " county", " barrio", " purchase", " location", " grant", " gore", " town", " city", " CCD", " CDP", " UT",
}
