package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A Plan is one drawing of the districts of a layer. Days have the form
// YYYY-MM-DD.
type Plan struct {
	ID       string // "cd119"
	Name     string // "119th Congress"
	From     string // first day in force; "" unknown
	To       string // first day no longer in force; "" if no successor is known
	Evidence string // law, court order or publication that the plan follows

	States    []StateID      `sql:"-"` // ascending; nil means the whole country
	Rough     []StateID      `sql:"-"` // ascending: states whose outlines are too coarse for shares
	Overrides []PlanOverride `sql:"-"` // states that keep the districts of another plan
}

// A PlanOverride replaces the districts of a plan in a state.
type PlanOverride struct {
	State    StateID
	Plan     string // ID of the plan whose districts are in force
	Evidence string
}

// A PlanState is a row of the states of plans. The role is "covers" and "rough" for those of
// [Plan.States] and [Plan.Rough], and "keeps" for overrides.
type PlanState struct {
	Layer LayerID
	Role  string
	PlanOverride
}

// Covers reports whether the plan has the districts of a state. State 0 is
// unknown; plans of the whole country cover it.
func (p Plan) Covers(id StateID) bool { return p.States == nil || slices.Contains(p.States, id) }

// IsRough reports whether the outlines of a state are too coarse for shares.
func (p Plan) IsRough(id StateID) bool { return slices.Contains(p.Rough, id) }

// readPlans reads the states of plans.
func (d *Dataset) readPlans(m *file.Connection) error {
	const sql = "SELECT p.layer, role, s.id, p.plan, p.evidence FROM plan_state p JOIN state s ON s.state = p.state ORDER BY p.layer, role, s.id"
	return m.Query(sql, func(v []driver.Value) error {
		var r PlanState
		file.Scan(&r, v)
		l := d.Layer(r.Layer)
		if l == nil {
			return file.ErrRange
		}
		switch p := &l.info.Plan; r.Role {
		case "covers":
			p.States = append(p.States, r.State)
		case "rough":
			p.Rough = append(p.Rough, r.State)
		default:
			p.Overrides = append(p.Overrides, r.PlanOverride)
		}
		return nil
	})
}

// A PlanChoice selects among the plans of a layer. The zero value selects the
// first plan.
type PlanChoice struct {
	Day  string // YYYY-MM-DD
	Plan string // ID of a plan that replaces the one of that day in its states; "" none

	// Strict selects no plan for a day before the first one.
	Strict bool
}

// A planList holds the plans of a layer.
type planList struct {
	all    []*Layer // in the order of their numbers
	latest []*Layer // by their first day, the latest first; of equals the one that was added last
}

// listPlans fills the lists of layers and of their plans, and numbers the areas of all layers
// on end: numbers in the file have gaps, and starts of [Dataset] has one element for each area.
func (d *Dataset) listPlans() {
	clear(d.sections[:])
	d.byArea = slices.Clone(d.layers)
	at := 0
	slices.SortFunc(d.byArea, func(x, y *Layer) int { return cmp.Compare(x.row.First, y.row.First) })
	for _, l := range d.byArea {
		l.at = at
		at += l.row.Count
	}
	for _, l := range d.layers {
		for c := range d.sections {
			if LayerIn(l.info.ID, Country(c)) {
				d.sections[c] |= l.info.ID.Section()
			}
		}
		of := d.plansOf(l.info.ID)
		of.all, of.latest = append(of.all, l), append(of.latest, l)
	}
	for i := range d.plans {
		slices.SortFunc(d.plans[i].latest, func(x, y *Layer) int {
			return cmp.Or(cmp.Compare(y.info.Plan.From, x.info.Plan.From), cmp.Compare(y.info.ID, x.info.ID))
		})
	}
}

// plansOf returns the plans of a layer. An own layer is its only plan.
func (d *Dataset) plansOf(id LayerID) *planList {
	if !IsOwnLayer(id) {
		return &d.plans[BaseLayer(id)]
	}
	if l := d.Layer(id); l != nil {
		return &l.alone
	}
	return &planList{}
}

// Plans returns the plans of a layer in the order of their numbers, or the layer
// if it has one plan. The list must not be changed.
func (d *Dataset) Plans(base LayerID) []*Layer { return d.plansOf(base).all }

// An InForce is the result of a [PlanChoice] in one state.
type InForce struct {
	Plan  *Layer // the plan, nil if none is known for the day
	Areas *Layer // the layer with its districts: another one by an override
	// Lacking is the plan of the day if the dataset has no more than the names of
	// its districts. Plan is then an earlier one.
	Lacking *Layer
}

