package lookup

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

// blockGroups is the basis of pairs weighted by people.
const blockGroups = "block_groups"

// outside is the key of places outside every area of a geography.
const outside areaKey = -1

// A weighting holds the people that areas of two geographies share.
type weighting struct {
	both     map[[2]areaKey]int
	from, to map[areaKey]int
	states   map[areaKey]bool // areas of From with people in the requested state
}

// weigh counts the people of all pairs. Each block group counts once in every pair of
// areas that hold it.
func (r *Reader) weigh(ctx context.Context, from, to *geography, choice dataset.PlanChoice, state dataset.StateID) (*weighting, error) {
	of, err := r.holdersOf(ctx, from, choice)
	if err != nil {
		return nil, err
	}
	in, err := r.holdersOf(ctx, to, choice)
	if err != nil {
		return nil, err
	}
	residents, err := r.residents(ctx)
	if err != nil {
		return nil, err
	}
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

func weighPart(ctx context.Context, part []resident, of, in *holders, state dataset.StateID) (*weighting, error) {
	w := &weighting{map[[2]areaKey]int{}, map[areaKey]int{}, map[areaKey]int{}, map[areaKey]bool{}}
	var from, to []areaKey
	for i := range part {
		const contextRows = 1024 // block groups between two looks at the context
		if i%contextRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a := &part[i]
		var err error
		if from, err = of.appendOf(ctx, from[:0], a); err != nil {
			return nil, err
		}
		if to, err = in.appendOf(ctx, to[:0], a); err != nil {
			return nil, err
		}
		if len(from) == 0 {
			from = append(from, outside)
		}
		if len(to) == 0 {
			to = append(to, outside)
		}
		for _, k := range to {
			w.to[k] += a.people
		}
		for _, f := range from {
			w.from[f] += a.people
			if state != 0 && a.state == state {
				w.states[f] = true
			}
			for _, k := range to {
				w.both[[2]areaKey{f, k}] += a.people
			}
		}
	}
	return w, nil
}

func (w *weighting) add(o *weighting) {
	for k, n := range o.both {
		w.both[k] += n
	}
	for k, n := range o.from {
		w.from[k] += n
	}
	for k, n := range o.to {
		w.to[k] += n
	}
	for k := range o.states {
		w.states[k] = true
	}
}

// clone returns a finder for another goroutine.
func (h *holders) clone() *holders {
	c := *h
	c.plan, c.found = map[dataset.StateID]int{}, nil
	return &c
}

// people yields the pairs weighted by people.
func (c *crosswalk) people() error {
	w, err := c.r.weigh(c.ctx, &c.from, &c.to, c.choice, c.state)
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
	for pair, people := range w.both {
		f, t := label(0, &c.from, pair[0]), label(1, &c.to, pair[1])
		if people == 0 || (f.id == "" || t.id == "") && !c.opt.Remainder || !c.selects(w, pair) {
			continue
		}
		rows = append(rows, CrosswalkRow{
			From: f.id, FromName: f.name, To: t.id, ToName: t.name, Plan: cmp.Or(t.plan, f.plan), Weight: WeightPeople, Basis: blockGroups,
			People: &people, PctOfFrom: part(people, w.from[pair[0]]), PctOfTo: part(people, w.to[pair[1]]),
		})
	}
	slices.SortFunc(rows, func(x, y CrosswalkRow) int {
		return cmp.Or(strings.Compare(x.From, y.From), cmp.Compare(*y.People, *x.People), strings.Compare(x.To, y.To))
	})
	for from := range slices.Values(groups(rows)) {
		areas := 0
		for i := range from {
			if from[i].To != "" {
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

// selects reports whether a pair is of the requested state.
func (c *crosswalk) selects(w *weighting, pair [2]areaKey) bool {
	if c.state == 0 {
		return true
	}
	for i, g := range [...]*geography{&c.from, &c.to} {
		if g.kind == ofZIPs && pair[i] != outside {
			row, _ := c.r.data.ZIP(dataset.ZIP(pair[i]))
			return row.State == c.state
		}
	}
	return w.states[pair[0]]
}

// part returns a percentage, nil of nothing.
func part(of, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	v := geo.Round(100*float64(of)/float64(whole), crosswalkDecimals)
	return &v
}
