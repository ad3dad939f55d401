package synth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A HeldLayer is a layer of areas other than counties, subdivisions and places.
// Its areas are unions of cells.
type HeldLayer struct {
	ID    store.LayerID
	Kind  string // of all its areas: "unified" and so on for school districts; "" elsewhere
	Areas []HeldArea

	owner []int32 // by cell: its area, or None
}

// A HeldArea is an area of a HeldLayer.
type HeldArea struct {
	GEOID  string
	Base   string // name without its description
	Name   string // with its description, if any
	French string // "" if it is the same
	Kind   string // "CMA" or "CA"; "" elsewhere
	State  int    // None if it lies in several
	Point  geo.LatLng
	Area   Area
}

// held returns the layer, or nil if the country does not have it.
func (c *Country) held(id store.LayerID, kind string) *HeldLayer {
	for i := range c.Held {
		if c.Held[i].ID == id && c.Held[i].Kind == kind {
			return &c.Held[i]
		}
	}
	return nil
}

func (c *Country) heldAreas(id store.LayerID) []HeldArea {
	if l := c.held(id, ""); l != nil {
		return l.Areas
	}
	return nil
}

// cut halves the cell around the point of every code, so that tracts and
// districts divide ZIPs and FSAs. In the returned order of cells the halves are
// adjacent.
func (d *draft) cut() []int32 {
	const least = 12_000 // millionths of a degree that a side must have to be cut
	n := len(d.Cells)
	order := make([]int32, 0, 2*n)
	for i := range n {
		order = append(order, int32(i))
		c := d.Cells[i]
		var at geo.LatLng
		switch {
		case c.ZIP != None && d.ZIPs[c.ZIP].County == int(c.County):
			at = d.ZIPs[c.ZIP].Point
		case c.FSA != None:
			at = d.FSAs[c.FSA].Point
		}
		if !at.IsValid() || !c.Box.Contains(at) || max(c.Box.X1-c.Box.X0, c.Box.Y1-c.Box.Y0) < least {
			continue
		}
		rest, half := halve(c.Box, vertexAt(at))
		d.Cells[i].Box = rest
		c.Box = half
		order = append(order, d.addCell(c, vertexAt(half.Center())))
	}
	return order
}

// A holder collects the areas of one layer.
type holder struct {
	d       *draft
	layer   HeldLayer
	byGEOID map[string]int32
}

func (d *draft) holder(id store.LayerID, kind string) *holder {
	h := &holder{d, HeldLayer{ID: id, Kind: kind, owner: slices.Repeat([]int32{None}, len(d.Cells))}, map[string]int32{}}
	d.holders = append(d.holders, h)
	return h
}

// give adds a cell to the area with the GEOID. The first cell names the area.
func (h *holder) give(cell int32, a HeldArea) {
	i, ok := h.byGEOID[a.GEOID]
	if !ok {
		i = int32(len(h.layer.Areas))
		h.byGEOID[a.GEOID] = i
		a.Name = cmp.Or(a.Name, a.Base)
		h.layer.Areas = append(h.layer.Areas, a)
	}
	h.layer.owner[cell] = i
}

// done adds up and sorts the areas and adds the layer to the country. The cells
// must be measured.
func (h *holder) done() {
	l := &h.layer
	if len(l.Areas) == 0 {
		return
	}
	largest := make([]int64, len(l.Areas))
	for i, o := range l.owner {
		if o == None {
			continue
		}
		a := &l.Areas[o]
		a.Area = a.Area.Plus(h.d.Cells[i].Area)
		if t := h.d.Cells[i].Area.Total(); t > largest[o] {
			largest[o], a.Point = t, h.d.points[i].latLng()
		}
	}
	back := sortBy(&l.Areas, func(a, b HeldArea) int { return strings.Compare(a.GEOID, b.GEOID) })
	for i, o := range l.owner {
		if o != None {
			l.owner[i] = back[o]
		}
	}
	h.d.Held = append(h.d.Held, *l)
}

// runs numbers runs of cells with the same parent. The first run of a parent
// has first cells, the others length cells.
type runs struct {
	first, length int
	count         map[int32]int
}

func newRuns(first, length int) *runs { return &runs{first, length, map[int32]int{}} }

func (r *runs) next(parent int32) int {
	n := r.count[parent]
	r.count[parent]++
	if n < r.first {
		return 0
	}
	return 1 + (n-r.first)/r.length
}

// hold makes the layers of both countries from the cells in their order.
func (d *draft) hold(order []int32) {
	d.holdTracts(order)
	d.holdDistricts(order)
	d.holdSchools(order)
	d.holdCanada(order)
	d.holdFurther(order)
	for _, h := range d.holders {
		h.done()
	}
}

