package lookup

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// CrosswalkOptions selects and measures the rows of a crosswalk. The zero value
// selects the pairs that records have.
type CrosswalkOptions struct {
	// Weight is the measure of shares. The zero value is area for codes and areas of a
	// layer, and people otherwise.
	Weight Weight
	// State are the two letters of a state or province; "" means all. It selects codes,
	// and for two geographies without codes the areas of From with residents there.
	State string
	// Slivers adds every pair whose outlines meet, however little. Pairs weighted by
	// people need residents in both.
	Slivers bool
	// MinShare omits pairs with a smaller percentage of From, 0 to 100.
	MinShare float64
	// Remainder adds pairs whose From or To is "": the people outside every area of
	// the other geography. With them the people of all pairs sum to those of the
	// census if areas don't overlap.
	Remainder bool
	// AsOf selects the plans of districts in force on the day in UTC. Zero means
	// today.
	AsOf time.Time
	// Plan is the ID of a plan of districts for any day, such as "cd120".
	Plan string
	// At is the time of the call. Zero means now.
	At time.Time
}

// A CrosswalkRow is a pair of areas that overlap. Percentages have 4 decimals and
// measure the weight.
type CrosswalkRow struct {
	From             string   `json:"from"`                        // code or GEOID; "" outside every area
	FromName         string   `json:"from_name,omitzero"`          // official name
	To               string   `json:"to"`                          // code or GEOID; "" outside every area
	ToName           string   `json:"to_name,omitzero"`            // official name
	Plan             string   `json:"plan,omitzero"`               // ID of the plan of districts, e.g. "cd119"
	Weight           Weight   `json:"weight"`                      // measure of the percentages: "area", "people" or "housing"
	Basis            string   `json:"basis"`                       // largest_area; contains_point for a code without an outline or a ZIP Code without people; block_groups, blocks or blocks_and_block_groups of other pairs
	IntersectionSqMi *float64 `json:"intersection_sq_mi,omitzero"` // 4 decimals; of weight area, land only between geographies without codes
	People           *int     `json:"people,omitzero"`             // residents of both; absent between codes and a layer by area
	HousingUnits     *int64   `json:"housing_units,omitzero"`      // of both; of weight housing
	PctOfFrom        *float64 `json:"pct_of_from,omitzero"`        // part of From that lies in To
	PctOfTo          *float64 `json:"pct_of_to,omitzero"`          // part of To that lies in From
	IsSplit          bool     `json:"is_split"`                    // From has several pairs; by people, several with 1 % of it
	Reason           string   `json:"reason,omitzero"`             // why a ZIP Code has no pair; the other side is ""
}

// The values of [CrosswalkRow].Reason: why a ZIP Code has no people in any area.
const (
	NoPoint      = "no point"                        // the ZIP Code has no point
	NoBlockGroup = "no block group around the point" // its point lies in no block group
)

// crosswalkDecimals is how exact the figures of a crosswalk are.
const crosswalkDecimals = 4

// Crosswalk yields the pairs of areas of two geographies that overlap, sorted by From,
// the largest part first. A geography is "zip", "fsa", "state", "csa" or the name of a
// layer.
//
// Weighted by area, one is a kind of code and the other a layer of its country. A code
// without an outline has a row without figures for each area that contains its point.
// Figures are omitted if the layer's outlines are too coarse.
//
// All other pairs are of the United States. Each block group of the census of 2020
// counts at its center of population. In counties with blocks of the user, each block
// counts at its point. A ZIP without a center shares the block group that contains its
// point, by the survey's numbers. Without such a number, the pair has no people. A ZIP
// without a block group has a row with the reason, and "" on the other side.
// Only blocks have housing units.
//
// An error ends the sequence. It matches [envelope.ErrUnavailable] if the dataset lacks a
// layer or the people.
func (r *Reader) Crosswalk(ctx context.Context, from, to Layer, opt CrosswalkOptions) iter.Seq2[CrosswalkRow, error] {
	return func(yield func(CrosswalkRow, error) bool) {
		c := crosswalk{r: r, ctx: ctx, opt: opt, yield: yield}
		if err := c.run(from, to); err != nil && !errors.Is(err, errEnough) {
			yield(CrosswalkRow{}, err)
		}
	}
}

// errEnough ends the rows when the caller stops. It never leaves this file.
var errEnough = errors.New("lookup: enough rows")

