package lookup

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// A Weight is the measure of the shares of a crosswalk. The zero value is area
// between codes and areas of a layer, and people between other geographies.
type Weight string

// The weights.
const (
	WeightArea    Weight = "area"    // land and water in common; land only between two geographies without codes
	WeightPeople  Weight = "people"  // residents of the census of 2020
	WeightHousing Weight = "housing" // housing units of the census of 2020, of blocks that users supplied
)

// check returns an error that matches [envelope.ErrInvalidParam] for an unknown weight.
func (w Weight) check() error {
	switch w {
	case "", WeightArea, WeightPeople, WeightHousing:
		return nil
	default:
		return &envelope.Failure{Op: "crosswalk", Kind: envelope.KindInvalidParam, Param: "weight", Input: string(w), Range: "area, people or housing"}
	}
}

// A geography is one side of a crosswalk: a kind of code, states, combined
// statistical areas, or a layer.
type geography struct {
	name  string
	kind  geographyKind
	layer store.LayerID
	plans []*store.Layer // the layer, or the plans of districts
}

// geographyKind is the name of a geography, and ofLayer for all layers.
type geographyKind string

const (
	ofZIPs   geographyKind = "zip"
	ofFSAs   geographyKind = "fsa"
	ofStates geographyKind = "state"
	ofCSAs   geographyKind = "csa"
	ofLayer  geographyKind = "layer"
)

// isCode reports whether the areas are postal codes.
func (g *geography) isCode() bool { return g.kind == ofZIPs || g.kind == ofFSAs }

// catalogLayers lists the layers that can be sides of crosswalks, except those that users added.
func catalogLayers() (list []string) {
	for _, id := range store.LayerIDs() {
		list = append(list, id.String())
	}
	return list
}

// geography finds a geography by its name. param names the argument.
func (r *Reader) geography(ctx context.Context, param, name string) (g geography, err error) {
	key := strings.ToLower(strings.TrimSpace(name))
	switch kind := geographyKind(key); kind {
	case ofZIPs, ofFSAs, ofStates, ofCSAs:
		return geography{name: key, kind: kind}, nil
	case ofLayer:
	}
	id, ok := store.ParseLayerName(name)
	if !ok {
		return g, &envelope.Failure{
			Op: "crosswalk", Kind: envelope.KindInvalidParam, Param: param, Input: name,
			Range: "zip, fsa, state, csa or a layer: " + strings.Join(catalogLayers(), ", "),
		}
	}
	if _, err := r.layer(ctx, layerOf(id)); err != nil {
		return g, err
	}
	g = geography{name: id.String(), kind: ofLayer, layer: id, plans: r.data.Plans(id)}
	if len(g.plans) > 1 {
		if err := r.data.LoadLayers(ctx, id.Country()); err != nil {
			return g, fmt.Errorf("lookup: plans of %s: %w", id, err)
		}
	}
	return g, nil
}

// An areaKey identifies an area of a geography. It is the number of a code or state,
// or those of a plan and its area. Sums are kept by these numbers; texts are made for the
// rows that are yielded.
type areaKey int64

func planArea(plan, area int) areaKey { return areaKey(plan)<<32 | areaKey(area) }

func (k areaKey) planArea() (plan, area int) { return int(k >> 32), int(k & (1<<32 - 1)) }

// label returns the code and the name of an area, and its plan.
func (r *Reader) label(g *geography, k areaKey) (id, name, plan string) {
	switch g.kind {
	case ofZIPs:
		return postcode.ZIP(k).String(), "", ""
	case ofStates:
		s := r.data.State(store.StateID(k))
		return s.FIPS, s.Name, ""
	case ofCSAs:
		c := r.data.CBSA(store.CBSAID(k))
		return c.CSA, c.CSATitle, ""
	default:
	}
	p, i := k.planArea()
	l := g.plans[p]
	return l.GEOID(i), l.Area(i).Name, l.Info().Plan.ID
}

