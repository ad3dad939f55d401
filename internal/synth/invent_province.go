package synth

import (
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// realFSAs is the sum over the provinces, for proportion.
var realFSAs = func() (n int) {
	for _, p := range provinces {
		n += p.fsas
	}
	return n
}()

// province draws the census divisions, municipalities and FSAs of a province.
func (v *inventor) province(f provinceFrame) {
	n := max(1, f.fsas*v.o.FSAs/realFSAs)
	codes := v.fsaCodes(f, n)
	// Census divisions have two digits within their province.
	p := &provinceDraft{inventor: v, f: f, index: v.states[f.abbr], perCD: max(5, len(codes)/90+1)}
	for i, box := range split(f.box, len(codes), v.rng) {
		zone := f.zone
		if f.zone2 != "" && len(codes) > 1 && i >= len(codes)-max(1, len(codes)/5) {
			zone = f.zone2
		}
		p.area(codes[i], box, v.zone(zone))
	}
	p.postalCodes(n * v.o.PostalCodes / v.o.FSAs)
}

// knownPlaces are FSAs that a builder may place by its own list: parliaments,
// islands, an airport, a border town and Santa Claus.
var knownPlaces = parseFSAs("G0B", "G1A", "H0H", "H0M", "H4Y", "M7A")

// fsaCodes returns up to n FSAs with the province's letters; one in eight is
// rural, with 0 in the middle.
func (v *inventor) fsaCodes(f provinceFrame, n int) []dataset.FSA {
	switch f.abbr { // the two territories share the letter X
	case "NT":
		return parseFSAs("X0E", "X0G", "X1A")[:min(n, 3)]
	case "NU":
		return parseFSAs("X0A", "X0B", "X0C")[:min(n, 3)]
	}
	var codes []dataset.FSA
	for i, letter := range f.letters {
		k := (n + len(f.letters) - 1 - i) / len(f.letters)
		rural := min((k+7)/8, len(fsaLetters))
		for j := range rural {
			codes = append(codes, parseFSAs(fmt.Sprintf("%c0%c", letter, fsaLetters[j]))...)
		}
		for j := range min(k-rural, 9*len(fsaLetters)) {
			codes = append(codes, parseFSAs(fmt.Sprintf("%c%d%c", letter, 1+j/len(fsaLetters), fsaLetters[j%len(fsaLetters)]))...)
		}
	}
	return slices.DeleteFunc(codes, func(f dataset.FSA) bool { return slices.Contains(knownPlaces, f) })
}

// around returns a box around a point: a fifth of b in each direction, at most
// 0.15 degrees.
func around(p geo.LatLng, b Box) Box {
	v := vertexAt(p)
	w, h := min(150_000, (b.X1-b.X0)/5), min(150_000, (b.Y1-b.Y0)/5)
	return Box{v.X - w, v.Y - h, v.X + w, v.Y + h}
}

func parseFSAs(texts ...string) []dataset.FSA {
	codes := make([]dataset.FSA, len(texts))
	for i, s := range texts {
		f, ok := dataset.ParseFSA(s)
		if !ok {
			panic("synth: malformed FSA " + s)
		}
		codes[i] = f
	}
	return codes
}

// isRural reports whether an FSA is served by rural carriers: its digit is 0.
func isRural(f dataset.FSA) bool { return f/26%10 == 0 }

type provinceDraft struct {
	*inventor
	f        provinceFrame
	index    int
	first    int // first FSA of the province
	started  bool
	perCD    int // FSAs in a census division
	inCD     int // FSAs so far
	das      int // dissemination areas in the current census division
	division int // census division of the last dissemination area
	townLeft int // FSAs left in the current municipality
	boxes    []Box
	csds     int // municipalities in the current census division
	cds      int
}

// area adds an FSA with its cells. A town's FSA lies in one municipality, a
// rural one in two.
func (p *provinceDraft) area(code dataset.FSA, box Box, zone int) {
	if !p.started {
		p.first, p.started = len(p.FSAs), true
	}
	if p.inCD%p.perCD == 0 {
		p.censusDivision()
	}
	p.inCD++
	rural := isRural(code)
	if p.townLeft == 0 || rural {
		p.municipality(rural)
		p.townLeft = 1 + p.rng.IntN(3)
	}
	p.townLeft--
	f := FSA{
		Code: code, State: p.index, Zone: zone, Municipality: len(p.Municipalities) - 1,
		City: p.Municipalities[len(p.Municipalities)-1].Name,
	}
	if code == parseFSAs("K1A")[0] { // the government's: letters only, no people
		f.Point = box.Center()
		p.boxes = append(p.boxes, box)
		p.addCell(p.cell(box, zone), vertexAt(box.Center())) // of the municipality only
		p.FSAs = append(p.FSAs, f)
		return
	}
	f.Population = int32(1500 + p.rng.IntN(50_000))
	f.Dwellings = f.Population * 10 / 24
	f.Occupied = f.Dwellings * int32(88+p.rng.IntN(10)) / 100
	boxes := []Box{box}
	if rural {
		boxes = split(box, 2, p.rng)
		p.townLeft = 0
	}
	for i, b := range boxes {
		if i > 0 {
			p.municipality(true)
		}
		at := inside(b, p.rng)
		if i == 0 {
			f.Point = at.latLng()
		}
		cell := p.cell(b, zone)
		cell.FSA = int32(len(p.FSAs))
		p.addCell(cell, at)
	}
	p.boxes = append(p.boxes, boxes[0])
	p.FSAs = append(p.FSAs, f)
}

func (p *provinceDraft) cell(b Box, zone int) Cell {
	c := newCell(b)
	c.Municipality, c.State, c.Zone = int32(len(p.Municipalities)-1), int32(p.index), int32(zone)
	return c
}

func (p *provinceDraft) censusDivision() {
	p.cds++
	p.csds, p.townLeft = 0, 0
	name := "Division No. " + fmt.Sprint(p.cds)
	if p.f.abbr == "QC" {
		name = "L'Île-" + p.names.town("QC")
	}
	p.CensusDivisions = append(p.CensusDivisions, CensusDivision{
		UID: fmt.Sprintf("%s%02d", p.f.pruid, p.cds), Name: name, Type: "CDR", State: p.index,
	})
}

func (p *provinceDraft) municipality(rural bool) {
	p.csds++
	kind := "CY"
	if rural {
		kind = "RM"
	}
	p.Municipalities = append(p.Municipalities, Municipality{
		UID:  fmt.Sprintf("%s%03d", p.CensusDivisions[len(p.CensusDivisions)-1].UID, p.csds),
		Name: p.cityName(p.f.abbr), Type: kind, Division: len(p.CensusDivisions) - 1, State: p.index,
	})
}

// postalCodes spreads n full codes over the province's FSAs. In Ontario 19 in 20
// are in the address register.
func (p *provinceDraft) postalCodes(n int) {
	count := len(p.FSAs) - p.first
	for i := range count {
		k := n / count
		if i < n%count {
			k++
		}
		p.units(p.first+i, min(k, unitsPerFSA), p.boxes[i])
	}
}

// units adds n full codes to an FSA. Eight registered codes share a
// dissemination area and its point.
func (p *provinceDraft) units(fsa, n int, box Box) {
	f := &p.FSAs[fsa]
	if d := p.Municipalities[f.Municipality].Division; d != p.division {
		p.division, p.das = d, 0
	}
	var area PostalCode // the dissemination area's number and point
	box = around(f.Point, box)
	for j := range n {
		code := PostalCode{Code: unit(f.Code, j), FSA: fsa, City: f.City}
		code.Register = p.f.abbr == "ON" && j%20 != 19
		switch {
		case !code.Register:
			code.Point = inside(box, p.rng).latLng()
		case area.DA == 0 || j%8 == 0:
			p.das++
			area.DA = number4(p.CensusDivisions[p.division].UID)*10_000 + int32(p.das)
			area.Point = inside(box, p.rng).latLng()
			fallthrough
		default:
			code.DA, code.Point = area.DA, area.Point
		}
		p.PostalCodes = append(p.PostalCodes, code)
	}
}

// number4 returns the number of a census division's four digits.
func number4(uid string) (n int32) {
	for _, d := range uid {
		n = 10*n + d - '0'
	}
	return n
}

// unitsPerFSA is the number of possible local delivery units.
const unitsPerFSA = 10 * len(fsaLetters) * 10

// unit returns the jth full code of an FSA. The codes are scattered over all
// units, since 7 and their number are coprime.
func unit(f dataset.FSA, j int) dataset.PostalCode {
	k := j * 7 % unitsPerFSA
	text := fmt.Sprintf("%v %d%c%d", f, k/(10*len(fsaLetters)), fsaLetters[k/10%len(fsaLetters)], k%10)
	code, ok := dataset.ParsePostalCode(text)
	if !ok {
		panic("synth: malformed postal code " + text)
	}
	return code
}
