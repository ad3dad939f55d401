package synth

import (
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// zip adds a ZIP with its cells. A second county receives half of the first box
// between the point and the farther side.
func (g *grower) zip(z ZIPFact, area []Box, elevation float64) error {
	box := area[0]
	i, err := g.addZIP(z, elevation)
	if err != nil {
		return err
	}
	county := g.ZIPs[i].County
	cell := newCell(box)
	cell.ZIP, cell.County, cell.State, cell.Zone = int32(i), int32(county), int32(g.Counties[county].State), int32(g.zoneOf[z.County])
	town := z.City
	if z.Place != "" {
		town = z.Place
	}
	cell.Subdivision = g.subdivision(county, town)
	if z.Place != "" {
		cell.Place = g.placeNamed(g.Counties[county].State, z.Place)
	}
	p := vertexAt(z.Point)
	if z.SecondCounty != "" {
		second, ok := g.byFIPS[z.SecondCounty]
		if !ok {
			return fmt.Errorf("ZIP Code %v: county %q is unknown", z.Code, z.SecondCounty)
		}
		rest, strip := halve(box, p)
		other := cell
		other.Box, other.County, other.Zone = strip, int32(second), int32(g.zoneOf[z.SecondCounty])
		other.State = int32(g.Counties[second].State)
		other.Subdivision = g.subdivision(second, town)
		g.addCell(other, vertexAt(strip.Center()))
		g.ZIPs[i].InBoth = true
		cell.Box = rest
	}
	g.addCell(cell, p)
	g.addCells(cell, slices.Concat(area[1:], z.More))
	return nil
}

// addZIP adds the ZIP without an area and returns its position.
func (g *grower) addZIP(z ZIPFact, elevation float64) (int, error) {
	county, ok := g.byFIPS[z.County]
	if !ok {
		return 0, fmt.Errorf("ZIP Code %v: county %q is unknown", z.Code, z.County)
	}
	meters := float64(int(float64(elevation*(0.9+float64(0.2*g.rng.Float64())))*100)) / 100
	g.ZIPs = append(g.ZIPs, ZIP{
		Code: z.Code, City: z.City, State: g.Counties[county].State, County: county, Class: z.Class, Point: z.Point,
		Zone: g.zoneOf[z.County], AreaCodes: z.AreaCodes, Aliases: z.Aliases, Enclosing: z.Code, Elevation: meters,
	})
	return len(g.ZIPs) - 1, nil
}

// pointsOnly adds the codes of a region without areas.
func (g *grower) pointsOnly(r RegionFact, first int) error {
	cells := g.Cells[first:]
	for _, z := range r.ZIPs {
		if z.HasArea {
			continue
		}
		i, err := g.addZIP(z, r.Elevation)
		if err != nil {
			return err
		}
		g.ZIPs[i].Enclosing = 0
		if at := cellAround(cells, z.Point); at != None && cells[at].ZIP != None {
			around := &g.ZIPs[cells[at].ZIP]
			g.ZIPs[i].Enclosing, g.ZIPs[i].Elevation = around.Code, around.Elevation
		}
	}
	for _, f := range r.FSAs {
		if f.HasArea {
			continue
		}
		at := cellAround(cells, f.Point)
		if at == None || cells[at].Municipality == None {
			return fmt.Errorf("FSA %v lies in no municipality", f.Code)
		}
		d, err := g.divisionOf(f)
		if err != nil {
			return err
		}
		c := &cells[at]
		g.boxes = append(g.boxes, c.Box)
		g.FSAs = append(g.FSAs, FSA{
			Code: f.Code, City: f.City, State: g.CensusDivisions[d].State, Point: f.Point, Zone: int(c.Zone),
			Municipality: int(c.Municipality),
		})
	}
	return nil
}

func (g *grower) divisionOf(f FSAFact) (int, error) {
	d, ok := g.byUID[f.Division]
	if !ok {
		return 0, fmt.Errorf("FSA %v: census division %q is unknown", f.Code, f.Division)
	}
	return d, nil
}

// fsa adds an FSA with its cells and invented people.
func (g *grower) fsa(f FSAFact, area []Box) error {
	d, err := g.divisionOf(f)
	if err != nil {
		return err
	}
	state := g.CensusDivisions[d].State
	zone := None
	for _, p := range provinces {
		if p.abbr == g.States[state].Abbr {
			zone = g.zone(p.zone)
		}
	}
	if g.States[state].Abbr == "NU" {
		zone = g.zone("America/Iqaluit")
	}
	municipality := g.municipality(d, f.Municipality)
	people := int32(2000 + g.rng.IntN(28_000))
	dwellings := people * 10 / 22
	cell := newCell(area[0])
	cell.FSA, cell.Municipality, cell.State, cell.Zone = int32(len(g.FSAs)), municipality, int32(state), int32(zone)
	g.addCell(cell, vertexAt(f.Point))
	g.addCells(cell, area[1:])
	g.boxes = append(g.boxes, area[0])
	g.FSAs = append(g.FSAs, FSA{
		Code: f.Code, City: f.City, State: state, Point: f.Point, Zone: zone, Municipality: int(municipality),
		Population: people, Dwellings: dwellings, Occupied: dwellings * 93 / 100,
	})
	return nil
}

// once returns the position of a named thing. If it is new, once calls add.
func (g *grower) once(key string, n int, add func()) int32 {
	i, ok := g.byName[key]
	if !ok {
		i = int32(n)
		g.byName[key] = i
		add()
	}
	return i
}

func (g *grower) subdivision(county int, city string) int32 {
	c := &g.Counties[county]
	return g.once("town|"+c.FIPS+"|"+city, len(g.Subdivisions), func() {
		words, lsad, active := townWords(g.States[c.State].Abbr)
		g.Subdivisions = append(g.Subdivisions, Subdivision{
			GEOID: fmt.Sprintf("%s%05d", c.FIPS, 90_000+len(g.Subdivisions)), Base: city, Name: city + " " + words, LSAD: lsad,
			Active: active, County: county,
		})
	})
}

func (g *grower) placeNamed(state int, name string) int32 {
	return g.once("place|"+g.States[state].Abbr+"|"+name, len(g.Places), func() {
		g.Places = append(g.Places, Place{
			GEOID: fmt.Sprintf("%s%05d", g.States[state].FIPS, 90_000+len(g.Places)), Base: name, Name: name + " city", LSAD: "25",
			Active: true, State: state,
		})
	})
}

func (g *grower) municipality(division int, name string) int32 {
	d := &g.CensusDivisions[division]
	return g.once("csd|"+d.UID+"|"+name, len(g.Municipalities), func() {
		g.Municipalities = append(g.Municipalities, Municipality{
			UID: fmt.Sprintf("%s%03d", d.UID, 900+len(g.Municipalities)%100), Name: name, Type: "CY", Division: division, State: d.State,
		})
	})
}

// postalCodes adds the given full codes and invented ones for every FSA. In
// Ontario the given ones and two in three of the invented ones are in the address
// register.
func (g *grower) postalCodes(f Facts) error {
	index := map[dataset.FSA]int{}
	for i := range g.FSAs {
		index[g.FSAs[i].Code] = i
	}
	given := map[dataset.PostalCode]bool{}
	for _, p := range f.PostalCodes {
		i, ok := index[p.Code.FSA()]
		if !ok {
			return fmt.Errorf("synth: postal code %v has an unknown FSA", p.Code)
		}
		given[p.Code] = true
		g.PostalCodes = append(g.PostalCodes, PostalCode{Code: p.Code, FSA: i, City: p.City, Point: p.Point})
	}
	areas := int32(0) // dissemination areas, one for each code of the register
	for i := range g.FSAs {
		if g.FSAs[i].Code == parseFSAs("H0H")[0] {
			continue // Santa has one code
		}
		for j := range f.PostalPerFSA {
			code := unit(g.FSAs[i].Code, j+100)
			if given[code] {
				continue
			}
			p := PostalCode{
				Code: code, FSA: i, City: g.FSAs[i].City, Point: inside(around(g.FSAs[i].Point, g.boxes[i]), g.rng).latLng(),
			}
			if j%3 != 0 && g.FSAs[i].Population > 0 {
				g.register(&p, &areas)
			}
			g.PostalCodes = append(g.PostalCodes, p)
		}
	}
	for i := range f.PostalCodes {
		g.register(&g.PostalCodes[i], &areas)
	}
	return nil
}

// register enters a code of Ontario in the address register, with a
// dissemination area of its own.
func (g *grower) register(p *PostalCode, areas *int32) {
	f := &g.FSAs[p.FSA]
	if g.States[f.State].Abbr != "ON" {
		return
	}
	*areas++
	division := g.CensusDivisions[g.Municipalities[f.Municipality].Division].UID
	p.Register, p.DA = true, number4(division)*10_000+*areas
}