// A resident is a census block or block group with its people at a point.
type resident struct {
	group   string // GEOID of the block group
	at      geo.LatLng
	people  int
	housing int   // units, or store.UnknownArea
	land    int64 // square meters, or store.UnknownArea
	state   store.StateID
	block   bool
	zips    []store.CenterShare // ZIP Codes of the block group; of its other blocks the first
}

const (
	countyDigits = 5
	tractDigits  = 11
)

// groupID returns the twelve digits of a block group.
func groupID(n uint64) string {
	var digits [12]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i], n = byte('0'+n%10), n/10
	}
	return string(digits[:])
}

// residents reads the blocks that users supplied, and the block groups of all other
// counties.
func (r *Reader) residents(ctx context.Context) ([]resident, error) {
	if err := r.data.Load(ctx, store.SectionCenters); err != nil {
		return nil, fmt.Errorf("lookup: block groups: %w", err)
	}
	states := map[string]store.StateID{}
	for i := range r.data.States() {
		id := store.StateID(i + 1)
		if s := r.data.State(id); s.FIPS != "" {
			states[s.FIPS] = id
		}
	}
	var list []resident
	var zips []store.CenterShare
	centers := map[uint64][]store.CenterShare{} // of all block groups if there are blocks
	for range r.data.CensusBlocks() {
		for c := range r.data.Centers() {
			centers[c.BlockGroup] = c.Shares(nil)
		}
		break
	}
	counties := map[string]bool{} // with blocks
	last, group := ^uint64(0), ""
	for b := range r.data.CensusBlocks() {
		if len(list)%contextRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := b.GEOID / store.BlocksOfGroup
		of := centers[n]
		if n != last {
			last, group = n, groupID(n)
			counties[group[:countyDigits]] = true
		} else {
			of = of[:min(1, len(of))]
		}
		list = append(list, resident{group, b.At, b.People, b.Housing, b.Land, states[group[:stateDigits]], true, of})
	}
	for c := range r.data.Centers() {
		if group := groupID(c.BlockGroup); !counties[group[:countyDigits]] {
			from := len(zips)
			zips = c.Shares(zips)
			list = append(list, resident{group, c.At, c.People, store.UnknownArea, store.UnknownArea, states[group[:stateDigits]], false, zips[from:len(zips):len(zips)]})
		}
	}
	if len(list) == 0 {
		return nil, lacking("people of block groups", "the dataset has no people of block groups; build it with --layers boundaries")
	}
	return list, ctx.Err()
}

// weighed returns the residents with a known weight. Block groups have the land of
// the layer of block groups.
func (r *Reader) weighed(ctx context.Context, list []resident, weight Weight) ([]resident, error) {
	lack := lacksHousing()
	if weight == WeightArea {
		lack = lacking("land of block groups", "the dataset has neither the layer block_group nor census blocks with their land")
		if l := r.data.Layer(store.LayerBlockGroup); l != nil {
			if err := l.Prepare(ctx); err != nil {
				return nil, fmt.Errorf("lookup: land of block groups: %w", err)
			}
			var found []int
			for i := range list {
				a := &list[i]
				if a.land != store.UnknownArea {
					continue
				}
				n, ok := l.Find(a.group)
				if !ok { // Connecticut has other counties than in the census of 2020
					var err error
					if found, err = l.Containing(ctx, a.at, found[:0]); err != nil {
						return nil, fmt.Errorf("lookup: land of block groups: %w", err)
					}
					if ok = len(found) > 0; ok {
						n = found[0]
					}
				}
				if ok {
					a.land = l.Area(n).Land
				}
			}
		}
	}
	if weight != WeightPeople {
		list = slices.DeleteFunc(list, func(a resident) bool { return a.weight(weight) == store.UnknownArea })
	}
	if len(list) == 0 {
		return nil, lack
	}
	return list, nil
}

func lacking(what, detail string) error {
	return &envelope.Failure{Op: "crosswalk", Kind: envelope.KindUnavailable, Thing: envelope.ThingLayer, Lacks: what, Detail: detail}
}

