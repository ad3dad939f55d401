package geocode

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// prepare builds the indexes of codes at the first query, in one pass over all codes. Codes
// around a point are general ZIP Codes and forward sortation areas only.
func (e *Engine) prepare() {
	e.once.Do(func() {
		e.canada = map[string][]store.Code{}
		e.counties = map[store.CountyID][]store.Code{}
		e.states = map[string]bool{}
		e.streets = map[store.StateID]bool{}
		for _, s := range e.data.States() {
			e.states[" "+strings.ToUpper(s.Abbr)], e.states[townKey("", s.Name)] = true, true
		}
		var points []geo.LatLng
		for row := range e.data.ZIPs() {
			a := store.CodeOfZIP(row.ZIP)
			e.streets[row.State] = e.streets[row.State] || e.data.RoadCoverage(a).Roads > 0
			if row.Class == store.General {
				e.areas, points = append(e.areas, a), append(points, row.Location)
				e.counties[row.County] = append(e.counties[row.County], a)
			}
		}
		for row := range e.data.FSAs() {
			a := store.CodeOfFSA(row.FSA)
			e.streets[row.Province] = e.streets[row.Province] || e.data.RoadCoverage(a).Roads > 0
			e.areas, points = append(e.areas, a), append(points, row.Location)
			name, _, _ := strings.Cut(row.City, "(")
			for _, s := range [...]string{name, row.Municipality} {
				if key := townKey(e.data.State(row.Province).Abbr, s); s != "" && !slices.Contains(e.canada[key], a) {
					e.canada[key] = append(e.canada[key], a)
				}
			}
		}
		e.points = spatial.NewPointIndex(points)
	})
}

// townKey is the key of a city of a province for both data and texts.
func townKey(state, city string) string {
	return state + strings.ReplaceAll(namekey.Of(city), " ", "")
}

// A town is a place that a last line names, with the codes that may have its streets.
// Name and point are its own, never those of its first code (decision D83).
type town struct {
	name, state string
	around      string // the county, or the kind of a Canadian place
	at          geo.LatLng
	radius      float64 // meters
	fame        int     // prominence, and more for a post office
	whole       bool    // a county: its codes have cities of their own
	areas       []store.Code
}

// doubling is the prominence of twice as many people, since the scale is logarithmic. A
// town is taken among its namesakes if it is two doublings ahead: four times as many people.
// A post office counts as much.
const doubling = 2048

// towns returns the places of a reading's city in its state, or in all states of its
// country without one, the best known first.
func (q *query) towns(a *address.Address) ([]town, error) {
	state, ok := q.stateOf(a.State)
	if a.City == "" || !ok && a.State != "" {
		return nil, nil
	}
	name := a.City
	list, err := q.addresses.Places(q.ctx, state, name, nil)
	if err != nil {
		return nil, err
	}
	var towns []town
	for i, n := range list {
		e := q.data.Entities().At(n)
		if e.Twin >= 0 && slices.Contains(list[:i], e.Twin) || a.Country != "" && a.Country != q.data.State(e.State).Country.String() {
			continue // the city and the place are one, or abroad
		}
		t, err := q.town(*e, name)
		if err != nil {
			return nil, err
		}
		towns = append(towns, t)
	}
	if len(towns) == 0 && state > 0 { // a name of a ZIP Code, such as that of its municipality
		s := q.data.State(state)
		zips, err := q.addresses.TownZIPs(q.ctx, s.Abbr, name)
		if len(zips) > 0 && err == nil {
			t := town{name: name, state: s.Abbr}
			for _, z := range zips {
				t.areas = append(t.areas, store.CodeOfZIP(z))
			}
			q.measure(&t, geo.Box{})
			towns = append(towns, t)
		}
		return towns, err
	}
	for _, words := range a.Unused {
		elsewhere := func(t town) bool { return !sameName(t.around, words) }
		if slices.ContainsFunc(towns, func(t town) bool { return !elsewhere(t) }) {
			towns = slices.DeleteFunc(towns, elsewhere) // Midway, Seminole County, FL
		}
	}
	slices.SortStableFunc(towns, func(x, y town) int { return y.fame - x.fame })
	return towns, nil
}

