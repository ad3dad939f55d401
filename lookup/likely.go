package lookup

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/store"
)

// Likely lists the areas that a position which is not exact may lie in, with their
// probabilities. The most likely area comes first. What is missing to 1 lies outside all
// areas, or in areas below 0.01. Layers of families that were not requested are nil, like
// those that are unavailable.
type Likely struct {
	County            []LikelyArea `json:"county,omitzero"`             // planning regions in Connecticut
	CensusDivision    []LikelyArea `json:"census_division,omitzero"`    // Canada
	CensusSubdivision []LikelyArea `json:"census_subdivision,omitzero"` // Canada
	Tract             []LikelyArea `json:"tract,omitzero"`              // of both countries
	CD                []LikelyArea `json:"cd,omitzero"`                 // congressional districts; federal electoral districts in Canada
	StateUpper        []LikelyArea `json:"state_upper,omitzero"`        // districts of the upper chamber
	StateLower        []LikelyArea `json:"state_lower,omitzero"`        // districts of the lower chamber
	SchoolDistrict    []LikelyArea `json:"school_district,omitzero"`    // unified, elementary and secondary districts
}

// A LikelyArea is an area with the probability that a position lies in it. That of a ZIP
// Code is the part of its residents, or of its area if the residents are unknown.
type LikelyArea struct {
	GEOID string  `json:"geoid"`         // identifier of the area as its publisher writes it
	Name  string  `json:"name,omitzero"` // official name with its legal description
	P     float64 `json:"p"`             // probability, 0.01 to 1; 2 decimals
}

// A likelyLayer is a layer of a family with its place in a [Likely].
type likelyLayer struct {
	id   store.LayerID
	flag func(*Include) bool
	list func(*Likely) *[]LikelyArea
}

var likelyLayers = func() map[store.Country][]likelyLayer {
	census := func(inc *Include) bool { return inc.Census }
	seats := func(inc *Include) bool { return inc.CongressionalDistrict }
	legislature := func(inc *Include) bool { return inc.StateLegislative }
	schools := func(inc *Include) bool { return inc.SchoolDistrict }
	return map[store.Country][]likelyLayer{
		store.US: {
			{store.LayerCounty, census, func(l *Likely) *[]LikelyArea { return &l.County }},
			{store.LayerTract, census, func(l *Likely) *[]LikelyArea { return &l.Tract }},
			{store.LayerCongressionalDistrict, seats, func(l *Likely) *[]LikelyArea { return &l.CD }},
			{store.LayerStateUpper, legislature, func(l *Likely) *[]LikelyArea { return &l.StateUpper }},
			{store.LayerStateLower, legislature, func(l *Likely) *[]LikelyArea { return &l.StateLower }},
			{store.LayerSchoolDistrict, schools, func(l *Likely) *[]LikelyArea { return &l.SchoolDistrict }},
		},
		store.CA: {
			{store.LayerCensusDivision, census, func(l *Likely) *[]LikelyArea { return &l.CensusDivision }},
			{store.LayerCensusSubdivision, census, func(l *Likely) *[]LikelyArea { return &l.CensusSubdivision }},
			{store.LayerCensusTract, census, func(l *Likely) *[]LikelyArea { return &l.Tract }},
			{store.LayerFederalDistrict, seats, func(l *Likely) *[]LikelyArea { return &l.CD }},
		},
	}
}()

// The probabilities of areas (decision D81) are counted, not integrated: a position is 100
// points at the quantiles of its errors, and each area has the points that it contains. That
// is exact to the 1 % that results have, and needs no clipping of outlines with circles, only
// the search of any coordinate. Most positions lie so far from a border that one test of the
// distance replaces all or most of the points.

// likelySamples is the number of points that stand for a position, each for 1 %.
const likelySamples = 100

// A spread has the samples of a position with their distances from it, ascending.
type spread struct {
	away   [likelySamples]geo.Meters
	points [likelySamples]geo.LatLng
}