// A crosswalk is one call of [Reader.Crosswalk]. It has two ways to its rows. Between codes
// and areas of a layer by area, they are the overlaps that the dataset has, code by code or
// area by area, and are yielded as they are read. All others are summed over the residents
// (weighted.go) before the first row can be yielded.
type crosswalk struct {
	r        *Reader
	ctx      context.Context
	from, to geography
	opt      CrosswalkOptions
	id       store.LayerID  // of the layer that is compared with codes
	plans    []*store.Layer // the layer, or the plans of districts
	choice   store.PlanChoice
	state    store.StateID
	yield    func(CrosswalkRow, error) bool
	visited  int
}

func (c *crosswalk) run(from, to Layer) (err error) {
	if c.from, err = c.r.geography(c.ctx, "from", string(from)); err != nil {
		return err
	}
	if c.to, err = c.r.geography(c.ctx, "to", string(to)); err != nil {
		return err
	}
	if c.choice, err = c.r.planChoice(c.opt.AsOf, c.opt.At, c.opt.Plan); err != nil {
		return err
	}
	if !(c.opt.MinShare >= 0 && c.opt.MinShare <= 100) {
		return &envelope.Failure{Op: "crosswalk", Kind: envelope.KindInvalidParam, Param: "min_share", Input: strconv.FormatFloat(c.opt.MinShare, 'g', -1, 64), Range: "from 0 to 100 percent"}
	}
	if err := c.opt.Weight.check(); err != nil {
		return err
	}
	codes := &c.from
	other := &c.to
	if c.to.isCode() {
		codes, other = other, codes
	}
	byArea := codes.isCode() && other.kind == ofLayer
	if c.opt.Weight == "" {
		c.opt.Weight = WeightPeople
		if byArea {
			c.opt.Weight = WeightArea
		}
	}
	if err := c.findState(); err != nil {
		return err
	}
	if c.opt.Weight != WeightArea || !byArea {
		return c.weighed()
	}
	country := store.US
	if codes.kind == ofFSAs {
		country = store.CA
	}
	if !store.LayerIn(other.layer, country) {
		return &envelope.Failure{Op: "crosswalk", Kind: envelope.KindInvalidParam, Param: "to", Input: c.to.name, Range: "an area of the country of " + c.from.name}
	}
	c.id, c.plans = other.layer, other.plans
	if codes == &c.to {
		return c.areas()
	}
	return c.codes()
}

// findState finds the requested state or province in the country of a layer.
func (c *crosswalk) findState() error {
	if c.opt.State == "" {
		return nil
	}
	abbr := strings.ToUpper(strings.TrimSpace(c.opt.State))
	of := "either country"
	for _, country := range [...]store.Country{store.CA, store.US} {
		id, ok := c.r.data.StateByAbbr(country, abbr)
		in := true
		for _, g := range [...]*geography{&c.from, &c.to} {
			if g.kind == ofLayer && !store.LayerIn(g.layer, country) {
				in = false
			} else if g.kind == ofLayer && !store.IsOwnLayer(g.layer) {
				of = country.String()
			}
		}
		if ok && in {
			c.state = id
		}
	}
	if c.state != 0 {
		return nil
	}
	return &envelope.Failure{
		Op: "crosswalk", Kind: envelope.KindInvalidParam, Param: "state", Input: c.opt.State,
		Range: fmt.Sprintf("two letters of a state or province of %s, e.g. CA or ON", of),
	}
}

// next looks at the context now and then.
func (c *crosswalk) next() error {
	const contextRows = 1024 // codes or areas between two looks at the context
	if c.visited++; c.visited%contextRows == 0 {
		return c.ctx.Err()
	}
	return nil
}

func (c *crosswalk) codes() error {
	if c.from.kind == ofFSAs {
		for f := range c.r.data.FSAs() {
			if c.state != 0 && f.Province != c.state {
				continue
			}
			if err := c.code(fsaCode(f.FSA)); err != nil {
				return err
			}
		}
		return nil
	}
	for z := range c.r.data.ZIPs() {
		if c.state != 0 && z.State != c.state {
			continue
		}
		if err := c.code(zipCode(z.ZIP)); err != nil {
			return err
		}
	}
	return nil
}

