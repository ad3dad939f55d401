package synth

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A draft is a Country whose sums are not computed yet.
type draft struct {
	*Country
	points []vertex // by cell: the point that must stay inside
	states map[string]int
	zones  map[string]int
	gaps   bool // cells may face each other across a gap
	grown  bool // around real codes

	holders []*holder
}

// newDraft starts a country with every state and province of the frame.
func newDraft(label string, seed uint64) *draft {
	d := &draft{
		Country: &Country{Label: label, seed: seed},
		states:  map[string]int{}, zones: map[string]int{},
	}
	for _, f := range frames {
		d.addState(State{Country: store.US, Abbr: f.abbr, Name: f.name, FIPS: f.fips})
	}
	for _, m := range militaryStates {
		d.addState(State{Country: store.US, Abbr: m.abbr, Name: m.name})
	}
	for _, p := range provinces {
		d.addState(State{Country: store.CA, Abbr: p.abbr, Name: p.name, NameFR: p.nameFR, PRUID: p.pruid})
	}
	return d
}

func (d *draft) addState(s State) {
	d.states[s.Abbr] = len(d.States)
	d.States = append(d.States, s)
}

func (d *draft) zone(name string) int {
	i, ok := d.zones[name]
	if !ok {
		i = len(d.Zones)
		d.zones[name] = i
		d.Zones = append(d.Zones, name)
	}
	return i
}

func (d *draft) addCell(c Cell, p vertex) int32 {
	d.Cells = append(d.Cells, c)
	d.points = append(d.points, p)
	return int32(len(d.Cells) - 1)
}

// addCells adds pieces that have the references of a cell.
func (d *draft) addCells(c Cell, boxes []Box) {
	for _, b := range boxes {
		c.Box = b
		d.addCell(c, vertexAt(b.Center()))
	}
}

// cellAround returns the first of the cells whose box contains the point, or None.
func cellAround(cells []Cell, p geo.LatLng) int {
	return slices.IndexFunc(cells, func(c Cell) bool { return c.Box.Contains(p) })
}

// newCell returns a cell without references.
func newCell(b Box) Cell {
	return Cell{Box: b, ZIP: None, County: None, Subdivision: None, Place: None, FSA: None, Municipality: None}
}

// finish sorts the codes, draws the borders and adds up areas.
func (d *draft) finish(detail int) (*Country, error) {
	d.sortZIPs()
	d.sortFSAs()
	if err := d.checkCodes(); err != nil {
		return nil, err
	}
	order := d.cut()
	d.mesh = newMesh(d.Cells, d.points, detail, d.seed, d.gaps)
	d.measure()
	d.addUp()
	d.hold(order)
	d.settle()
	d.place()
	return d.Country, nil
}

func (d *draft) sortZIPs() {
	back := sortBy(&d.ZIPs, func(a, b ZIP) int { return cmp.Compare(a.Code, b.Code) })
	for i := range d.Cells {
		if z := d.Cells[i].ZIP; z != None {
			d.Cells[i].ZIP = back[z]
		}
	}
}

func (d *draft) sortFSAs() {
	back := sortBy(&d.FSAs, func(a, b FSA) int { return cmp.Compare(a.Code, b.Code) })
	for i := range d.Cells {
		if f := d.Cells[i].FSA; f != None {
			d.Cells[i].FSA = back[f]
		}
	}
	for i := range d.PostalCodes {
		d.PostalCodes[i].FSA = int(back[d.PostalCodes[i].FSA])
	}
	slices.SortFunc(d.PostalCodes, func(a, b PostalCode) int { return cmp.Compare(a.Code, b.Code) })
}

func sortBy[T any](list *[]T, compare func(a, b T) int) []int32 {
	order := make([]int, len(*list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return compare((*list)[i], (*list)[k]) })
	out, back := make([]T, len(order)), make([]int32, len(order))
	for i, o := range order {
		out[i], back[o] = (*list)[o], int32(i)
	}
	*list = out
	return back
}

func (d *draft) checkCodes() error {
	return errors.Join(
		unique("ZIP Code", d.ZIPs, func(z ZIP) dataset.ZIP { return z.Code }),
		unique("FSA", d.FSAs, func(f FSA) dataset.FSA { return f.Code }),
		unique("postal code", d.PostalCodes, func(p PostalCode) dataset.PostalCode { return p.Code }))
}

// unique reports codes that are given twice. The list is sorted.
func unique[T any, C comparable](kind string, list []T, code func(T) C) error {
	for i := 1; i < len(list); i++ {
		if c := code(list[i]); c == code(list[i-1]) {
			return fmt.Errorf("synth: %s %v is given twice", kind, c)
		}
	}
	return nil
}

