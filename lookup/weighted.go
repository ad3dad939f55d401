package lookup

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// Bases of pairs weighted by people, housing units or land.
const (
	blockGroups = "block_groups"
	blocks      = "blocks"
	blocksMixed = "blocks_and_block_groups" // blocks of some counties
)

// outside is the key of places outside every area of a geography.
const outside areaKey = -1

// A crosswalk by people, housing or land sums block groups of the census of 2020, or blocks of
// the user. Each is placed in one area of either side by its center of population. Any two
// geographies can be related that way, whether or not their outlines were compared when
// the dataset was built. A block group counts wholly where its center is. It has about 1,400
// people on average, so that shares of smaller areas are uncertain. Spreading tracts evenly
// over their areas, which this replaced, ignored where in them people live.
//
// ZIP Codes are the exception: the builder has divided the people of block groups among them
// already, so that one block group may be held by several.

// A figure is the sum of residents.
type figure struct {
	weight int64
	people int
	blocks bool       // some are blocks
	groups bool       // some are block groups
	point  bool       // some ZIP Codes have only their point there
	away   geo.Meters // of the nearest center from that point
}

func (f figure) plus(o figure) figure {
	away := min(f.away, o.away)
	if !f.point || !o.point {
		away = f.away + o.away // of one of them
	}
	return figure{f.weight + o.weight, f.people + o.people, f.blocks || o.blocks, f.groups || o.groups, f.point || o.point, away}
}

func (f figure) basis() string {
	switch {
	case f.weight == 0 && f.point:
		return string(ContainsPoint)
	case !f.blocks:
		return blockGroups
	case f.groups:
		return blocksMixed
	default:
		return blocks
	}
}

// A weighting holds what areas of two geographies share.
type weighting struct {
	both     map[[2]areaKey]figure
	from, to map[areaKey]figure
	states   map[areaKey]bool // areas of From with people in the requested state
}

// weigh sums the residents of all pairs. Each counts once in every pair of areas that
// hold it.
func (r *Reader) weigh(ctx context.Context, from, to *geography, opt *CrosswalkOptions, choice store.PlanChoice, state store.StateID) (*weighting, error) {
	of, err := r.holdersOf(ctx, from, choice)
	if err != nil {
		return nil, err
	}
	in, err := r.holdersOf(ctx, to, choice)
	if err != nil {
		return nil, err
	}
	of.weight, in.weight = opt.Weight, opt.Weight
	residents, err := r.residents(ctx)
	if err != nil {
		return nil, err
	}
	if residents, err = r.weighed(ctx, residents, opt.Weight); err != nil {
		return nil, err
	}
	// A quarter of a million block groups are compared with outlines: each processor takes a
	// part with finders and sums of its own, and the sums are added in the end. Whole numbers
	// make the result independent of the order.
	parts := slices.Collect(slices.Chunk(residents, len(residents)/runtime.GOMAXPROCS(0)+1))
	sums := make([]*weighting, len(parts))
	errs := make([]error, len(parts))
	var wait sync.WaitGroup
	for i, part := range parts {
		wait.Go(func() { sums[i], errs[i] = weighPart(ctx, part, of.clone(), in.clone(), state) })
	}
	wait.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	w := sums[0]
	for _, s := range sums[1:] {
		w.add(s)
	}
	return w, nil
}

// contextRows is the number of residents between two checks of the context.
const contextRows = 1024

func weighPart(ctx context.Context, part []resident, of, in *holders, state store.StateID) (*weighting, error) {
	w := &weighting{map[[2]areaKey]figure{}, map[areaKey]figure{}, map[areaKey]figure{}, map[areaKey]bool{}}
	var from, to []holding
	for i := range part {
		if i%contextRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a := &part[i]
		var err error
		if from, err = of.appendHoldings(ctx, from[:0], a); err != nil {
			return nil, err
		}
		if to, err = in.appendHoldings(ctx, to[:0], a); err != nil {
			return nil, err
		}
		for _, t := range to {
			w.to[t.key] = w.to[t.key].plus(t.figure)
		}
		for _, f := range from {
			if f.key == outside && state != 0 && a.state != state {
				continue
			}
			w.from[f.key] = w.from[f.key].plus(f.figure)
			if state != 0 && a.state == state {
				w.states[f.key] = true
			}
			for _, t := range to {
				n := t.figure // the part in the ZIP Code
				switch {
				case of.g.kind == ofZIPs && in.g.kind == ofZIPs && f.key != t.key:
					continue
				case of.g.kind == ofZIPs:
					n = f.figure
				}
				w.both[[2]areaKey{f.key, t.key}] = w.both[[2]areaKey{f.key, t.key}].plus(n)
			}
		}
	}
	return w, nil
}

func (w *weighting) add(o *weighting) {
	for k, n := range o.both {
		w.both[k] = w.both[k].plus(n)
	}
	for k, n := range o.from {
		w.from[k] = w.from[k].plus(n)
	}
	for k, n := range o.to {
		w.to[k] = w.to[k].plus(n)
	}
	for k := range o.states {
		w.states[k] = true
	}
}

// clone returns a finder for another goroutine. Only csas is shared, which is read only.
func (h *holders) clone() *holders {
	c := *h
	c.plan, c.found, c.keys = map[store.StateID]int{}, nil, nil
	return &c
}