// levels are the parts of errors whose quantiles spreadsOf has, in parts of the radius that
// holds 90 % of them. Those of records are measured at address points of Virginia, those
// of points those of an even scatter. Those of numbers and streets are fitted to the areas
// of hidden address points (TestLikely). Their core is half as wide as the errors
// themselves: most borders follow streets, and most errors stay on one side of them.
var (
	levels    = [...]float64{0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 1}
	spreadsOf = map[string][len(levels)]float64{
		"point":  {0, 0.149, 0.214, 0.353, 0.549, 0.776, 1, 1.14, 1.234, 1.303, 1.414, 1.517, 1.8},
		"number": {0, 0.009, 0.018, 0.042, 0.067, 0.175, 0.7, 1.3, 1.6, 1.9, 2.726, 7.847, 20},
		"street": {0, 0.015, 0.02, 0.04, 0.07, 0.18, 0.55, 1, 1.611, 2.096, 3.932, 12, 30},
		"record": {0, 0.02, 0.06, 0.145, 0.3, 0.6, 1, 1.3, 1.57, 1.8, 2.2, 2.6, 3},
	}
)

// unitSpreads has the samples of each kind around the origin, for a radius of 1.
var unitSpreads = func() map[string]*[likelySamples]struct{ away, east, north float64 } {
	all := map[string]*[likelySamples]struct{ away, east, north float64 }{}
	golden := math.Pi * (3 - math.Sqrt(5)) // the golden angle: no two directions repeat
	for kind, known := range spreadsOf {
		s := &[likelySamples]struct{ away, east, north float64 }{}
		for i, k := 0, 1; i < likelySamples; i++ {
			level := (float64(i) + 0.5) / likelySamples
			for levels[k] < level {
				k++
			}
			part := (level - levels[k-1]) / (levels[k] - levels[k-1])
			away := known[k-1] + float64(part*(known[k]-known[k-1]))
			sin, cos := math.Sincos(float64(i) * golden)
			s[i].away, s[i].east, s[i].north = away, away*sin, away*cos
		}
		all[kind] = s
	}
	return all
}()

// spreadOf returns the samples of a kind of position, for the radius that holds 90 % of
// its errors. Directions follow the golden angle, so that the samples of any sector are
// spread over all distances. A position of no kind is exact.
func spreadOf(p geo.LatLng, kind string, radius geo.Meters) *spread {
	const perDegree = 111_320
	s := &spread{}
	unit, ok := unitSpreads[kind]
	if !ok {
		return s
	}
	up := float64(radius) / perDegree
	right := up / max(math.Cos(p.Lat()*math.Pi/180), 0.01)
	for i := range unit {
		s.away[i] = geo.Meters(unit[i].away) * radius
		lat, lng := p.Lat()+float64(up*unit[i].north), p.Lng()+float64(right*unit[i].east)
		if lng >= 180 {
			lng -= 360
		} else if lng < -180 {
			lng += 360
		}
		var err error
		if s.points[i], err = geo.LatLngFromDegrees(max(min(lat, 90), -90), lng); err != nil {
			s.points[i] = p
		}
	}
	return s
}

var (
	_ = door.Offer((*Reader).likelyAt)
	_ = door.Offer((*Reader).likelyIn)
)

// likelyAt returns the likely areas of the requested families around a position of a kind
// of spreadsOf, nil if none is known. radius holds 90 % of its errors.
func (r *Reader) likelyAt(ctx context.Context, p geo.LatLng, kind string, radius geo.Meters, opt Options) (*Likely, error) {
	f := finder{r: r, ctx: ctx, point: p}
	var err error
	if f.country, f.state, err = r.stateAround(ctx, p); err != nil {
		return nil, err
	}
	if f.plans, err = r.planChoice(opt.AsOf, opt.At, opt.Plan); err != nil {
		return nil, err
	}
	if err := r.data.LoadLayers(ctx, f.country); err != nil {
		return nil, fmt.Errorf("lookup: %w", err)
	}
	at := spreadOf(p, kind, radius)
	return f.likely(&opt.Include, func(l likelyLayer) ([]LikelyArea, error) { return f.likelyAround(l.id, at) })
}

