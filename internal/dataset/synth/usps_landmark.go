package synth

import (
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

// A Landmark is a real, public address. The ranges along its street and the
// units of its building are invented.
type Landmark struct {
	ZIP      dataset.ZIP
	Number   int
	PreDir   string
	Street   string
	Suffix   string
	PostDir  string
	Building string // capitals; "" for a house without units
	Location geo.LatLng
}

const (
	landmarkAddOn  = 8001 // first in a ZIP: above other records, below general delivery
	landmarkBlocks = 25   // on either side of the landmark's block
	landmarkFloors = 10
)

// landmarks writes the records of the ZIP's landmarks.
func (g *zip4Writer) landmarks(all []Landmark) {
	g.next, g.street = landmarkAddOn, 0
	for i := range all {
		if m := &all[i]; m.ZIP == g.office.zip.Code {
			g.left = 2*(2*landmarkBlocks+1) + landmarkFloors + 1
			g.landmark(m)
			g.at = nil
		}
	}
}

func (g *zip4Writer) landmark(m *Landmark) {
	g.street++
	route := cityRoute(g.street)
	// The street runs north or east with blocks of a thousandth of a degree.
	const block = 1000
	here := vertexAt(m.Location)
	step := vertex{0, block}
	if hash(g.seed, uint64(m.ZIP), uint64(m.Number))%2 == 0 {
		step = vertex{block, 0}
	}
	for k := int32(-landmarkBlocks); k <= landmarkBlocks; k++ {
		low := m.Number/100*100 + 100*int(k)
		if low < 0 {
			continue
		}
		g.at = &vertex{here.X + k*step.X, here.Y + k*step.Y}
		g.landmarkLine(m, max(low, 2), low+98, 'E')
		g.next++
		g.write('S', route, g.next-1, g.next-1)
		g.landmarkLine(m, low+1, low+99, 'O')
		g.next++
		g.write('S', route, g.next-1, g.next-1)
	}
	if m.Building == "" {
		return
	}
	parity := byte('E')
	if m.Number%2 == 1 {
		parity = 'O'
	}
	g.at = &here
	for floor := range landmarkFloors + 1 {
		g.landmarkLine(m, m.Number, m.Number, parity)
		g.line.put(80, 40, m.Building)
		if floor > 0 {
			g.line.put(120, 4, "STE ")
			g.line.digits(124, 8, int64(100*floor))
			g.line.digits(132, 8, int64(100*floor+99))
			g.line.put(140, 1, "B")
		}
		g.next++
		g.write('H', route, g.next-1, g.next-1)
	}
}

func (g *zip4Writer) landmarkLine(m *Landmark, low, high int, parity byte) {
	g.blank()
	l := g.line
	l.put(23, 2, m.PreDir)
	l.put(25, 28, m.Street)
	l.put(53, 4, m.Suffix)
	l.put(57, 2, m.PostDir)
	l.digits(59, 10, int64(low))
	l.digits(69, 10, int64(high))
	l[78] = parity
}