func lacksHousing() error {
	return lacking("housing units", "the dataset has no housing units of census blocks there; build it with --blocks")
}

// weight returns the weight of a resident.
func (a *resident) weight(of Weight) int64 {
	switch of {
	case WeightHousing:
		return int64(a.housing)
	case WeightArea:
		return a.land
	default:
		return int64(a.people)
	}
}

// holders finds the areas of a geography that hold a resident's block group.
type holders struct {
	r      *Reader
	g      *geography
	choice store.PlanChoice
	plan   map[store.StateID]int // of the plan in force
	csas   map[string]areaKey    // first metropolitan area of each combined one
	found  []int
	weight Weight
	keys   []areaKey
}

// A holding is an area with the part of a resident that it holds.
type holding struct {
	key areaKey
	figure
}

// holdersOf returns the finder of a geography's areas. The geography must have
// outlines or consist of block groups.
func (r *Reader) holdersOf(ctx context.Context, g *geography, choice store.PlanChoice) (*holders, error) {
	h := &holders{r: r, g: g, choice: choice, plan: map[store.StateID]int{}}
	if err := r.data.Load(ctx, store.SectionCountyAreas); err != nil {
		return nil, fmt.Errorf("lookup: areas of counties: %w", err)
	}
	switch g.kind {
	case ofCSAs:
		h.csas = map[string]areaKey{}
		for i, c := range r.data.CBSAs() {
			if _, ok := h.csas[c.CSA]; !ok && c.CSA != "" {
				h.csas[c.CSA] = areaKey(i + 1)
			}
		}
	case ofZIPs:
		if err := r.data.Load(ctx, store.SectionZIPAreas); err != nil {
			return nil, fmt.Errorf("lookup: areas of ZIP codes: %w", err)
		}
		if err := r.data.Load(ctx, store.SectionCenters); err != nil {
			return nil, fmt.Errorf("lookup: block groups: %w", err)
		}
		if r.data.ZIPAreas().Len() == 0 || !r.data.HasCenterZIPs() {
			return nil, noPeople(g.name, "the dataset has no outlines of ZIP Codes or no people in them; build it with --layers boundaries")
		}
	case ofFSAs:
		return nil, noPeople(g.name, "Statistics Canada's people of dissemination areas are not in the dataset; use weight area")
	case ofLayer:
		if !store.LayerIn(g.layer, store.US) {
			return nil, noPeople(g.name, "Statistics Canada's people of dissemination areas are not in the dataset; use weight area")
		}
		for _, l := range g.plans {
			if err := l.Prepare(ctx); err != nil {
				return nil, fmt.Errorf("lookup: outlines of %s: %w", g.name, err)
			}
		}
	default:
	}
	return h, nil
}

func noPeople(name, detail string) error {
	return &envelope.Failure{Op: "crosswalk", Kind: envelope.KindUnavailable, Thing: envelope.ThingLayer, Input: name, Lacks: "people", Detail: "no people of " + name + ": " + detail}
}

// appendHoldings appends the areas of a resident with their parts, and its part outside
// all of them.
func (h *holders) appendHoldings(ctx context.Context, into []holding, a *resident) ([]holding, error) {
	all := figure{weight: a.weight(h.weight), people: a.people, blocks: a.block, groups: !a.block}
	if h.g.kind == ofZIPs {
		return h.appendZIPs(into, a, all), nil
	}
	var err error
	if h.keys, err = h.appendOf(ctx, h.keys[:0], a); err != nil {
		return into, err
	}
	for _, k := range h.keys {
		into = append(into, holding{k, all})
	}
	if len(h.keys) == 0 {
		into = append(into, holding{outside, all})
	}
	return into, nil
}