// holdTracts makes tracts of two cells each, and of every cell a block group.
func (d *draft) holdTracts(order []int32) {
	tracts, groups := d.holder(store.LayerTract, ""), d.holder(store.LayerBlockGroup, "")
	run, inTract := newRuns(1, 2), map[string]int{}
	for _, i := range order {
		c := &d.Cells[i]
		if c.County == None || c.ZIP == None {
			continue
		}
		county := &d.Counties[c.County]
		n := run.next(c.County) + 1
		tract := fmt.Sprintf("%s%04d00", county.FIPS, n)
		tracts.give(i, HeldArea{GEOID: tract, Base: fmt.Sprint(n), Name: fmt.Sprintf("Census Tract %d", n), State: county.State})
		inTract[tract]++
		number := fmt.Sprint(inTract[tract])
		groups.give(i, HeldArea{GEOID: tract + number, Base: number, Name: "Block Group " + number, State: county.State})
	}
}

// Seats of the 119th Congress: states with one representative at large, and
// the districts of delegates and of the resident commissioner.
var (
	atLarge   = []string{"AK", "DE", "ND", "SD", "VT", "WY"}
	delegates = []string{"DC", "PR", "VI", "GU", "AS", "MP"}
	// redrawn are the states whose districts of the 120th Congress differ.
	redrawn = []string{"CA", "MO", "TX"}
)

// Limits of the districts of a state: the largest delegation and Alaska's
// senate. The last district takes the remaining cells.
const (
	mostDistricts = 52
	mostLetters   = 20
)

// holdDistricts makes congressional and state legislative districts. Nebraska
// has one chamber. The District of Columbia and the islands except Puerto Rico
// have none in these files.
func (d *draft) holdDistricts(order []int32) {
	congress, following := d.holder(store.LayerCongressionalDistrict, ""), d.holder(store.PlanLayer(store.LayerCongressionalDistrict, 1), "")
	upper, lower := d.holder(store.LayerStateUpper, ""), d.holder(store.LayerStateLower, "")
	inCongress, inUpper, inLower := newRuns(25, 40), newRuns(9, 12), newRuns(5, 6)
	inFollowing := newRuns(11, 30)
	for _, i := range order {
		c := &d.Cells[i]
		if c.ZIP == None {
			continue
		}
		state := int(c.State)
		s := &d.States[state]
		number := fmt.Sprintf("%02d", min(inCongress.next(c.State)+1, mostDistricts))
		name := "Congressional District " + strings.TrimLeft(number, "0")
		switch {
		case slices.Contains(atLarge, s.Abbr):
			number, name = "00", "Congressional District (at Large)"
		case slices.Contains(delegates, s.Abbr):
			number, name = "98", "Delegate District (at Large)"
			if s.Abbr == "PR" {
				name = "Resident Commissioner District (at Large)"
			}
		}
		give := func(h *holder, code, base, name string) {
			h.give(i, HeldArea{GEOID: s.FIPS + code, Base: base, Name: name, State: state})
		}
		give(congress, number, number, name)
		if slices.Contains(redrawn, s.Abbr) {
			number = fmt.Sprintf("%02d", min(inFollowing.next(c.State)+1, mostDistricts))
			name = "Congressional District " + strings.TrimLeft(number, "0")
		}
		give(following, number, number, name)
		if slices.Contains(delegates, s.Abbr) && s.Abbr != "PR" {
			continue
		}
		chamber := func(h *holder, n int, words string) {
			base := fmt.Sprint(n)
			if s.Abbr == "AK" && h == upper { // letters there
				base = string(rune('A' + min(n, mostLetters) - 1))
			}
			give(h, fmt.Sprintf("%03s", base), base, words+" "+base)
		}
		if s.Abbr == "NE" {
			chamber(upper, inUpper.next(c.State)+1, "State Legislative District")
			continue
		}
		chamber(upper, inUpper.next(c.State)+1, "State Senate District")
		chamber(lower, inLower.next(c.State)+1, "State House District")
	}
}

// holdSchools makes school districts. Every third county has elementary ones
// within a secondary one, the others have unified ones. Vermont also has
// administrative ones.
func (d *draft) holdSchools(order []int32) {
	unified, elementary := d.holder(store.LayerSchoolDistrict, "unified"), d.holder(store.LayerSchoolDistrict, "elementary")
	secondary, administrative := d.holder(store.LayerSchoolDistrict, "secondary"), d.holder(store.LayerSchoolDistrict, "administrative")
	inUnified, inElementary := newRuns(5, 6), newRuns(2, 3)
	perState, geoids := map[int]int{}, map[string]string{}
	for _, i := range order {
		c := &d.Cells[i]
		if c.County == None || c.ZIP == None {
			continue
		}
		county := &d.Counties[c.County]
		give := func(h *holder, words string) {
			key := county.FIPS + words
			if geoids[key] == "" {
				perState[county.State]++
				geoids[key] = fmt.Sprintf("%s%05d", d.States[county.State].FIPS, 30*perState[county.State])
			}
			h.give(i, HeldArea{GEOID: geoids[key], Base: county.Base + " " + words, State: county.State})
		}
		if c.County%3 == 2 {
			give(elementary, fmt.Sprintf("Elementary School District %d", inElementary.next(c.County)+1))
			give(secondary, "Union High School District")
		} else {
			give(unified, fmt.Sprintf("School District %d", inUnified.next(c.County)+1))
		}
		if d.States[county.State].Abbr == "VT" {
			give(administrative, "Supervisory Union")
		}
	}
}