// InForce returns the plan of a layer that a choice selects in a state (decision D64).
//
// The first loop goes from the latest plan back and takes the named one, else the first that has
// begun by the day. A day before every plan has the earliest, unless the choice is strict.
// The second loop goes on to earlier plans while the dataset has only names of the districts, as
// for the Canadian order of 2023. Districts that are known, with the newer plan as Lacking, are
// more use than none. A plan can override a state, as after a court's order. The state then
// has the areas of another plan.
func (d *Dataset) InForce(base LayerID, c PlanChoice, state StateID) (f InForce) {
	list := d.plansOf(base).latest
	at, last := -1, -1
	for i, l := range list {
		p := &l.info.Plan
		if !p.Covers(state) {
			continue
		}
		if last = i; c.Plan != "" && p.ID == c.Plan {
			at = i
			break
		}
		if at < 0 && (c.Day == "" || p.From <= c.Day) {
			at = i
		}
	}
	switch {
	case last < 0, at < 0 && c.Strict:
		return f
	case at < 0:
		at = last
	}
	for _, l := range list[at:] {
		if !l.info.Plan.Covers(state) {
			continue
		}
		areas := l
		for _, o := range l.info.Plan.Overrides {
			if state != 0 && o.State == state {
				areas = cmp.Or(planOf(list, o.Plan, state), l)
				break
			}
		}
		if areas.known() {
			return InForce{Plan: l, Areas: areas, Lacking: f.Lacking}
		}
		if f.Lacking == nil {
			f.Lacking = l
		}
	}
	return InForce{Plan: list[at], Areas: list[at]}
}

// planOf returns the plan with an ID that covers a state, or nil.
func planOf(list []*Layer, id string, state StateID) *Layer {
	for _, l := range list {
		if l.info.Plan.ID == id && l.info.Plan.Covers(state) {
			return l
		}
	}
	return nil
}

// known reports whether places can be compared with the areas.
func (l *Layer) known() bool { return l.HasOutlines() || l.info.People }

// NextDay returns the next day after a day that brings another plan of a layer into
// force in a state, or "".
func (d *Dataset) NextDay(base LayerID, day string, state StateID) string {
	next := ""
	for _, l := range d.Plans(base) {
		p := &l.info.Plan
		if p.From > day && p.Covers(state) && l.known() && (next == "" || p.From < next) {
			next = p.From
		}
	}
	return next
}

// Around appends the areas around the point as [Layer.Containing] does. In a state
// with coarse outlines, it takes the area of the state that contains the point or
// is nearest to it. State 0 is unknown.
func (l *Layer) Around(ctx context.Context, p geo.LatLng, state StateID, into []int) ([]int, error) {
	into, err := l.AtPoint(ctx, p, state, into)
	// A point can lie in a gap between coarse outlines, but it lies in some district.
	if err != nil || len(into) > 0 || state == 0 || !l.info.Plan.IsRough(state) || !l.HasOutlines() {
		return into, err
	}
	index, err := l.Outlines(ctx)
	if err != nil {
		return into, err
	}
	best, least := -1, geo.Meters(0)
	for i := range l.Len() {
		if l.StateOf(i) != state {
			continue
		}
		if d, ok := index.DistanceToBoundary(i, p); ok && (best < 0 || d < least) {
			best, least = i, d
		}
	}
	if best >= 0 {
		into = append(into, best)
	}
	return into, nil
}

// AtPoint appends the areas around the point as [Layer.Containing] does, without those that
// coarse outlines make appear there: areas of another state, if its outlines or those of
// the point's state are coarse. State 0 is unknown.
func (l *Layer) AtPoint(ctx context.Context, p geo.LatLng, state StateID, into []int) ([]int, error) {
	into, err := l.Containing(ctx, p, into)
	plan := &l.info.Plan
	if err != nil || len(plan.Rough) == 0 || state == 0 {
		return into, err
	}
	return slices.DeleteFunc(into, func(i int) bool { s := l.StateOf(i); return s != state && (plan.IsRough(s) || plan.IsRough(state)) }), nil
}

// StateOf returns the state of an area, without its names.
func (l *Layer) StateOf(i int) StateID {
	l.need()
	n, ok := l.areas.Number(columnState, i)
	if !ok {
		return 0
	}
	return StateID(n)
}