// appendZIPs appends the ZIP Codes of a resident. A block belongs to that around its
// point, else to that of its group's center. A ZIP Code that has only its point in the group
// holds nothing of it.
func (h *holders) appendZIPs(into []holding, a *resident, all figure) []holding {
	point := func(z postcode.ZIP) figure {
		row, _ := h.r.data.ZIP(z)
		return figure{blocks: all.blocks, groups: all.groups, point: true, away: geo.Distance(a.at, row.Location)}
	}
	if a.block {
		z, ok := h.r.zipAround(a.at)
		if !ok && len(a.zips) > 0 {
			z, ok = a.zips[0].ZIP, true
		}
		if !ok {
			return append(into, holding{outside, all})
		}
		into = append(into, holding{areaKey(z), all})
		for _, s := range a.zips {
			if s.ZIP != z {
				into = append(into, holding{areaKey(s.ZIP), point(s.ZIP)})
			}
		}
		return into
	}
	for i, s := range a.zips {
		var n figure
		switch {
		case h.weight == WeightPeople && s.People > 0:
			n = figure{weight: int64(s.People), people: s.People, groups: true}
		case h.weight != WeightPeople && i == 0: // land and homes are not divided
			n = all
		default:
			n = point(s.ZIP)
		}
		into = append(into, holding{areaKey(s.ZIP), n})
	}
	if len(a.zips) == 0 {
		into = append(into, holding{outside, all})
	}
	return into
}

// appendOf appends the areas of a resident. Areas that the numbers of the census
// name need no outline: the GEOID of a block group begins with those of its state, county
// and tract. That is faster than a search, and right where a generalized outline is not.
func (h *holders) appendOf(ctx context.Context, into []areaKey, a *resident) ([]areaKey, error) {
	switch h.g.kind {
	case ofZIPs: // of tables
		if z, ok := h.r.zipAround(a.at); ok {
			into = append(into, areaKey(z))
		}
		return into, nil
	case ofStates:
		if a.state != 0 {
			into = append(into, areaKey(a.state))
		}
		return into, nil
	case ofCSAs:
		if k, ok := h.csas[h.cbsa(a).CSA]; ok {
			into = append(into, k)
		}
		return into, nil
	default:
	}
	p, ok := h.plan[a.state]
	if !ok {
		if p = 0; len(h.g.plans) > 1 || h.choice.Strict {
			p = -1
			of := h.r.data.InForce(h.g.layer, h.choice, a.state)
			for i, l := range h.g.plans {
				if l == of.Areas {
					p = i
				}
			}
		}
		h.plan[a.state] = p
	}
	if p < 0 {
		return into, nil
	}
	l := h.g.plans[p]
	if !l.HasOutlines() {
		return into, noPeople(h.g.name, fmt.Sprintf("the plan %s has no outlines; relate it to zip with weight area", l.Info().Plan.ID))
	}
	if i, ok := h.numbered(l, a); ok {
		return append(into, planArea(p, i)), nil
	}
	found, err := l.Around(ctx, a.at, a.state, h.found[:0])
	if err != nil {
		return into, fmt.Errorf("lookup: areas of %s: %w", h.g.name, err)
	}
	h.found = found
	for _, i := range found {
		into = append(into, planArea(p, i))
	}
	return into, nil
}

// numbered finds the area that the number of a block group names.
func (h *holders) numbered(l *store.Layer, a *resident) (int, bool) {
	switch h.g.layer {
	case store.LayerCounty:
		return l.Find(a.group[:countyDigits])
	case store.LayerTract:
		return l.Find(a.group[:tractDigits])
	case store.LayerBlockGroup:
		return l.Find(a.group)
	case store.LayerCBSA:
		return l.Find(h.cbsa(a).Code)
	default:
	}
	return 0, false
}

// cbsa returns the metropolitan area of a resident's county. It has no code outside
// all of them. Connecticut has other counties than in the census of 2020.
func (h *holders) cbsa(a *resident) *store.CBSA {
	county, ok := h.r.data.CountyByFIPS(a.group[:countyDigits])
	if !ok {
		county, _ = h.r.data.CountyAreas().Containing(a.at)
	}
	return h.r.data.CBSA(h.r.data.County(county).CBSA)
}
