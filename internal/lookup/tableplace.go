package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
)

// A placement holds the areas of a geography with the block groups or blocks in each.
type placement struct {
	g       geography
	weight  Weight
	ids     []string  // of the areas
	total   []float64 // weight of the areas
	unknown []bool    // areas with people whose weight is unknown
	// The areas of block group i are at[start[i]:start[i+1]].
	start, at []int32
	// The block groups of area i are in[begin[i]:begin[i+1]].
	begin, in []int32
	byID      map[string]int
	residents []resident // the block groups and blocks

	mu   sync.Mutex
	rows map[*dataset.OwnTable][]int32 // row of each area, -1 for none
}

// of returns the areas of a block group, and groups the block groups of an area.
func (p *placement) of(group int32) []int32  { return p.at[p.start[group]:p.start[group+1]] }
func (p *placement) groups(area int) []int32 { return p.in[p.begin[area]:p.begin[area+1]] }

// placed keeps the placements that tables have needed.
type placed struct {
	residents shared[[]resident]
	by        shared[*placement]
	keys      shared[*tableKey]
}

// A tableKey is the geography of the rows of a table, with the measure of shares.
type tableKey struct {
	geography
	weight Weight
}

// keyOf returns the key of a table.
func (r *Reader) keyOf(ctx context.Context, info *dataset.OwnTableInfo) (*tableKey, error) {
	return r.placed.keys.get(ctx, info.Key+" "+info.Weight, "", func() (*tableKey, error) {
		g, err := r.geography(ctx, "key", info.Key)
		return &tableKey{g, weightOf(info)}, err
	})
}

// placement returns the block groups by the areas of a geography.
func (r *Reader) placement(ctx context.Context, g *geography, w Weight) (*placement, error) {
	var choice dataset.PlanChoice
	if len(g.plans) > 1 {
		choice = presentPlans()
	}
	// The plans in force change with the day.
	return r.placed.by.get(ctx, g.name+" "+w.String(), choice.Day, func() (*placement, error) {
		residents, err := r.placed.residents.get(ctx, "", "", func() ([]resident, error) { return r.residents(ctx) })
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(residents, func(a resident) bool { return a.weight(w) != dataset.UnknownArea }) {
			return nil, lacksHousing()
		}
		return r.place(ctx, g, w, choice, residents)
	})
}

// placements returns those of the key of a table and of another geography.
func (r *Reader) placements(ctx context.Context, key *tableKey, of *geography) (k, p *placement, err error) {
	var wait sync.WaitGroup
	var failed error
	wait.Go(func() { p, failed = r.placement(ctx, of, key.weight) })
	k, err = r.placement(ctx, &key.geography, key.weight)
	wait.Wait()
	return k, p, cmp.Or(err, failed)
}

// place finds the areas of all block groups.
func (r *Reader) place(ctx context.Context, g *geography, w Weight, choice dataset.PlanChoice, residents []resident) (*placement, error) {
	h, err := r.holdersOf(ctx, g, choice)
	if err != nil {
		return nil, err
	}
	keys := make([][]areaKey, len(residents))
	const chunk = 1 << 13
	var wait sync.WaitGroup
	errs := make([]error, len(residents)/chunk+1)
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range errs {
		wait.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			of := h.clone()
			for n := i * chunk; n < min((i+1)*chunk, len(residents)) && errs[i] == nil; n++ {
				if keys[n], errs[i] = of.appendOf(ctx, nil, &residents[n]); n%contextRows == 0 {
					errs[i] = cmp.Or(errs[i], ctx.Err())
				}
			}
		})
	}
	wait.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	p := &placement{g: *g, weight: w, residents: residents, start: make([]int32, 1, len(residents)+1), byID: map[string]int{}}
	number := map[areaKey]int32{}
	for i, list := range keys {
		if i%contextRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, k := range list {
			n, ok := number[k]
			if !ok {
				n = int32(len(p.ids))
				number[k] = n
				id, _, _ := r.label(g, k)
				p.byID[id] = int(n)
				p.ids, p.total, p.unknown = append(p.ids, id), append(p.total, 0), append(p.unknown, false)
			}
			if units := residents[i].weight(w); units != dataset.UnknownArea {
				p.total[n] += float64(units)
			} else if residents[i].people > 0 {
				p.unknown[n] = true
			}
			p.at = append(p.at, n)
		}
		p.start = append(p.start, int32(len(p.at)))
	}
	p.invert()
	return p, nil
}

// invert lists the block groups by area.
func (p *placement) invert() {
	p.begin = make([]int32, len(p.ids)+1)
	for _, a := range p.at {
		p.begin[a+1]++
	}
	for i := range p.ids {
		p.begin[i+1] += p.begin[i]
	}
	next := slices.Clone(p.begin)
	p.in = make([]int32, len(p.at))
	for i := range len(p.start) - 1 {
		for _, a := range p.of(int32(i)) {
			p.in[next[a]] = int32(i)
			next[a]++
		}
	}
}