// town returns the place of an entity with a name. Its name is the one that its ZIP Codes
// have, and its point that of the municipality, if it is one.
func (q *query) town(e store.Entity, name string) (town, error) {
	t := town{
		state: q.data.State(e.State).Abbr, around: q.data.County(e.County).Name, at: e.Location, fame: int(e.Prominence),
		whole: e.Kind == store.EntityCounty,
	}
	if len(e.ZIPs) > 0 {
		t.fame += 2 * doubling
	}
	if e.Twin >= 0 {
		twin := q.data.Entities().At(e.Twin)
		if e.Kind == store.EntityCity {
			t.at, e.Box = twin.Location, twin.Box
		} else {
			e.Name = twin.Name
		}
	}
	var kind string
	if t.name, kind, _ = strings.Cut(e.Name, " ("); t.around == "" { // North Vancouver (city)
		t.around = strings.TrimSuffix(kind, ")")
	}
	if !sameName(t.name, name) { // Petersburg is Petersburgh, too
		for _, z := range e.ZIPs {
			if row, _ := q.data.ZIP(z); sameName(row.City, name) {
				t.name = row.City
			}
		}
	}
	var err error
	t.areas, err = q.areasOf(&e, &t)
	q.measure(&t, e.Box)
	return t, err
}

// areasOf returns the codes of a place: those with its name, else those that it overlaps,
// else the nearest.
func (q *query) areasOf(e *store.Entity, t *town) (list []store.Code, err error) {
	s := q.data.State(e.State)
	switch {
	case s.Country == store.CA:
		layer, width := store.LayerCensusSubdivision, 7
		if e.Kind == store.EntityCounty {
			layer, width = store.LayerCensusDivision, 4
		}
		if list = q.canada[townKey(s.Abbr, t.name)]; len(list) > 0 && e.Kind != store.EntityCounty {
			return list, nil
		}
		l := q.data.Layer(layer)
		if err := l.Load(q.ctx); err != nil {
			return nil, err
		}
		if i, ok := l.Find(fmt.Sprintf("%0*d", width, e.Ref)); ok {
			codes, err := q.data.CodesIn(q.ctx, layer, i)
			if err != nil {
				return nil, err
			}
			for _, c := range codes {
				list = append(list, c.Code)
			}
		}
	case e.Kind == store.EntityCounty:
		list = q.counties[e.County]
	default:
		zips := e.ZIPs
		if len(zips) == 0 {
			zips, err = q.addresses.TownZIPs(q.ctx, s.Abbr, t.name)
		}
		for _, z := range zips {
			list = append(list, store.CodeOfZIP(z))
		}
	}
	if len(list) == 0 && t.at.IsValid() {
		for _, n := range q.points.AppendNearest(nil, t.at, 1) {
			list = append(list, q.Engine.areas[n.Index])
		}
	}
	return list, err
}

// measure sets the radius of a town, and its point if it has none: that of its code in
// the middle of the others. The radius is half of the diagonal of its box, else the distance
// of its farthest code, but at least as far as the codes around are apart.
func (q *query) measure(t *town, box geo.Box) {
	if !t.at.IsValid() {
		t.at = q.middleOf(t.areas)
	}
	t.radius = q.radiusAt(t.at)
	if box.SouthWest.IsValid() {
		t.radius = max(t.radius, min(span(planeAt(t.at), box.SouthWest, box.NorthEast)/2, mostOfCode))
		return
	}
	for _, a := range t.areas {
		if p := q.pointOf(a); p.IsValid() && t.at.IsValid() {
			t.radius = max(t.radius, leastOfCode+span(planeAt(t.at), t.at, p))
		}
	}
}

// Bounds of the radii of codes in meters.
const leastOfCode, mostOfCode = 2_000.0, 100_000.0

// radiusAt returns the distance of the codes around a point that are about as far as the
// border of its own.
func (e *Engine) radiusAt(p geo.LatLng) float64 {
	const neighbors = 4
	near := e.points.AppendNearest(nil, p, neighbors)
	if len(near) == 0 {
		return leastOfCode
	}
	return min(max(leastOfCode, float64(near[len(near)-1].Distance)), mostOfCode)
}