// areaOfUnknown is the weight of the area of a code beside its residents for an address in
// it whose street is not in the data: those streets are new, or few people live there. It
// is fitted to hidden address points (TestLikely).
const areaOfUnknown = 0.6

// likelyIn returns the likely areas of an address in a ZIP Code or forward sortation area.
func (r *Reader) likelyIn(ctx context.Context, code string, opt Options) (*Likely, error) {
	c, err := ParseCode(code)
	if err != nil {
		return nil, err
	}
	s := subject{}
	switch row, ok := r.data.ZIP(c.zip()); {
	case ok && c.typ == zipKind:
		s.zip, s.country, s.state = &row, store.US, row.State
	case c.typ == fsaKind:
		row, _ := r.data.FSA(c.fsa())
		s.fsa, s.country, s.state = c.fsa(), store.CA, row.Province
	default:
		return nil, nil
	}
	f := finder{r: r, ctx: ctx}
	if f.plans, err = r.planChoice(opt.AsOf, opt.At, opt.Plan); err != nil {
		return nil, err
	}
	if known, err := f.setCode(&s, nil); !known || err != nil {
		return nil, err
	}
	if err := r.data.LoadLayers(ctx, f.country); err != nil {
		return nil, fmt.Errorf("lookup: %w", err)
	}
	return f.likelyOfCode(&opt.Include, areaOfUnknown)
}

// likelyOfPlace returns the likely areas of what the finder describes. A coordinate is exact.
func (f *finder) likelyOfPlace(inc *Include) (*Likely, error) {
	if f.measured {
		return f.likelyOfCode(inc, 0)
	}
	if f.assigned != nil || !f.point.IsValid() {
		return nil, nil
	}
	return f.likely(inc, func(l likelyLayer) ([]LikelyArea, error) { return f.likelyAround(l.id, &spread{}) })
}

// likely lists the areas of the layers of the requested families, or of all without one.
func (f *finder) likely(inc *Include, list func(likelyLayer) ([]LikelyArea, error)) (all *Likely, err error) {
	layers := likelyLayers[f.country]
	if !slices.ContainsFunc(layers, func(l likelyLayer) bool { return l.flag(inc) }) {
		inc = &Include{Census: true, CongressionalDistrict: true, StateLegislative: true, SchoolDistrict: true}
	}
	for _, l := range layers {
		if !l.flag(inc) || len(f.r.data.Plans(l.id)) == 0 {
			continue
		}
		areas, err := list(l)
		if err != nil {
			return nil, err
		}
		if len(areas) > 0 {
			if all == nil {
				all = &Likely{}
			}
			*l.list(all) = areas
		}
	}
	return all, nil
}

// likelyOfCode returns the areas of the code by residents, else by area. The area can have
// a weight beside the residents. A code without an outline has no areas.
func (f *finder) likelyOfCode(inc *Include, byArea float64) (*Likely, error) {
	if f.overlaps.AtPoint() {
		return nil, nil
	}
	return f.likely(inc, func(of likelyLayer) ([]LikelyArea, error) {
		var all likelyParts
		var areas []float64
		var people, area float64
		known := true
		for _, l := range f.r.data.Plans(of.id) {
			for _, o := range f.overlaps.Of(l.ID()) {
				if state := l.StateOf(o.Area); f.r.inForce(of.id, f.plans, l, state) && !coarseIn(l, state) {
					all, areas = append(all, likelyPart{l, o.Area, float64(o.People)}), append(areas, o.PercentOfCode)
					people, area = people+float64(o.People), area+o.PercentOfCode
					known = known && l.Info().People
				}
			}
		}
		part := byArea
		if !known || people == 0 {
			part, people = 1, 1
		}
		for i := range all {
			all[i].weight = float64((1-part)*all[i].weight/people) + float64(part*areas[i]/max(area, 100))
		}
		return all.list(1), nil
	})
}

