package draft

import (
	"cmp"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// compared are the areas that codes are compared with, and what they share.
type compared struct {
	zips     *codes[postcode.ZIP] // nil without such layers
	fsas     *codes[postcode.FSA]
	list     []*layer                  // ascending
	schools  []store.SchoolDistrict    // in the order of their layer
	assigned [][]store.PostalArea      // by full postal code; nil if unknown
	centers  []store.Center            // of population, with their ZIP Codes
	people   map[postcode.ZIP][]Center // parts of centers; nil until block groups are measured
}

// compareLayers compares codes with the areas of the layers, one layer after the other,
// so that the outlines of one are in memory, but for those that later layers and codes
// need. Reading the next layer while one is measured was given up: measuring uses all
// processors, and two layers at once were in memory.
//
// The order is that of the numbers of layers, and several steps depend on it:
//
//   - A layer that is made of another has a higher number than that: metropolitan
//     divisions after counties, metropolitan areas after census subdivisions.
//   - People of ZIP Codes are known once block groups are measured. Districts, which come
//     later, count the people in each overlap.
//   - Later plans follow all first plans, by which coarse outlines are restricted.
func (d *Draft) compareLayers() {
	c := &d.compared
	if !slices.ContainsFunc(catalog.Compared[:], d.includes) && len(d.Requests) == 0 {
		d.shareCenters()
		return
	}
	names := d.readCodeAreas()
	c.zips, c.fsas = newCodes(d.zipPlaces(geo.Box{})), newCodes(d.fsaPlaces(geo.Box{}))
	for _, id := range store.PlanIDs() {
		l := d.readLayer(id)
		if l == nil {
			continue
		}
		d.addNamed(l, names.named[id], names.source[id])
		if len(l.Areas) > 0 {
			d.measure(l)
		}
	}
	d.shareCenters()
	d.assign(names)
	for _, l := range c.list {
		l.polygons = nil
	}
}

// measure lays out a layer and measures the overlaps of codes with its areas.
func (d *Draft) measure(l *layer) {
	c := &d.compared
	l.settle()
	d.repaired(l.Info.ID.String(), &l.repairs)
	if l.Info.ID == store.LayerSchoolDistrict {
		d.readSchoolDistricts(l.Areas)
	}
	// The first layer behind block groups divides the people; for further ones it is
	// done. A build without tracts and block groups divides them by the nearest centers.
	if l.Info.ID > store.LayerBlockGroup {
		d.shareCenters()
	}
	if at := c.find(store.BaseLayer(l.Info.ID)); at != nil {
		l.first = at.Areas
	}
	c.list = append(c.list, l)
	l.pack(d)
	if l.Info.ID.Country() == store.US {
		c.zips.meet(d, l, c.people)
	} else {
		c.fsas.meet(d, l, nil)
	}
	// Tracts and block groups are searched for the points of ZIP Codes by shareCenters.
	// Counties and Canadian layers are parts of others or are searched for postal codes
	// by assign.
	l.outlines = nil
	switch l.Info.ID {
	case store.LayerTract, store.LayerBlockGroup:
		l.polygons = nil
	case store.LayerCounty, store.LayerCensusDivision, store.LayerCensusSubdivision, store.LayerEconomicRegion, store.LayerFederalDistrict:
		l.index = nil
	default:
		l.polygons, l.index = nil, nil
	}
}

// find returns a layer, nil if the build lacks it.
func (c *compared) find(id store.LayerID) *layer {
	if at := slices.IndexFunc(c.list, func(l *layer) bool { return l.Info.ID == id }); at >= 0 {
		return c.list[at]
	}
	return nil
}

// readSchoolDistricts sets the properties of each school district of the layer:
// its office and locale, grades and type of agency, and its state's code.
func (d *Draft) readSchoolDistricts(areas []store.LayerArea) {
	list := make([]store.SchoolDistrict, len(areas))
	at := make(map[string]*store.SchoolDistrict, len(areas))
	for i := range areas {
		at[areas[i].GEOID] = &list[i]
	}
	read(d, catalog.SchoolOffices, source.SchoolOffices, func(r source.SchoolOfficeRow) error {
		if s := at[r.LEA]; s != nil {
			s.Locale = r.Locale
			s.Office = &store.SchoolOffice{
				Street: r.Street, City: r.City, State: r.State, ZIP: r.ZIP, County: r.County, CountyFIPS: r.CountyFIPS, Location: r.Location,
			}
		}
		return nil
	})
	read(d, catalog.SchoolAgencies, source.SchoolAgencies, func(r source.SchoolAgencyRow) error {
		if s := at[r.LEA]; s != nil {
			s.GradeLow, s.GradeHigh, s.Agency, s.StateID = r.GradeLow, r.GradeHigh, r.Kind, r.StateID
		}
		return nil
	})
	read(d, catalog.SchoolIDs, source.SchoolIDs, func(r source.SchoolIDRow) error {
		if s := at[r.LEA]; s != nil {
			s.StateID = cmp.Or(s.StateID, r.StateID)
		}
		return nil
	})
	d.compared.schools = list
}

// writeLayers writes the layers.
func (d *Draft) writeLayers() {
	c, w := &d.compared, d.Output
	check(w.SetCenters(c.centers))
	if c.zips == nil {
		return
	}
	for _, l := range c.list {
		check(w.SetLayer(l.LayerData))
		d.written("layer "+l.Info.ID.String(), len(l.Areas))
		if l.Info.ID == store.LayerSchoolDistrict {
			check(w.SetSchoolDistricts(c.schools))
		}
	}
	for i, z := range c.zips.places {
		check(w.AddOverlaps(store.CodeOfZIP(z.key), c.zips.found[i]))
	}
	for i, f := range c.fsas.places {
		check(w.AddOverlaps(store.CodeOfFSA(f.key), c.fsas.found[i]))
	}
	for i, list := range c.assigned {
		if list != nil {
			check(w.AddPostalAreas(d.Postal.Rows[i].Code, list))
		}
	}
}

// tiling are the layers whose areas cover every inhabited place of a country, so that a
// code without one shows a gap of the sources. Census tracts of Canada cover its larger
// cities only: there the gap is also the number of FSAs outside them.
var tiling = []store.LayerID{
	store.LayerCounty, store.LayerTract, store.LayerCongressionalDistrict, store.LayerStateUpper, store.LayerStateLower, store.LayerSchoolDistrict,
	store.LayerCensusDivision, store.LayerCensusSubdivision, store.LayerCensusTract, store.LayerFederalDistrict,
}

// gaps counts the codes that have an outline or a point and no area of a layer
// that covers the country.
func (c *compared) gaps(d *Draft) {
	for _, l := range c.list {
		switch {
		case !slices.Contains(tiling, l.Info.ID):
		case l.Info.ID.Country() == store.US:
			c.zips.gaps(d, l, "ZIPs", store.LayerCounty)
		default:
			c.fsas.gaps(d, l, "FSAs", store.LayerCensusDivision)
		}
	}
}

// gaps separates two causes: the layer's file lacks the area, or the point lies outside
// every area, as in water. A code within a county or census division is on land, and so
// is one in a state or province that the layer lacks. Areas without a state (covered[0])
// may be anywhere, so that no state counts as lacking.
func (c *codes[K]) gaps(d *Draft, l *layer, noun string, land store.LayerID) {
	covered := map[store.StateID]bool{}
	for i := range l.Areas {
		covered[l.Areas[i].State] = true
	}
	lacking, outside := int64(0), int64(0)
	for i, code := range c.places {
		switch {
		case c.placed(i, l.Info.ID):
		case !covered[code.state] && !covered[0], c.placed(i, land):
			lacking++
		default:
			outside++
		}
	}
	d.gap(noun+" whose area is not in the file of the layer "+l.Info.ID.String(), lacking)
	d.gap(noun+" outside every area of the layer "+l.Info.ID.String(), outside)
}

// placed reports whether an area of the layer contains the code's point or shares at
// least 1 % of its outline. Less is a sliver along a border that two files draw
// differently, and 1 % is also the least that records show.
func (c *codes[K]) placed(i int, id store.LayerID) bool {
	const least = 0.01
	of := &c.found[i]
	return slices.ContainsFunc(of.Of(id), func(o store.Overlap) bool {
		return of.Outline == 0 || float64(o.Intersection) >= least*float64(of.Outline)
	})
}

// find returns the number of the area with the GEOID, of a settled layer.
func (l *layer) find(geoid string) (int, bool) {
	return slices.BinarySearchFunc(l.Areas, geoid, func(a store.LayerArea, g string) int { return strings.Compare(a.GEOID, g) })
}

// A postalLink is the area that a full postal code was assigned to. A dissemination area
// has 8 digits, which begin with the 4 of its census division, and a block 11. The code
// of a tract begins with the 3 digits of its metropolitan area.
type postalLink struct {
	da, block, tract string
	weight           float64 // of the block among those of the area
}

// codeAreas are the areas of full postal codes, and the names of areas without
// outline.
type codeAreas struct {
	links  map[postcode.PostalCode]*postalLink
	blocks map[string]source.GeographicRow // of the codes' blocks; empty without the Geographic Attribute File
	named  map[store.LayerID]map[string]string
	source map[store.LayerID]string // source of the names
}

// readCodeAreas reads the dissemination area and block that each postal code
// was assigned to. It is the area with most of its addresses, and the block
// with most of them in it. A code that the address register lacks has the block
// around its point. The Geographic Attribute File has the names of areas, and the areas
// around a block.
//
// It comes before the layers, because some of those consist of the names found here. Of
// half a million rows of blocks, only those that codes were assigned to are kept.
func (d *Draft) readCodeAreas() *codeAreas {
	c := &codeAreas{
		links: map[postcode.PostalCode]*postalLink{}, blocks: map[string]source.GeographicRow{},
		named: map[store.LayerID]map[string]string{}, source: map[store.LayerID]string{},
	}
	if !d.includes(catalog.Census) {
		return c
	}
	known := map[postcode.PostalCode]bool{}
	for i := range d.Postal.Rows {
		known[d.Postal.Rows[i].Code] = true
	}
	read(d, catalog.DACorrespondence, source.Correspondence, func(r source.CorrespondenceRow) error {
		if r.Best && known[r.Code] {
			c.links[r.Code] = &postalLink{da: r.DA}
		}
		return nil
	})
	if len(known) > 0 {
		read(d, catalog.Correspondence, source.BlockCorrespondence, func(r source.CorrespondenceRow) error {
			if known[r.Code] {
				c.link(r)
			}
			return nil
		})
	}
	read(d, catalog.CodeBlocks, source.CodeBlocks, func(r source.CodeBlockRow) error {
		if r.Block != "" && known[r.Code] && c.links[r.Code] == nil {
			c.links[r.Code] = &postalLink{da: r.DA, block: r.Block}
		}
		return nil
	})
	wanted := map[string]bool{}
	for _, l := range c.links {
		wanted[l.block] = true
	}
	read(d, catalog.GeographicAttributes, source.GeographicAttributes, func(r source.GeographicRow) error {
		for _, a := range r.Around() {
			switch a.Layer {
			case store.LayerCensusTract, store.LayerPopulationCentre, store.LayerConsolidatedSubdivision, store.LayerDesignatedPlace:
				c.name(a.Layer, a.GEOID, a.Name, catalog.GeographicAttributes)
			default:
			}
		}
		if wanted[r.Block] {
			c.blocks[r.Block] = r
		}
		return nil
	})
	return c
}

// link takes a row of the correspondence by blocks. The best area of a code is marked,
// the best block of an area is not: it has the largest weight, the first of equals. Rows
// of a code may come before the one that is marked as best; then the link begins with
// that.
func (c *codeAreas) link(r source.CorrespondenceRow) {
	l := c.links[r.Code]
	if l == nil && r.Best {
		l = &postalLink{da: r.DA}
		c.links[r.Code] = l
	}
	if r.Tract != "" {
		c.name(store.LayerCensusTract, r.Tract, r.Tract[3:], catalog.Correspondence)
	}
	if l != nil && l.da == r.DA && (l.block == "" || r.Weight > l.weight) {
		l.block, l.tract, l.weight = r.Block, r.Tract, r.Weight
	}
}

// name notes an area without an outline.
func (c *codeAreas) name(id store.LayerID, geoid, name, from string) {
	if geoid == "" {
		return
	}
	if c.named[id] == nil {
		c.named[id], c.source[id] = map[string]string{}, from
	}
	if c.named[id][geoid] == "" {
		c.named[id][geoid] = name
	}
}

// areasOf returns the areas of a postal code, in ascending order of the layers. They come
// from the block, else from the code of the dissemination area and the outlines around
// the code's point. The first source of a layer wins. Areas that the dataset does not
// list are left out, except dissemination areas and blocks, which are codes without a
// table of their own.
func (c *codeAreas) areasOf(d *Draft, p *store.PostalRow, inside map[store.LayerID]*areas[string]) []store.PostalArea {
	link := c.links[p.Code]
	if link == nil {
		return nil
	}
	var list []store.PostalArea
	take := func(id store.LayerID, geoid string) {
		if geoid == "" || slices.ContainsFunc(list, func(a store.PostalArea) bool { return a.Layer == id }) {
			return
		}
		if id != store.LayerDisseminationArea && id != store.LayerDisseminationBlock {
			l := d.compared.find(id)
			if l == nil {
				return
			}
			if _, ok := l.find(geoid); !ok {
				return
			}
		}
		list = append(list, store.PostalArea{Layer: id, GEOID: geoid, Area: -1})
	}
	take(store.LayerDisseminationArea, link.da)
	take(store.LayerDisseminationBlock, link.block)
	if block, ok := c.blocks[link.block]; ok {
		for _, a := range block.Around() {
			take(a.Layer, a.GEOID)
		}
	} else {
		take(store.LayerCensusDivision, link.da[:4])
		take(store.LayerCensusTract, link.tract)
		if link.tract != "" {
			take(store.LayerMetroArea, link.tract[:3])
		}
		for id, set := range inside {
			take(id, set.first(p.Location))
		}
	}
	slices.SortFunc(list, func(x, y store.PostalArea) int { return int(x.Layer) - int(y.Layer) })
	return list
}

// assign sets the areas of the postal codes. Only layers that are fit for shares are
// searched by point, because coarse outlines put points near a border into a neighbor.
func (d *Draft) assign(c *codeAreas) {
	if len(c.links) == 0 {
		return
	}
	inside := map[store.LayerID]*areas[string]{}
	for _, id := range []store.LayerID{store.LayerCensusSubdivision, store.LayerEconomicRegion, store.LayerFederalDistrict} {
		if l := d.compared.find(id); l != nil && l.Info.FitForShares {
			inside[id] = &areas[string]{}
			for i := range l.Areas {
				inside[id].add(l.Areas[i].GEOID, l.polygons[i])
			}
		}
	}
	d.compared.assigned = make([][]store.PostalArea, len(d.Postal.Rows))
	for i := range d.Postal.Rows {
		d.compared.assigned[i] = c.areasOf(d, &d.Postal.Rows[i], inside)
	}
}
