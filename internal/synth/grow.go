package synth

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// margin is the distance of a region's border from its points, in millionths of
// a degree.
const margin = 50_000

// FromFacts grows a country around the codes, names and points of f. It invents
// areas, populations, elevations and the contents of products.
func FromFacts(f Facts) (*Country, error) {
	g := &grower{
		draft:     newDraft(f.Label, f.Seed),
		rng:       rand.New(rand.NewPCG(f.Seed, 0x73616d706c65)),
		byFIPS:    map[string]int{},
		byUID:     map[string]int{},
		byName:    map[string]int32{},
		byState:   map[string]int{},
		zoneOf:    map[string]int{},
		regionsOf: map[string]Box{},
	}
	for i, s := range g.States {
		if s.FIPS != "" {
			g.byState[s.FIPS] = i
		}
		if s.PRUID != "" {
			g.byState["CA"+s.PRUID] = i
		}
	}
	g.grown = true
	if err := g.frame(f); err != nil {
		return nil, err
	}
	for _, m := range f.Military {
		state, ok := g.states[m.State]
		if !ok {
			return nil, fmt.Errorf("synth: ZIP Code %v has state %q; expected AA, AE or AP", m.Code, m.State)
		}
		g.ZIPs = append(g.ZIPs, ZIP{Code: m.Code, City: m.City, State: state, County: None, Class: store.Military, Zone: None})
	}
	for _, r := range f.Regions {
		if err := g.region(r); err != nil {
			return nil, fmt.Errorf("synth: region %s: %w", r.Name, err)
		}
	}
	if err := g.postalCodes(f); err != nil {
		return nil, err
	}
	return g.finish(f.Detail)
}

// A grower builds a country from facts.
type grower struct {
	*draft
	rng       *rand.Rand
	byFIPS    map[string]int   // counties
	byUID     map[string]int   // census divisions
	byState   map[string]int   // states by FIPS, provinces by "CA" and number
	byName    map[string]int32 // places, subdivisions and municipalities by kind, parent and name
	zoneOf    map[string]int   // zone of each county by FIPS
	regionsOf map[string]Box
	boxes     []Box // of each FSA
}

// frame adds metros, counties and census divisions.
func (g *grower) frame(f Facts) error {
	metros, divisions := map[string]int{"": None}, map[string]int{"": None}
	for _, m := range f.CBSAs {
		metros[m.Code] = len(g.CBSAs)
		g.CBSAs = append(g.CBSAs, m)
	}
	for _, d := range f.Divisions {
		metro, ok := metros[d.CBSA]
		if !ok || metro == None {
			return fmt.Errorf("synth: metropolitan division %s is of the unknown area %q", d.Code, d.CBSA)
		}
		divisions[d.Code] = len(g.Divisions)
		g.Divisions = append(g.Divisions, MetroDivision{Code: d.Code, Title: d.Title, CBSA: metro})
	}
	for _, c := range f.Counties {
		if len(c.FIPS) != 5 {
			return fmt.Errorf("synth: county code %q of %s has not five digits", c.FIPS, c.Name)
		}
		state, ok := g.byState[c.FIPS[:2]]
		metro, ok2 := metros[c.CBSA]
		division, ok3 := divisions[c.Division]
		if !ok || !ok2 || !ok3 {
			return fmt.Errorf("synth: county %s (%s) is of an unknown state, metropolitan area %q or division %q", c.FIPS, c.Name, c.CBSA, c.Division)
		}
		base, lsad := baseName(c.Name)
		g.byFIPS[c.FIPS] = len(g.Counties)
		g.zoneOf[c.FIPS] = g.zone(c.Zone)
		g.Counties = append(g.Counties, County{
			FIPS: c.FIPS, Base: base, Name: c.Name, LSAD: lsad, State: state, CBSA: metro, Division: division, Central: true,
		})
	}
	for _, d := range f.CensusDivisions {
		if len(d.UID) != 4 {
			return fmt.Errorf("synth: census division %q of %s has not four digits", d.UID, d.Name)
		}
		state, ok := g.byState["CA"+d.UID[:2]]
		if !ok {
			return fmt.Errorf("synth: census division %s is of an unknown province", d.UID)
		}
		g.byUID[d.UID] = len(g.CensusDivisions)
		d.State = state
		g.CensusDivisions = append(g.CensusDivisions, d)
	}
	return nil
}