// weighed yields the pairs weighted by blocks and block groups.
func (c *crosswalk) weighed() error {
	w, err := c.r.weigh(c.ctx, &c.from, &c.to, &c.opt, c.choice, c.state)
	if err != nil {
		return err
	}
	type side struct{ id, name, plan string }
	names := [2]map[areaKey]side{{}, {}}
	label := func(n int, g *geography, k areaKey) side {
		s, ok := names[n][k]
		if !ok && k != outside {
			s.id, s.name, s.plan = c.r.label(g, k)
			names[n][k] = s
		}
		return s
	}
	var rows []CrosswalkRow
	weights := map[[2]string]int64{}
	for pair, n := range w.both {
		f, t := label(0, &c.from, pair[0]), label(1, &c.to, pair[1])
		if n.weight == 0 && !w.atPoint(c, pair) || (f.id == "" || t.id == "") && !c.opt.Remainder || !c.selects(w, pair) {
			continue
		}
		row := CrosswalkRow{
			From: f.id, FromName: f.name, To: t.id, ToName: t.name, Plan: cmp.Or(t.plan, f.plan), Weight: c.opt.Weight, Basis: n.basis(),
			People: &n.people, PctOfFrom: part(n.weight, w.from[pair[0]].weight), PctOfTo: part(n.weight, w.to[pair[1]].weight),
		}
		if whole := 100.0; n.weight == 0 && c.from.kind == ofZIPs {
			row.PctOfFrom = &whole
		} else if n.weight == 0 {
			row.PctOfTo = &whole
		}
		switch c.opt.Weight {
		case WeightHousing:
			row.HousingUnits = &n.weight
		case WeightArea:
			land := geo.Round(float64(geo.SquareMeters(n.weight).SquareMiles()), crosswalkDecimals)
			row.IntersectionSqMi = &land
		default:
		}
		rows, weights[[2]string{row.From, row.To}] = append(rows, row), n.weight
	}
	slices.SortFunc(rows, func(x, y CrosswalkRow) int {
		return cmp.Or(strings.Compare(x.From, y.From), cmp.Compare(weights[[2]string{y.From, y.To}], weights[[2]string{x.From, x.To}]), strings.Compare(x.To, y.To))
	})
	for from := range slices.Values(groups(rows)) {
		areas := 0
		for i := range from {
			if p := from[i].PctOfFrom; from[i].To != "" && p != nil && *p >= 100*leastPeople {
				areas++
			}
		}
		for i := range from {
			from[i].IsSplit = areas > 1 && from[i].From != ""
			if err := c.give(&from[i]); err != nil {
				return err
			}
		}
	}
	return c.leftOut(w)
}

// atPoint reports whether a pair without people is that of a ZIP Code without people, whose
// point lies in the block group. Of several block groups, it is the nearest.
func (w *weighting) atPoint(c *crosswalk, pair [2]areaKey) bool {
	of := w.from[pair[0]]
	if c.from.kind != ofZIPs {
		of = w.to[pair[1]]
	}
	return of.weight == 0 && of.point && w.both[pair].away == of.away
}

// leftOut gives a row with the reason for each ZIP Code that no block group places.
func (c *crosswalk) leftOut(w *weighting) error {
	placed, from := w.from, c.from.kind == ofZIPs
	if !from {
		placed = w.to
	}
	if !from && c.to.kind != ofZIPs || c.opt.Weight != WeightPeople {
		return nil
	}
	for z := range c.r.data.ZIPs() {
		if _, ok := placed[areaKey(z.ZIP)]; ok || c.state != 0 && z.State != c.state {
			continue
		}
		nobody, none, whole := 0, 0.0, 100.0
		row := CrosswalkRow{
			From: z.ZIP.String(), Weight: c.opt.Weight, Basis: string(ContainsPoint), People: &nobody, PctOfFrom: &whole, PctOfTo: &none, Reason: NoBlockGroup,
		}
		if !z.Location.IsValid() {
			row.Reason = NoPoint
		}
		if !from {
			row.From, row.To, row.PctOfFrom, row.PctOfTo = "", row.From, &none, &whole
		}
		if err := c.give(&row); err != nil {
			return err
		}
	}
	return nil
}

// groups divides sorted rows into those of each From.
func groups(rows []CrosswalkRow) (list [][]CrosswalkRow) {
	for start, i := 0, 0; i < len(rows); i++ {
		if i+1 == len(rows) || rows[i+1].From != rows[i].From {
			list = append(list, rows[start:i+1])
			start = i + 1
		}
	}
	return list
}

// selects reports whether a pair is of the requested state: that of the ZIP Code if a side
// has any, as in crosswalks by area, else one with residents in the area of From.
func (c *crosswalk) selects(w *weighting, pair [2]areaKey) bool {
	if c.state == 0 {
		return true
	}
	for i, g := range [...]*geography{&c.from, &c.to} {
		if g.kind == ofZIPs && pair[i] != outside {
			row, _ := c.r.data.ZIP(postcode.ZIP(pair[i]))
			return row.State == c.state
		}
	}
	return w.states[pair[0]]
}

// part returns a percentage, nil of nothing.
func part(of, whole int64) *float64 {
	if whole == 0 {
		return nil
	}
	v := geo.Round(100*float64(of)/float64(whole), crosswalkDecimals)
	return &v
}
