package lookup

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
)

// Districts have plans: sets of outlines that are in force in some states from a day on
// (decision D64). One layer, such as congressional districts, is a list of layers of the
// file, one for each plan, and the state and the day decide which of them counts. A state
// may keep an older plan or have one of its own, so that the districts around a code at a
// state border can come from two plans.

// planChoice returns the choice of plans: those in force on a day in UTC, of a call
// without one the day of the call, and a plan that replaces them in its states. The error
// matches [envelope.ErrInvalidParam] for the ID of an unknown plan.
func (r *Reader) planChoice(asOf, at time.Time, plan string) (store.PlanChoice, error) {
	day := asOf
	if day.IsZero() {
		day = orNow(at)
	}
	c := store.PlanChoice{Day: day.UTC().Format(time.DateOnly), Strict: !asOf.IsZero(), Plan: strings.ToLower(strings.TrimSpace(plan))}
	if c.Plan == "" {
		return c, nil
	}
	ids := r.planIDs()
	if !slices.Contains(ids, c.Plan) {
		return c, &envelope.Failure{Op: op, Kind: envelope.KindInvalidParam, Param: "plan", Input: plan, Range: cmp.Or("one of "+strings.Join(ids, ", "), "a plan of the dataset")}
	}
	return c, nil
}

// inForce reports whether the areas of a layer in a state are those in force under a
// choice of plans. A layer with one plan is in force on any day, unless the caller named
// the day.
func (r *Reader) inForce(id store.LayerID, choice store.PlanChoice, l *store.Layer, state store.StateID) bool {
	return len(r.data.Plans(id)) == 1 && !choice.Strict || r.data.InForce(id, choice, state).Areas == l
}

// checkPlan returns an error that matches [envelope.ErrInvalidParam] for the ID of an
// unknown plan.
func (r *Reader) checkPlan(id string) error {
	if id == "" {
		return nil
	}
	_, err := r.planChoice(time.Time{}, time.Time{}, id)
	return err
}