// countyEndings are the legal descriptions of counties with their LSAD codes,
// longer ones first.
var countyEndings = [][2]string{
	{" City and Borough", "03"},
	{" Planning Region", "PL"},
	{" Census Area", "05"},
	{" Municipality", "12"},
	{" Municipio", "13"},
	{" Borough", "04"},
	{" County", "06"},
	{" Parish", "15"},
	{" District", "07"},
	{" Island", "10"},
	{" city", "25"},
}

// baseName splits a county's official name into the name and the LSAD code.
func baseName(name string) (base, lsad string) {
	for _, e := range countyEndings {
		if b, ok := strings.CutSuffix(name, e[0]); ok {
			return b, e[1]
		}
	}
	return name, "00"
}

// region lays the cells of a region around its points.
func (g *grower) region(r RegionFact) error {
	var american, other []vertex
	for _, z := range r.ZIPs {
		switch {
		case !z.Point.IsValid():
			return fmt.Errorf("ZIP Code %v has no point", z.Code)
		case z.HasArea:
			american = append(american, vertexAt(z.Point))
		}
	}
	for _, f := range r.FSAs {
		switch {
		case !f.Point.IsValid():
			return fmt.Errorf("FSA %v has no point", f.Code)
		case f.HasArea:
			other = append(other, vertexAt(f.Point))
		}
	}
	box, err := g.bounds(r)
	if err != nil {
		return err
	}
	areas, err := tessellate(box, r, american, other)
	if err != nil {
		return err
	}
	g.gaps = g.gaps || r.Reach != 0
	first := len(g.Cells)
	take := func() []Box {
		a := areas[0]
		areas = areas[1:]
		return a
	}
	for _, z := range r.ZIPs {
		if z.HasArea {
			if err := g.zip(z, take(), r.Elevation); err != nil {
				return err
			}
		}
	}
	for _, f := range r.FSAs {
		if f.HasArea {
			if err := g.fsa(f, take()); err != nil {
				return err
			}
		}
	}
	return g.pointsOnly(r, first)
}

// tessellate cuts a region's box into an area around each point, American points
// first. Both sides of a border are cut separately. An area is one or more
// boxes; the first contains the point.
func tessellate(box Box, r RegionFact, american, other []vertex) ([][]Box, error) {
	line, err := newBorder(r.Border)
	if err != nil {
		return nil, err
	}
	sides := [][]vertex{american, other}
	if line == nil {
		sides = [][]vertex{slices.Concat(american, other)}
	}
	var areas [][]Box
	for side, points := range sides {
		if len(points) == 0 {
			continue
		}
		boxes, err := divide(box, points)
		if err != nil {
			return nil, err
		}
		for i, b := range boxes {
			area, err := line.pieces(within(b, points[i], r.Reach), side == 0, points[i])
			if err != nil {
				return nil, err
			}
			areas = append(areas, area)
		}
	}
	if len(areas) == 0 {
		return nil, errors.New("no code has an area")
	}
	return areas, nil
}

// bounds returns the region's box. It must contain the points and not touch
// other regions.
func (g *grower) bounds(r RegionFact) (Box, error) {
	box := r.Box
	if box == (Box{}) {
		box = Box{1 << 30, 1 << 30, -1 << 30, -1 << 30}
		for _, v := range r.points() {
			box = Box{min(box.X0, v.X-margin), min(box.Y0, v.Y-margin), max(box.X1, v.X+margin), max(box.Y1, v.Y+margin)}
		}
	}
	for _, v := range r.points() {
		if v.X <= box.X0 || v.X >= box.X1 || v.Y <= box.Y0 || v.Y >= box.Y1 {
			return box, fmt.Errorf("the point %v lies outside the box", v.latLng())
		}
	}
	for name, o := range g.regionsOf {
		if box.X0 < o.X1 && o.X0 < box.X1 && box.Y0 < o.Y1 && o.Y0 < box.Y1 {
			return box, fmt.Errorf("overlaps region %s", name)
		}
	}
	g.regionsOf[r.Name] = box
	return box, nil
}

func (r RegionFact) points() []vertex {
	var points []vertex
	for _, z := range r.ZIPs {
		points = append(points, vertexAt(z.Point))
	}
	for _, f := range r.FSAs {
		points = append(points, vertexAt(f.Point))
	}
	return points
}
