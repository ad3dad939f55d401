package synth

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// generalDelivery writes the record of general delivery, add-on 9999.
func (g *zip4Writer) generalDelivery() {
	g.blank()
	g.line.put(25, 28, "GENERAL DELIVERY")
	g.write('G', "C000", 9999, 9999)
}

// boxes writes n records of post office boxes. In the first 20 ranges every box
// has an add-on; in the others all boxes share one.
func (g *zip4Writer) boxes(n int) {
	g.blank()
	g.line.put(25, 28, "PO BOX")
	g.line.put(79, 1, "B")
	for k := range n {
		low, high, first, last := 10*k+1, 10*k+10, 10*k+1, 10*k+10
		if k >= 20 {
			low, high = 201+60*(k-20), 260+60*(k-20)
			first, last = 201+k-20, 201+k-20
		}
		g.line.digits(59, 10, int64(low))
		g.line.digits(69, 10, int64(high))
		g.write('P', "B001", first, last)
	}
}

// routes writes n records of rural routes, ten per route: a default without
// boxes, then ranges of boxes.
func (g *zip4Writer) routes(n int) {
	for k := range n {
		g.blank()
		g.line.put(25, 28, "RR ")
		g.line.digits(28, 1, int64(1+k/10%9))
		if k%10 > 0 {
			g.line.digits(59, 10, int64(100*(k%10)-99))
			g.line.digits(69, 10, int64(100*(k%10)-2))
			g.line.put(79, 1, "B")
		}
		if k%7 == 6 {
			g.line.put(150, 1, "L")
		}
		g.writeNext('R', ruralRoute(k/10))
	}
}

func ruralRoute(i int) string { return "R00" + string(rune('1'+i%9)) }
func cityRoute(i int) string  { return "C00" + string(rune('1'+i%4)) }

func (g *zip4Writer) firm(k int) {
	h := hash(g.seed, uint64(g.office.zip.Code), uint64(k)+'f'<<32)
	g.street = k
	g.address(100+2*(k%400), 100+2*(k%400), 'E')
	g.line.put(80, 40, firmWords[h%uint64(len(firmWords))]+" "+firmEnds[h>>16%uint64(len(firmEnds))])
	if k%5 == 4 {
		g.line.put(151, 1, "B")
	}
	g.writeNext('F', cityRoute(k))
}

// tower writes up to n records of a high-rise: the default, then units.
func (g *zip4Writer) tower(k, n int) {
	g.street = k
	number := 101 + 2*(k%400)
	unit := "APT "
	if k%3 == 0 {
		unit = "STE "
	}
	for i := range n {
		g.address(number, number, 'O')
		if k%2 == 0 {
			g.line.put(80, 40, firmWords[k/2%len(firmWords)]+" TOWER")
		}
		if i > 0 {
			g.units(unit, 100*i+1, 100*i+30)
		}
		g.writeNext('H', cityRoute(k))
	}
}

// units fills the fields of a range of units.
func (g *zip4Writer) units(kind string, low, high int) {
	g.line.put(120, 4, kind)
	g.line.digits(124, 8, int64(low))
	g.line.digits(132, 8, int64(high))
	g.line.put(140, 1, "B")
}

// noDelivery writes a record without delivery, for one ZIP in eight.
func (g *zip4Writer) noDelivery() {
	if g.office.zip.Code%8 != 3 || g.left < 20 {
		return
	}
	g.street = 0
	g.address(1, 1, 'O')
	g.write('S', "C001", 0, 0)
}

// side writes one side of a block, twelve per street. Every fiftieth side also
// has a record with an alternate name.
func (g *zip4Writer) side() {
	low := 100 * (1 + g.block/2)
	parity := byte('E')
	if g.block%2 == 1 {
		low, parity = low+1, 'O'
	}
	g.address(low, low+98, parity)
	if g.street%3 == 0 {
		g.line.put(171, 6, g.office.urb)
	}
	route := cityRoute(g.street)
	g.writeNext('S', route)
	if g.next%50 == 0 {
		g.line.clear(23, 36)
		g.line.put(25, 28, "STATE HIGHWAY ")
		g.line.digits(39, 2, int64(10+g.street%90))
		g.line.put(149, 1, "A")
		g.write('S', route, g.next-1, g.next-1)
	}
	if g.block++; g.block == 12 {
		g.block = 0
		g.street++
	}
}

// address fills the fields of a street address.
func (g *zip4Writer) address(low, high int, parity byte) {
	word, kind, dir := streetOf(g.office, g.street)
	g.numbers(dir, word, streetTypes[kind], "", low, high, parity)
}

// numbers fills the fields of a range of house numbers.
func (g *zip4Writer) numbers(preDir, street, suffix, postDir string, low, high int, parity byte) {
	g.blank()
	l := g.line
	l.put(23, 2, preDir)
	l.put(25, 28, street)
	l.put(53, 4, suffix)
	l.put(57, 2, postDir)
	l.digits(59, 10, int64(low))
	l.digits(69, 10, int64(high))
	l[78] = parity
}

// streetOf returns word, type and direction of street k of a ZIP Code. The streets run
// through all words, then all types, then directions.
func streetOf(o *postOffice, k int) (word string, kind int, dir string) {
	i, turn := k+int(o.zip.Code), k/len(streetWords)
	dir = directionals[(turn/len(streetTypes)+int(o.zip.Code))%len(directionals)]
	return streetWords[i%len(streetWords)], (i + turn) % len(streetTypes), dir
}

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
		g.numbers(m.PreDir, m.Street, m.Suffix, m.PostDir, max(low, 2), low+98, 'E')
		g.writeNext('S', route)
		g.numbers(m.PreDir, m.Street, m.Suffix, m.PostDir, low+1, low+99, 'O')
		g.writeNext('S', route)
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
		g.numbers(m.PreDir, m.Street, m.Suffix, m.PostDir, m.Number, m.Number, parity)
		g.line.put(80, 40, m.Building)
		if floor > 0 {
			g.units("STE ", 100*floor, 100*floor+99)
		}
		g.writeNext('H', route)
	}
}
