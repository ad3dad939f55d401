package layers

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
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
// around its point. The Geographic Attribute File has the areas around a block.
func (b *layers) readCodeAreas(ctx context.Context) (*codeAreas, error) {
	c := &codeAreas{
		links: map[postcode.PostalCode]*postalLink{}, blocks: map[string]source.GeographicRow{},
		named: map[store.LayerID]map[string]string{}, source: map[store.LayerID]string{},
	}
	if !b.Includes(catalog.Census) {
		return c, nil
	}
	known := map[postcode.PostalCode]bool{}
	for i := range b.Postal.Rows {
		known[b.Postal.Rows[i].Code] = true
	}
	err := plan.Read(ctx, b.Env, catalog.DACorrespondence, source.Correspondence, func(r source.CorrespondenceRow) error {
		if r.Best && known[r.Code] {
			c.links[r.Code] = &postalLink{da: r.DA}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(known) > 0 {
		err = plan.Read(ctx, b.Env, catalog.Correspondence, source.Correspondence, func(r source.CorrespondenceRow) error {
			c.link(known, r)
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	err = plan.Read(ctx, b.Env, catalog.CodeBlocks, source.CodeBlocks, func(r source.CodeBlockRow) error {
		if r.Block != "" && known[r.Code] && c.links[r.Code] == nil {
			c.links[r.Code] = &postalLink{da: r.DA, block: r.Block}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := c.readBlocks(ctx, b); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *codeAreas) link(known map[postcode.PostalCode]bool, r source.CorrespondenceRow) {
	if !known[r.Code] {
		return
	}
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

// readBlocks reads the Geographic Attribute File: the names of areas, and the
// areas around the blocks of postal codes.
func (c *codeAreas) readBlocks(ctx context.Context, b *layers) error {
	wanted := map[string]bool{}
	for _, l := range c.links {
		if l.block != "" {
			wanted[l.block] = true
		}
	}
	return plan.Read(ctx, b.Env, catalog.GeographicAttributes, source.GeographicAttributes, func(r source.GeographicRow) error {
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
}

// areasOf returns the areas of a postal code, in ascending order of the layers.
// They come from the block, else from the code of the dissemination area and
// the outlines around the code's point.
func (c *codeAreas) areasOf(b *layers, p *store.PostalRow, inside map[store.LayerID]*shape.Areas) []store.PostalArea {
	link := c.links[p.Code]
	if link == nil {
		return nil
	}
	s := b.CodeLayers
	var list []store.PostalArea
	take := func(id store.LayerID, geoid string) {
		if geoid == "" || slices.ContainsFunc(list, func(a store.PostalArea) bool { return a.Layer == id }) {
			return
		}
		if id != store.LayerDisseminationArea && id != store.LayerDisseminationBlock && !s.holds(id, geoid) {
			return
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
			take(id, set.First(p.Location))
		}
	}
	slices.SortFunc(list, func(x, y store.PostalArea) int { return int(x.Layer) - int(y.Layer) })
	return list
}

func (s *CodeLayers) holds(id store.LayerID, geoid string) bool {
	at := slices.IndexFunc(s.List, func(l store.LayerData) bool { return l.Info.ID == id })
	if at < 0 {
		return false
	}
	_, ok := slices.BinarySearchFunc(s.List[at].Areas, geoid, func(a store.LayerArea, g string) int { return strings.Compare(a.GEOID, g) })
	return ok
}

func (b *layers) assign(c *codeAreas) {
	if len(c.links) == 0 {
		return
	}
	inside := map[store.LayerID]*shape.Areas{}
	for id, l := range b.kept {
		if id.Country() == store.CA && l.info.FitForShares && id != store.LayerCensusDivision {
			inside[id] = shape.NewAreas()
			for i := range l.areas {
				inside[id].Add(l.areas[i].GEOID, l.polygons[i])
			}
		}
	}
	b.CodeLayers.Assigned = make([][]store.PostalArea, len(b.Postal.Rows))
	for i := range b.Postal.Rows {
		b.CodeLayers.Assigned[i] = c.areasOf(b, &b.Postal.Rows[i], inside)
	}
}