// rowsOf returns the row of each area of a placement in a table, -1 for none.
func (p *placement) rowsOf(t *dataset.OwnTable) []int32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if rows, ok := p.rows[t]; ok {
		return rows
	}
	rows := make([]int32, len(p.ids))
	for i, id := range p.ids {
		rows[i] = -1
		if row, ok := t.Find(id); ok {
			rows[i] = int32(row)
		}
	}
	if p.rows == nil {
		p.rows = map[*dataset.OwnTable][]int32{}
	}
	p.rows[t] = rows
	return rows
}

// peopled is a place that consists of block groups and blocks. Without the weight of
// all with people, the error matches [fault.ErrUnavailable].
func (p *placement) peopled(groups iter.Seq[int32]) (*tablePlace, error) {
	place, sum := &tablePlace{weight: p.weight}, figure{}
	at := map[int32]int{}
	for g := range groups {
		a := &p.residents[g]
		units := float64(max(a.weight(p.weight), 0))
		sum = sum.plus(figure{people: a.people, blocks: a.block, groups: !a.block})
		unknown := a.weight(p.weight) == dataset.UnknownArea && a.people > 0
		place.whole += units
		for _, a := range p.of(g) {
			unknown = unknown || p.unknown[a]
			n, ok := at[a]
			if !ok {
				n = len(place.parts)
				at[a] = n
				place.parts = append(place.parts, tablePart{area: int(a), id: p.ids[a]})
			}
			place.parts[n].weight += units
		}
		if unknown {
			return nil, lacksHousing()
		}
	}
	for i := range place.parts {
		if part := &place.parts[i]; p.total[part.area] > 0 {
			part.share = part.weight / p.total[part.area]
		}
	}
	place.basis, place.people = sum.basis(), &sum.people
	if p.weight == WeightHousing {
		units := int(place.whole)
		place.housing = &units
	}
	var last *dataset.OwnTable
	var rows []int32
	place.rows = func(t *dataset.OwnTable, part *tablePart) int {
		if t != last {
			last, rows = t, p.rowsOf(t)
		}
		return int(rows[part.area])
	}
	return place, nil
}

// findRow finds the row of a part by its ID.
func findRow(t *dataset.OwnTable, p *tablePart) int {
	if row, ok := t.Find(p.id); ok {
		return row
	}
	return -1
}

// single is a place that is an area of the key, or lies in one.
func single(id, basis string, w Weight) *tablePlace {
	p := tablePart{id: id, weight: 1}
	if basis == exactRow {
		p.share = 1
	}
	return &tablePlace{parts: []tablePart{p}, whole: 1, weight: w, basis: basis, rows: findRow}
}

// around returns the area of a geography around a point.
func (r *Reader) around(ctx context.Context, g *geography, at geo.LatLng) (id string, ok bool, err error) {
	switch g.kind {
	case ofZIPs, ofFSAs:
		if err := r.data.Load(ctx, dataset.SectionZIPAreas|dataset.SectionFSAAreas); err != nil {
			return "", false, fmt.Errorf("lookup: areas of codes: %w", err)
		}
		if g.kind == ofFSAs {
			f, ok := r.data.FSAAreas().Containing(at)
			return f.String(), ok, nil
		}
		z, ok := r.zipAround(at)
		return z.String(), ok, nil
	case ofLayer:
		choice := presentPlans()
		var state dataset.StateID
		if len(g.plans) > 1 {
			if _, state, err = r.stateAround(ctx, at); err != nil {
				return "", false, err
			}
		}
		for _, l := range g.plans {
			if !l.HasOutlines() || !r.inForce(g.layer, choice, l, state) {
				continue
			}
			found, err := l.Containing(ctx, at, nil)
			if err != nil {
				return "", false, fmt.Errorf("lookup: areas of the layer %s: %w", g.layer, err)
			}
			if len(found) > 0 {
				return l.GEOID(found[0]), true, nil
			}
		}
		return "", false, nil
	default:
	}
	_, state, err := r.stateAround(ctx, at)
	if err != nil || state == 0 {
		return "", false, err
	}
	if g.kind == ofStates {
		return r.data.State(state).FIPS, true, nil
	}
	county, ok := r.data.CountyAreas().Containing(at)
	csa := r.data.CBSA(r.data.County(county).CBSA).CSA
	return csa, ok && csa != "", nil
}