// holdCanada makes the layers of Canada:
//
//   - Economic regions of census divisions.
//   - Consolidated subdivisions of municipalities.
//   - Metropolitan areas of towns, with tracts in the large ones.
//   - A population center in every town.
//   - Designated places in rural municipalities.
//   - Federal electoral districts.
func (d *draft) holdCanada(order []int32) {
	regions, consolidated := d.holder(store.LayerEconomicRegion, ""), d.holder(store.LayerConsolidatedSubdivision, "")
	metros, tracts := d.holder(store.LayerMetroArea, ""), d.holder(store.LayerCensusTract, "")
	centers, places := d.holder(store.LayerPopulationCentre, ""), d.holder(store.LayerDesignatedPlace, "")
	federal := d.holder(store.LayerFederalDistrict, "")
	inFederal, inTract := newRuns(7, 10), newRuns(1, 2)
	towns, numberOf := d.countTowns()
	halves := map[int32]int{}
	for _, i := range order {
		c := &d.Cells[i]
		if c.Municipality == None {
			continue
		}
		m := &d.Municipalities[c.Municipality]
		division := &d.CensusDivisions[m.Division]
		province := &d.States[c.State]
		state := int(c.State)
		regions.give(i, HeldArea{GEOID: regionOf(division.UID), Base: "Region of " + division.Name, French: "Région de " + division.Name, State: state})
		number := numberOf[c.Municipality]
		consolidated.give(i, HeldArea{GEOID: fmt.Sprintf("%s%03d", division.UID, 1+3*(number/2)), Base: m.Name, State: state})
		federal.give(i, HeldArea{
			GEOID: fmt.Sprintf("%s%03d", province.PRUID, inFederal.next(c.State)+1), Base: m.Name + "--" + province.Name,
			French: m.Name + "--" + cmp.Or(province.NameFR, province.Name), State: state,
		})
		half := halves[c.Municipality]
		halves[c.Municipality]++
		if rural(m) {
			if number%2 == 1 && half == 1 {
				places.give(i, HeldArea{GEOID: fmt.Sprintf("%s%04d", province.PRUID, 100+int(c.Municipality)), Base: m.Name + " Station", Kind: "DPL", State: state})
			}
			continue
		}
		if half == 0 {
			centers.give(i, HeldArea{GEOID: fmt.Sprintf("%04d", 100+c.Municipality), Base: m.Name, Kind: "4", State: state})
		}
		code, name := d.metroOf(m.Division)
		if code == "" && towns[m.Division] < 2 {
			continue
		}
		kind := "CMA"
		if code == "" {
			code, name = fmt.Sprintf("%03d", 100+m.Division), m.Name
			if towns[m.Division] < 3 {
				kind = "CA"
			}
		}
		if kind == "CMA" {
			number := fmt.Sprintf("%04d.00", inTract.next(int32(m.Division))+1)
			tracts.give(i, HeldArea{GEOID: code + number, Base: number, State: state})
		}
		metros.give(i, HeldArea{GEOID: code, Base: name, Kind: kind, State: None})
	}
}

// metroAreas are census metropolitan areas by their largest census division,
// for countries that are grown around real codes.
var metroAreas = map[string][2]string{
	"1001": {"001", "St. John's"},
	"1209": {"205", "Halifax"},
	"2423": {"421", "Québec"},
	"2466": {"462", "Montréal"},
	"3506": {"505", "Ottawa - Gatineau"},
	"3520": {"535", "Toronto"},
	"3525": {"537", "Hamilton"},
	"3526": {"539", "St. Catharines - Niagara"},
	"3537": {"559", "Windsor"},
	"3539": {"555", "London"},
	"4611": {"602", "Winnipeg"},
	"4706": {"705", "Regina"},
	"4711": {"725", "Saskatoon"},
	"4806": {"825", "Calgary"},
	"4811": {"835", "Edmonton"},
	"5915": {"933", "Vancouver"},
	"5917": {"935", "Victoria"},
}

// metroOf returns the real metropolitan area around a census division, or "" if
// it has none or the country is invented.
func (d *draft) metroOf(division int) (code, name string) {
	if !d.grown {
		return "", ""
	}
	m := metroAreas[d.CensusDivisions[division].UID]
	return m[0], m[1]
}

// countTowns counts the towns of each census division, and numbers the
// municipalities within theirs.
func (d *draft) countTowns() (towns map[int]int, number []int) {
	towns, number = map[int]int{}, make([]int, len(d.Municipalities))
	seen := map[int]int{}
	for i, m := range all(d.Municipalities) {
		number[i] = seen[m.Division]
		seen[m.Division]++
		if !rural(m) {
			towns[m.Division]++
		}
	}
	return towns, number
}

func rural(m *Municipality) bool { return m.Type == "RM" }

// regionOf returns the code of a census division's economic region, which has
// three divisions.
func regionOf(division string) string {
	return fmt.Sprintf("%s%d0", division[:2], 1+number4(division[2:])/3%9)
}