// middleOf returns the point of the code that is nearest to the mean of all. The mean itself
// may lie in a bay or another town.
func (e *Engine) middleOf(areas []store.Code) (best geo.LatLng) {
	lat, lng, n := 0.0, 0.0, 0.0
	for _, a := range areas {
		if p := e.pointOf(a); p.IsValid() {
			lat, lng, n = lat+p.Lat(), lng+p.Lng(), n+1
		}
	}
	mean, err := geo.LatLngFromDegrees(lat/max(n, 1), lng/max(n, 1))
	if n == 0 || err != nil {
		return best
	}
	least := math.Inf(1)
	for _, a := range areas {
		if p := e.pointOf(a); p.IsValid() {
			if d := span(planeAt(mean), mean, p); d < least {
				best, least = p, d
			}
		}
	}
	return best
}

// locate sets the codes of the last line: the given one, then those of the city. A typed
// code and a typed city with its state are three statements. If the code contradicts both
// others, it comes last (Boston, MA 90210); the state alone never outweighs it. Without a
// state, the codes of all cities of the name are areas. If the dataset lacks the streets of
// one, the text is ambiguous, because the street may be there.
func (q *query) locate(a *address.Address) error {
	code, given := q.codeOf(a.ZIP)
	state, ok := q.stateOf(a.State)
	if given {
		q.areas, q.given = append(q.areas, scope{code, 0}), true
	}
	if a.City == "" || !ok && (given || a.State != "") {
		return nil
	}
	towns, err := q.towns(a)
	if err != nil {
		return err
	}
	if given && len(towns) > 0 && !towns[0].whole && q.contradicts(code, state, a.City) {
		q.areas, q.given = q.areas[:0], false // two of three agree
	}
	if state == 0 && q.divides(a) && slices.ContainsFunc(towns, func(t town) bool { return t.state != towns[0].state }) &&
		slices.ContainsFunc(towns, func(t town) bool { return !q.streetsIn(&t) }) {
		return ambiguous(q.text, placesOf(towns)) // the street may be in a town without streets
	}
	for i := range towns {
		for _, x := range towns[i].areas {
			cost := 0
			switch {
			case state == 0:
				if cost = costDoubt; q.data.RoadCoverage(x).Roads == 0 {
					continue
				}
			case q.given:
				cost = costArea
			}
			if !slices.ContainsFunc(q.areas, func(s scope) bool { return s.Code == x }) {
				q.vague = q.vague || state == 0 && towns[i].state != towns[0].state
				q.areas = append(q.areas, scope{x, cost})
			}
		}
	}
	if given && !q.given {
		q.areas = append(q.areas, scope{code, costArea})
	}
	// A city without a state turned out to be Canadian, which the parser could not know.
	if len(q.areas) > 0 && state == 0 && !q.vague {
		if _, canada := q.areas[0].FSA(); !canada {
			return nil
		}
		for i := range q.reads {
			q.reads[i].Country = "CA"
			canadian(&q.reads[i])
		}
	}
	return nil
}

// streetsIn reports whether the dataset has streets of a town.
func (e *Engine) streetsIn(t *town) bool {
	return slices.ContainsFunc(t.areas, func(a store.Code) bool { return e.data.RoadCoverage(a).Roads > 0 })
}

// codeOf returns the ZIP Code or forward sortation area of a code, if the dataset has it.
func (e *Engine) codeOf(code string) (a store.Code, ok bool) {
	if z, ok := postcode.ParseZIP(code); ok {
		_, known := e.data.ZIP(z)
		return store.CodeOfZIP(z), known
	}
	if n := len(code); n == 3 || n >= 6 && n <= 7 && code[n-1] <= '9' { // H2Y, H2Y1A1, H2Y 1A1
		if f, ok := postcode.ParseFSA(code[:3]); ok {
			_, known := e.data.FSA(f)
			return store.CodeOfFSA(f), known
		}
	}
	return a, false
}

// stateOf returns the state or province with an abbreviation.
func (e *Engine) stateOf(abbr string) (id store.StateID, ok bool) {
	if id, ok = e.data.StateByAbbr(store.US, abbr); !ok {
		id, ok = e.data.StateByAbbr(store.CA, abbr)
	}
	return id, ok
}