func (c *crosswalk) code(code Code) error {
	if err := c.next(); err != nil {
		return err
	}
	overlaps, err := c.r.overlapsOf(c.ctx, code)
	if err != nil {
		return err
	}
	var list []district
	for _, l := range c.plans {
		for _, o := range overlaps.Of(l.ID()) {
			if c.inForce(l, o.Area) {
				list = append(list, district{Overlap: o, layer: l})
			}
		}
	}
	if len(c.plans) > 1 {
		slices.SortStableFunc(list, largerFirst)
	}
	list = slices.DeleteFunc(list, func(d district) bool { return !overlaps.AtPoint() && !shows(c.id, c.opt.Slivers, d.Overlap) })
	for _, o := range list {
		row := c.row(code, o, overlaps.AtPoint())
		row.IsSplit = len(list) > 1
		if err := c.give(&row); err != nil {
			return err
		}
	}
	return nil
}

// inForce reports whether a district is in force under the choice of plans.
func (c *crosswalk) inForce(l *store.Layer, area int) bool {
	return c.r.inForce(c.id, c.choice, l, l.StateOf(area))
}

func (c *crosswalk) areas() error {
	var list []district
	for _, l := range c.plans {
		for i := range l.Len() {
			if c.inForce(l, i) {
				list = append(list, district{Overlap: store.Overlap{Area: i}, layer: l})
			}
		}
	}
	if len(c.plans) > 1 {
		slices.SortStableFunc(list, func(x, y district) int { return strings.Compare(x.layer.GEOID(x.Area), y.layer.GEOID(y.Area)) })
	}
	for _, d := range list {
		if err := c.next(); err != nil {
			return err
		}
		if err := c.area(d.layer, d.Area); err != nil {
			return err
		}
	}
	return nil
}

func (c *crosswalk) area(l *store.Layer, i int) error {
	var rows []CrosswalkRow
	add := func(code Code, state store.StateID, o store.Overlap, atPoint bool) {
		if (c.state == 0 || state == c.state) && (atPoint || shows(c.id, c.opt.Slivers, o)) {
			rows = append(rows, c.row(code, district{Overlap: o, layer: l}, atPoint))
		}
	}
	list, err := c.r.data.CodesIn(c.ctx, l.ID(), i)
	if err != nil {
		return fmt.Errorf("lookup: codes of %s %s: %w", c.id, l.GEOID(i), err)
	}
	for _, o := range list {
		if f, ok := o.Code.FSA(); ok && c.to.kind == ofFSAs {
			row, _ := c.r.data.FSA(f)
			add(fsaCode(f), row.Province, o.Overlap, o.AtPoint)
		} else if z, ok := o.Code.ZIP(); ok && c.to.kind != ofFSAs {
			row, _ := c.r.data.ZIP(z)
			add(zipCode(z), row.State, o.Overlap, o.AtPoint)
		}
	}
	for i := range rows {
		rows[i].IsSplit = len(rows) > 1
		if err := c.give(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// give yields a row unless its share is too small.
func (c *crosswalk) give(row *CrosswalkRow) error {
	if row.PctOfFrom != nil && *row.PctOfFrom < c.opt.MinShare {
		return nil
	}
	if !c.yield(*row, nil) {
		return errEnough
	}
	return nil
}

// row returns the pair of a code and an area of the layer.
func (c *crosswalk) row(code Code, o district, atPoint bool) CrosswalkRow {
	a := o.layer.Area(o.Area)
	row := CrosswalkRow{Plan: o.layer.Info().Plan.ID, Weight: WeightArea, Basis: string(basisOf(atPoint))}
	ofCode, ofArea := &row.PctOfFrom, &row.PctOfTo
	if row.From, row.To, row.ToName = code.String(), a.GEOID, a.Name; c.to.isCode() {
		row.From, row.FromName, row.To, row.ToName = a.GEOID, a.Name, code.String(), ""
		ofCode, ofArea = ofArea, ofCode
	}
	if atPoint || coarse(o.layer, o.Area) {
		return row
	}
	exact := func(v float64) *float64 {
		v = geo.Round(v, crosswalkDecimals)
		return &v
	}
	row.IntersectionSqMi = exact(float64(o.Intersection.SquareMiles()))
	*ofCode, *ofArea = exact(min(o.PercentOfCode, 100)), exact(min(o.PercentOfArea, 100))
	return row
}