// measure sets the land and water of every cell. One cell in four has a lake of
// up to a fifth of its area.
func (d *draft) measure() {
	for i, c := range all(d.Cells) {
		whole := int64(math.Round(d.mesh.cellArea(c.Box)))
		h := hash(d.seed, uint64(i), 'w')
		if h%4 == 0 {
			c.Area.Water = whole / 1000 * int64(h>>8%200)
		}
		c.Area.Land = whole - c.Area.Water
	}
}

// addUp sets the area of all larger things to the sum of their cells.
func (d *draft) addUp() {
	for _, c := range all(d.Cells) {
		add := func(to *Area) { *to = to.Plus(c.Area) }
		add(&d.States[c.State].Area)
		if c.ZIP != None {
			add(&d.ZIPs[c.ZIP].Area)
			d.ZIPs[c.ZIP].HasArea = true
		}
		if c.County != None {
			county := &d.Counties[c.County]
			add(&county.Area)
			if county.CBSA != None {
				add(&d.CBSAs[county.CBSA].Area)
			}
		}
		if c.Subdivision != None {
			add(&d.Subdivisions[c.Subdivision].Area)
		}
		if c.Place != None {
			add(&d.Places[c.Place].Area)
		}
		if c.FSA != None {
			add(&d.FSAs[c.FSA].Area)
			d.FSAs[c.FSA].HasArea = true
		}
		if c.Municipality != None {
			m := &d.Municipalities[c.Municipality]
			add(&m.Area)
			add(&d.CensusDivisions[m.Division].Area)
		}
	}
}

// place gives counties, subdivisions, places and metros a point in their
// largest cell, elevations to counties, and people to municipalities.
func (d *draft) place() {
	set := func(n int, owner func(*Cell) int32, point func(i int) *geo.LatLng) {
		out := slices.Repeat([]int32{None}, n)
		for i := range d.Cells {
			o := owner(&d.Cells[i])
			if o != None && (out[o] == None || d.Cells[i].Area.Total() > d.Cells[out[o]].Area.Total()) {
				out[o] = int32(i)
			}
		}
		for i, cell := range out {
			if cell != None {
				*point(i) = d.points[cell].latLng()
			}
		}
	}
	set(len(d.Counties), func(c *Cell) int32 { return c.County }, func(i int) *geo.LatLng { return &d.Counties[i].Point })
	set(len(d.Subdivisions), func(c *Cell) int32 { return c.Subdivision }, func(i int) *geo.LatLng { return &d.Subdivisions[i].Point })
	set(len(d.Places), func(c *Cell) int32 { return c.Place }, func(i int) *geo.LatLng { return &d.Places[i].Point })
	for i := range d.Counties {
		if m := d.Counties[i].CBSA; m != None && !d.CBSAs[m].Point.IsValid() {
			d.CBSAs[m].Point = d.Counties[i].Point
		}
	}
	d.raise()
	d.populate()
}

// raise gives each county the mean elevation of its land.
func (d *draft) raise() {
	sums := make([]float64, len(d.Counties))
	for _, c := range all(d.Cells) {
		if c.County != None && c.ZIP != None {
			sums[c.County] += float64(float64(c.Area.Land) * d.ZIPs[c.ZIP].Elevation)
		}
	}
	for i := range d.Counties {
		if land := d.Counties[i].Area.Land; land > 0 {
			d.Counties[i].Elevation = sums[i] / float64(land)
		}
	}
}

// populate spreads the people of each FSA over its municipalities by land.
func (d *draft) populate() {
	for f, cells := range group(d.Cells, len(d.FSAs), func(c *Cell) int32 { return c.FSA }) {
		left, land := d.FSAs[f].Population, d.FSAs[f].Area.Land
		for k, i := range cells {
			c := &d.Cells[i]
			n := left
			if k < len(cells)-1 {
				n = int32(int64(d.FSAs[f].Population) * (c.Area.Land / 1000) / max(1, land/1000))
			}
			left -= n
			d.Municipalities[c.Municipality].Population += n
		}
		if len(cells) == 0 && d.FSAs[f].Municipality != None {
			d.Municipalities[d.FSAs[f].Municipality].Population += left
		}
	}
}

var militaryStates = []struct {
	abbr, name string
	low, high  int
	regions    []string
}{
	{"AA", "Armed Forces Americas", 34001, 34098, []string{"APO", "FPO"}},
	{"AE", "Armed Forces Europe", 9001, 9898, []string{"APO", "FPO", "DPO"}},
	{"AP", "Armed Forces Pacific", 96201, 96698, []string{"APO", "FPO"}},
}
