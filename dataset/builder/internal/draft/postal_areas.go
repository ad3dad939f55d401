package draft

import (
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// A postalLink is the area that a full postal code was assigned to.
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
		read(d, catalog.Correspondence, source.Correspondence, func(r source.CorrespondenceRow) error {
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

// areasOf returns the areas of a postal code, in ascending order of the layers.
// They come from the block, else from the code of the dissemination area and
// the outlines around the code's point.
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

// assign sets the areas of the postal codes.
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