// planIDs returns the IDs of the plans of the dataset.
func (r *Reader) planIDs() (ids []string) {
	for _, l := range r.data.Layers() {
		if id := l.Info().Plan.ID; id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// A district is an overlap with a district of a plan.
type district struct {
	store.Overlap
	layer  *store.Layer
	coarse bool // its outline is too coarse for shares
}

// drawn are the districts of a place under one choice of plans.
type drawn struct {
	plan   *store.Layer // of the place's state
	note   DistrictPlan
	period string     // of the plan, or of the plan that it replaces in a state
	list   []district // the largest part first
	people int        // residents of the place in all districts; 0 unknown
}

// districts returns the districts of a layer at the place, or nil if the dataset
// has none that are in force there. The list is empty if no district was found. The
// result is valid until the next call.
func (f *finder) districts(base store.LayerID) (*drawn, error) {
	plans := f.r.data.Plans(base)
	if len(plans) == 0 {
		return nil, nil
	}
	of := f.r.data.InForce(base, f.plans, f.state)
	if of.Plan == nil {
		return nil, nil
	}
	d := &f.drawn
	*d = drawn{plan: of.Areas, note: noteOf(of, f.state), period: f.r.period(base, of), list: d.list[:0]}
	// Each district counts if its own plan is in force in its own state.
	for _, l := range plans {
		met, err := f.meet(l, l == of.Areas)
		if err != nil {
			return nil, err
		}
		for _, o := range met {
			state := l.StateOf(o.Area)
			if state != f.state && len(plans) > 1 {
				if f.r.data.InForce(base, f.plans, state).Areas != l {
					continue
				}
			} else if l != of.Areas {
				continue
			}
			d.list = append(d.list, district{o, l, l.Info().Plan.IsRough(state)})
			d.people += o.People
		}
	}
	if f.measured && !f.overlaps.AtPoint() {
		d.list = slices.DeleteFunc(d.list, func(o district) bool { return !d.serves(base, o) })
	}
	slices.SortStableFunc(d.list, largerFirst)
	if len(d.list) == 0 && (f.cannotDeny(of.Areas) || of.Areas.Info().Plan.IsRough(f.state)) {
		return nil, nil
	}
	return d, nil
}

// largerFirst orders districts by their part of a code.
func largerFirst(x, y district) int {
	return cmp.Or(cmp.Compare(y.Intersection, x.Intersection), cmp.Compare(y.People, x.People))
}

// leastPeople is the part of the residents, or of the area, that makes a district of a
// code, as for counties (decision D37).
const leastPeople = 0.01

// serves reports whether a record lists a district: for its part of the area or for its
// residents, so that their shares sum to 100, or of the residents alone if the plan has
// no outlines. A code without residents has one such district.
func (d *drawn) serves(base store.LayerID, o district) bool {
	if o.layer.HasOutlines() {
		return o.People > 0 || thresholdOf(base).Serves(o.Overlap)
	}
	return d.people == 0 || float64(o.People) >= leastPeople*float64(d.people) && o.People > 0
}

// split reports whether a second district has residents of the code. As a block group
// counts wholly at its center, the answer is no only if no second district has a part of
// the area either. It is unknown in between.
func (d *drawn) split() Flag {
	if d.people == 0 {
		return 0
	}
	inhabited, large := 0, 0
	for _, o := range d.list {
		if !o.layer.Info().People || o.coarse {
			return 0
		}
		switch {
		case float64(o.People) >= leastPeople*float64(d.people):
			inhabited++
		case o.PercentOfCode >= 100*leastPeople:
			large++
		}
	}
	switch {
	case inhabited > 1:
		return True
	case inhabited+large > 1:
		return 0
	default:
		return False
	}
}

// mostPeople returns the district with most residents of the code, nil if they are
// unknown.
func (f *finder) mostPeople(d *drawn) *PeoplesDistrict {
	var most *district
	for i := range d.list {
		o := &d.list[i]
		if !o.layer.Info().People || o.coarse {
			return nil
		}
		if o.People > 0 && (most == nil || o.People > most.People) {
			most = o
		}
	}
	if most == nil {
		return nil
	}
	return &PeoplesDistrict{GEOID: most.layer.GEOID(most.Area), PctOfPeople: percent(100 * float64(most.People) / float64(d.people))}
}

// meet returns the overlaps with all areas of a plan. Near a coarse outline of the state's
// own plan it takes the nearest area. Coarse outlines leave gaps, in which a point would have
// no district although every point of a state has one. For other plans the nearest area is
// meaningless: the point may lie outside of them.
func (f *finder) meet(l *store.Layer, own bool) ([]store.Overlap, error) {
	id := l.ID()
	if f.measured {
		return f.overlaps.Of(id), nil
	}
	if f.assigned != nil || len(l.Info().Plan.Rough) == 0 {
		return f.find(l)
	}
	find := l.AtPoint
	if own {
		find = l.Around
	}
	var err error
	if f.around, err = find(f.ctx, f.point, f.state, f.around[:0]); err != nil {
		return nil, fmt.Errorf("lookup: areas of the layer %s: %w", id, err)
	}
	f.met = f.met[:0]
	for _, i := range f.around {
		f.met = append(f.met, store.Overlap{Area: i})
	}
	return f.met, nil
}

// basisOf returns the rule that selected the first district.
func (f *finder) basisOf(d *drawn) Basis {
	if b := f.basis(); b != LargestArea || d.list[0].layer.HasOutlines() {
		return b
	}
	return MostPeople
}

// noteOf describes the plan of a state.
func noteOf(of store.InForce, state store.StateID) DistrictPlan {
	p := &of.Plan.Info().Plan
	n := DistrictPlan{ID: p.ID, Name: p.Name, From: p.From, To: p.To, Evidence: p.Evidence}
	for _, o := range p.Overrides {
		if state != 0 && o.State == state {
			n.Evidence = o.Evidence
		}
	}
	if of.Lacking != nil {
		n.InForce = of.Lacking.Info().Plan.Name
	}
	return n
}

// period returns the publisher's period of a plan. A plan of single states has that
// of the country's plan.
func (r *Reader) period(base store.LayerID, of store.InForce) string {
	info := of.Plan.Info()
	if info.Period != "" {
		return info.Period
	}
	return r.data.InForce(base, store.PlanChoice{Day: info.Plan.From}, noState).Plan.Info().Period
}

// noState is above the numbers of states: plans of single states do not cover it. It is not
// 0, which means an unknown state.
const noState = 255

// A drawing is one period of a family; known is false if it is unavailable.
type drawing[P any] struct {
	period *P
	known  bool
}

// currentAndNext returns the requested periods of a family of layers: of the
// chosen plans and of the plans after them. The latter are unavailable without
// districts.
func currentAndNext[P any](f *finder, requested, requestedNext bool, period func(*finder) (drawing[P], error), bases ...store.LayerID) (current, next drawing[P], err error) {
	if requested {
		if current, err = period(f); err != nil {
			return current, next, err
		}
	}
	day := ""
	if requestedNext {
		for _, base := range bases {
			if d := f.nextDay(base); day == "" || d != "" && d < day {
				day = d
			}
		}
	}
	if day == "" {
		return current, next, nil
	}
	plans := f.plans // the finder describes another day for a moment
	f.plans = store.PlanChoice{Day: day}
	next, err = period(f)
	f.plans = plans
	next.known = next.known && next.period != nil
	return current, next, err
}

// drawingOf returns the districts of one layer as a period.
func drawingOf[P any](f *finder, base store.LayerID, list func(*finder, *drawn) *P) (p drawing[P], err error) {
	d, err := f.districts(base)
	if d == nil || err != nil {
		return p, err
	}
	if p.known = true; len(d.list) > 0 {
		p.period = list(f, d)
	}
	return p, nil
}

// nextDay returns the day that brings the plan after the chosen one into force, or
// "".
func (f *finder) nextDay(base store.LayerID) string {
	day := f.plans.Day
	if of := f.r.data.InForce(base, f.plans, f.state); of.Plan != nil {
		if p := of.Plan.Info().Plan; p.ID == f.plans.Plan && p.From > "" {
			day = p.From
		}
	}
	return f.r.data.NextDay(base, day, f.state)
}

// appendStateOCD appends the division of Open Civic Data of a state, the District
// of Columbia or a territory, or nothing if the state is unknown.
func (r *Reader) appendStateOCD(to []byte, id store.StateID) []byte {
	abbr := r.data.State(id).Abbr
	if abbr == "" {
		return to
	}
	to = append(to, "ocd-division/country:us/"...)
	switch abbr {
	case "DC":
		to = append(to, "district:"...)
	case "PR", "GU", "VI", "AS", "MP":
		to = append(to, "territory:"...)
	default:
		to = append(to, "state:"...)
	}
	return appendLower(to, abbr)
}

// appendLower appends ASCII text in lower case.
func appendLower(to []byte, text string) []byte {
	for _, c := range []byte(text) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}

// ocdRoom holds the names of most divisions.
const ocdRoom = 64

// congressOCD returns the division of a congressional district.
func (r *Reader) congressOCD(state store.StateID, number int) string {
	const delegate = 98
	of := r.appendStateOCD(make([]byte, 0, ocdRoom), state)
	switch {
	case len(of) == 0:
	case number == 0 || number == delegate:
		of = append(of, "/cd:at-large"...)
	default:
		of = strconv.AppendInt(append(of, "/cd:"...), int64(number), 10)
	}
	return string(of)
}

// legislatureOCD returns the division of a state legislative district whose name
// ends with its code, e.g. "State House District 12A" with 12A, or "". Divisions of
// other districts have names that the codes do not show.
func (r *Reader) legislatureOCD(id store.LayerID, a *store.LayerArea) string {
	if len(a.GEOID) <= stateDigits {
		return ""
	}
	code := strings.TrimLeft(a.GEOID[stateDigits:], "0")
	if code == "" || a.Name[strings.LastIndexByte(a.Name, ' ')+1:] != code {
		return ""
	}
	of := r.appendStateOCD(make([]byte, 0, ocdRoom), a.State)
	if len(of) == 0 {
		return ""
	}
	chamber := "/sldl:"
	if id == store.LayerStateUpper {
		chamber = "/sldu:"
	}
	return string(appendLower(append(of, chamber...), code))
}

// orderOCD returns the division of a federal electoral district. Its number is
// unique within a Representation Order only, so the year of the order is added.
func orderOCD(geoid string, l *store.Layer) string {
	year := leadingNumber(l.Info().Plan.Name)
	if year == 0 {
		return ""
	}
	return "ocd-division/country:ca/ed:" + geoid + "-" + strconv.Itoa(year)
}

// planOfRecords reports whether districts belong to the plan that the postal
// service's records name, which was in force when the dataset was built.
func (r *Reader) planOfRecords(p *CongressPeriod) bool {
	built := store.PlanChoice{Day: r.data.Manifest().Built.Format(time.DateOnly)}
	id, _ := r.data.StateByAbbr(store.US, p.Primary.State)
	of := r.data.InForce(store.LayerCongressionalDistrict, built, id)
	return of.Plan != nil && of.Plan.Info().Plan.ID == p.Plan.ID
}