// likelyAround returns the areas of a layer at the points that stand for a position. Most
// positions lie far from the outlines of a layer. If no outline is nearer than the n-th point,
// the first n points are in the area of the position, and one look-up counts for all.
// The numbers begin below 100, because the last points are many times as far as the others.
func (f *finder) likelyAround(base store.LayerID, at *spread) ([]LikelyArea, error) {
	var all likelyParts
	count := func(p geo.LatLng, n int) error {
		l, around, err := f.areasAt(base, p)
		for _, i := range around {
			if k := slices.IndexFunc(all, func(x likelyPart) bool { return x.layer == l && x.area == i }); k >= 0 {
				all[k].weight += float64(n)
			} else {
				all = append(all, likelyPart{l, i, float64(n)})
			}
		}
		return err
	}
	from := 0
	if l := f.r.data.InForce(base, f.plans, f.state).Areas; l != nil {
		if coarseIn(l, f.state) {
			return nil, nil
		}
		for _, n := range [...]int{likelySamples - 3, 80, 60, 40, 20} { // the farthest may be far
			alone, err := l.Clear(f.ctx, f.point, at.away[n-1])
			if err != nil {
				return nil, fmt.Errorf("lookup: areas of the layer %s: %w", base, err)
			}
			if alone || at.away[n-1] == 0 {
				if from = n; at.away[likelySamples-1] == 0 { // exact
					from = likelySamples
				}
				if err := count(f.point, from); err != nil {
					return nil, err
				}
				break
			}
		}
	}
	for _, p := range at.points[from:] {
		if err := count(p, 1); err != nil {
			return nil, err
		}
	}
	return all.list(likelySamples), nil
}

// coarseIn reports whether the outlines of a layer in a state are too coarse for shares.
func coarseIn(l *store.Layer, state store.StateID) bool {
	return !l.Info().FitForShares || l.Info().Plan.IsRough(state)
}

// areasAt returns the areas of a layer at a point, of the plan that is in force there. It
// takes the state of the position first; only a point without an area there is looked for in
// another state, whose plan may be a different one.
func (f *finder) areasAt(base store.LayerID, p geo.LatLng) (l *store.Layer, around []int, err error) {
	state := f.state
	f.around = f.around[:0]
	for {
		if l = f.r.data.InForce(base, f.plans, state).Areas; l != nil {
			if f.around, err = l.Containing(f.ctx, p, f.around[:0]); err != nil {
				return nil, nil, fmt.Errorf("lookup: areas of the layer %s: %w", base, err)
			}
		}
		if len(f.around) > 0 || len(f.r.data.Plans(base)) == 1 || state != f.state {
			return l, f.around, nil
		}
		if _, state, err = f.r.stateAround(f.ctx, p); err != nil || state == f.state {
			return l, f.around, err
		}
	}
}

// A likelyPart is an area with its weight.
type likelyPart struct {
	layer  *store.Layer
	area   int
	weight float64
}

type likelyParts []likelyPart

// list returns the areas with at least a hundredth of the total.
func (all likelyParts) list(total float64) (list []LikelyArea) {
	const decimals, least = 2, 0.01
	for _, p := range all {
		if v := geo.Round(p.weight/total, decimals); v >= least {
			a := p.layer.Area(p.area)
			list = append(list, LikelyArea{a.GEOID, a.Name, v})
		}
	}
	slices.SortFunc(list, func(x, y LikelyArea) int { return cmp.Or(cmp.Compare(y.P, x.P), cmp.Compare(x.GEOID, y.GEOID)) })
	return list
}