// contradicts reports whether a code lies in another state than the text and is not the
// city's: Boston, MA 90210.
func (q *query) contradicts(code store.Code, state store.StateID, city string) bool {
	var p Place
	q.setPlace(&p, code)
	return p.State != q.data.State(state).Abbr && !sameName(p.City, city)
}

// fallBack sets the place of the code or the city, and returns the reading that names it.
func (q *query) fallBack(text string, r *Result) (*address.Address, error) {
	if q.given {
		q.setCode(&r.Place, q.areas[0].Code)
		for i := range q.reads {
			if a := &q.reads[i]; a.City != "" && q.divides(a) {
				if other, err := q.otherCity(&r.Place, a); !other || err != nil {
					return a, err
				}
			}
		}
		return &q.reads[0], nil
	}
	for i := range q.reads {
		a := &q.reads[i]
		if a.City == "" || !q.divides(a) {
			continue
		}
		towns, err := q.towns(a)
		if err != nil {
			return nil, err
		}
		if len(towns) == 0 {
			continue
		}
		r.Candidates = placesOf(towns)
		r.Place = r.Candidates[0]
		switch {
		case len(r.Candidates) == 1:
			r.Candidates = nil
		case a.State == "" || towns[0].fame-towns[1].fame < 2*doubling:
			return nil, ambiguous(text, r.Candidates)
		}
		r.setFormatted()
		return a, nil
	}
	return nil, q.notFound(text)
}

// placesOf returns the places of towns, without those near the first. Namesakes of a state
// have what is around them behind their addresses.
func placesOf(towns []town) (list []Place) {
	first := &towns[0]
	apart := func(t *town) bool { return t.state != first.state || geo.Distance(t.at, first.at) > apartNamesakes }
	alike := slices.ContainsFunc(towns, func(t town) bool { return t.state == first.state && apart(&t) })
	for i := range towns {
		t := &towns[i]
		if i > 0 && !apart(t) {
			continue
		}
		p := Place{Precision: City, Location: t.at, RadiusM: round(t.radius), City: t.name, State: t.state}
		if p.setFormatted(); alike && t.around != "" && t.state == first.state {
			p.Formatted += " (" + t.around + ")"
		}
		list = append(list, p)
	}
	return list
}

// apartNamesakes is the distance in meters from which places of one name are different
// ones. Nearer ones, such as a town and the township around it, are listed once.
const apartNamesakes = 25_000

func (q *query) setCode(p *Place, a store.Code) {
	p.Precision = ZIP
	p.Location = q.setPlace(p, a)
	p.RadiusM = round(q.radiusAt(p.Location))
	p.setFormatted()
}

// divides reports whether a reading divides the street from the city without a guess: at a
// comma, or behind the suffix of a numbered street or a street of one word. Only then may
// the answer be the city alone: an unknown street of Upper Darby must not become Darby.
func (q *query) divides(a *address.Address) bool {
	city := squeezed(a.City)
	for text, more := squeezed(address.Clean(q.text)), true; more; _, text, more = strings.Cut(text, ",") {
		if strings.HasPrefix(strings.ReplaceAll(text, ",", ""), city) {
			return true
		}
	}
	if a.Secondary.Type != "" && a.Secondary.Number == "" {
		return false // ELM ST, UPPER DARBY before DARBY
	}
	words := strings.Fields(a.Street)
	for _, w := range words[min(1, len(words)):] {
		if pub28.SureSuffix(w) {
			return false // MAIN ST LANGHORNE before MANOR
		}
	}
	if seldomInCities(a.Suffix) {
		return true
	}
	return a.Kind != address.Street || a.Number != "" && (a.Suffix+a.PreType != "" || len(words) == 1)
}

// seldomInCities reports whether a suffix of streets is seldom a part of the name of a city, unlike
// that of HYDE PARK.
func seldomInCities(suffix string) bool {
	switch suffix {
	case "ST", "AVE", "RD", "DR", "BLVD", "LN":
		return true
	default:
		return false
	}
}

// squeezed returns the letters, digits and commas of a text.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if r == ',' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, text)
}