// recordTables adds the requested tables to a record and removes them from inc.
func (r *Reader) recordTables(ctx context.Context, rec *Record, inc *Include, s *subject) error {
	var missing []string
	for _, name := range inc.Tables {
		years, err := r.years(ctx, name)
		if err != nil {
			if err := onlyLacks(err); err != nil {
				return err
			}
			missing = append(missing, name)
			continue
		}
		place, err := r.recordPlace(ctx, years[0].Info(), s)
		if err := onlyLacks(err); err != nil {
			return err
		}
		t, ok := OwnTable{}, false
		if place != nil {
			t, ok = place.values(r, years)
		}
		if !ok {
			missing = append(missing, name)
			continue
		}
		if rec.Tables == nil {
			rec.Tables = OwnTables{}
		}
		rec.Tables[name] = t
	}
	inc.Tables = missing
	return nil
}

// onlyLacks returns nil for data that the dataset lacks.
func onlyLacks(err error) error {
	if errors.Is(err, fault.ErrUnavailable) {
		return nil
	}
	return err
}

// recordPlace returns the place of a record, nil if it cannot be related to the key.
func (r *Reader) recordPlace(ctx context.Context, info *dataset.OwnTableInfo, s *subject) (*tablePlace, error) {
	if s.around.IsValid() {
		return r.pointPlace(ctx, info, s.around)
	}
	switch {
	case s.zip != nil:
		return r.codePlace(ctx, info, ZIPCode(s.zip.ZIP), s.zip.Location)
	case s.postal != nil && info.Key == "fsa":
		return single(s.postal.Code.FSA().String(), containsCode, WeightArea), nil
	case s.postal != nil:
		return r.pointPlace(ctx, info, s.postal.Location)
	default:
		row, _ := r.data.FSA(s.fsa)
		return r.codePlace(ctx, info, FSACode(s.fsa), row.Location)
	}
}

// containsCode is the basis of a code within the code that has the row.
const containsCode = "contains_code"

func (r *Reader) pointPlace(ctx context.Context, info *dataset.OwnTableInfo, at geo.LatLng) (*tablePlace, error) {
	if !at.IsValid() {
		return nil, nil
	}
	key, err := r.keyOf(ctx, info)
	if err != nil {
		return nil, err
	}
	id, ok, err := r.around(ctx, &key.geography, at)
	if err != nil || !ok {
		return nil, err
	}
	return single(id, string(ContainsPoint), key.weight), nil
}

// codePlace returns the place of a ZIP Code or FSA.
func (r *Reader) codePlace(ctx context.Context, info *dataset.OwnTableInfo, c Code, at geo.LatLng) (*tablePlace, error) {
	geoName := "zip"
	if c.typ == FSA {
		geoName = "fsa"
	}
	if info.Key == geoName {
		return single(c.String(), exactRow, weightOf(info)), nil
	}
	key, err := r.keyOf(ctx, info)
	if err != nil {
		return nil, err
	}
	g := &key.geography
	if key.weight != WeightArea && c.typ == ZIP {
		zips := geography{name: "zip", kind: ofZIPs}
		place, err := r.areaPlace(ctx, key, &zips, c.String())
		if err != nil || place != nil {
			return place, err
		}
	} // without the center of a block group, shares of area take the place of people
	if c.typ == ZIP {
		if err := r.data.Load(ctx, dataset.SectionZIPAreas); err != nil {
			return nil, fmt.Errorf("lookup: areas of %s: %w", c, err)
		}
		if _, area := r.data.ZIPAreas().Find(dataset.ZIP(c.num)); !area {
			return r.pointPlace(ctx, info, at)
		}
	}
	overlaps, err := r.overlapsOf(ctx, c)
	if err != nil {
		return nil, err
	}
	if g.kind != ofLayer || overlaps.AtPoint() || !overlaps.Known() {
		return r.pointPlace(ctx, info, at)
	}
	place := &tablePlace{weight: WeightArea, basis: string(LargestArea), rows: findRow, whole: float64(overlaps.Outline.SquareMiles())}
	choice := presentPlans()
	for _, l := range g.plans {
		for _, o := range overlaps.Of(l.ID()) {
			if !r.inForce(g.layer, choice, l, l.StateOf(o.Area)) {
				continue
			}
			place.parts = append(place.parts, tablePart{id: l.GEOID(o.Area), share: min(o.PercentOfArea, 100) / 100, weight: float64(o.Intersection.SquareMiles())})
		}
	}
	return place, nil
}

// areaPlace returns the place of an area of a geography by its people or housing
// units, nil without any.
func (r *Reader) areaPlace(ctx context.Context, key *tableKey, of *geography, id string) (*tablePlace, error) {
	k, err := r.placement(ctx, &key.geography, key.weight)
	if err != nil {
		return nil, err
	}
	p, err := r.placement(ctx, of, key.weight)
	if err != nil {
		return nil, err
	}
	return k.within(p, id)
}

// within returns the place of an area of another placement, nil without weight.
func (p *placement) within(of *placement, id string) (*tablePlace, error) {
	area, ok := of.byID[id]
	if !ok || of.total[area] == 0 && !of.unknown[area] {
		return nil, nil
	}
	return p.peopled(slices.Values(of.groups(area)))
}
