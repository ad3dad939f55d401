package lookup

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
)

// CrosswalkOptions selects and sorts the rows of a crosswalk. The zero value
// selects the pairs that records have, code by code.
type CrosswalkOptions struct {
	// ByArea orders the rows by areas and not by codes.
	ByArea bool
	// State are the two letters of a state or province; "" means all of the
	// layer's country. It restricts the codes.
	State string
	// Slivers adds every pair whose outlines meet, however little.
	Slivers bool
	// Population adds what part of the residents two areas share. It takes the
	// dataset's population of census tracts, each spread evenly over its area.
	// For layers that are not made of whole tracts every tract with residents
	// is intersected first. That takes some seconds for the whole country. Own layers
	// have the residents of block groups.
	Population bool
	// AsOf selects the plans of districts in force on the day in UTC. Zero means
	// today.
	AsOf time.Time
	// Plan is the ID of a plan of districts for any day, such as "cd120".
	Plan string
	// At is the time of the call. Zero means now.
	At time.Time
}

// A CrosswalkRow is a pair of a code and an area that overlap. Percentages have
// 4 decimals here.
type CrosswalkRow struct {
	Code             string          `json:"code"`      // canonical form
	CodeType         CodeType        `json:"code_type"` // what kind of code it is
	Layer            dataset.LayerID `json:"layer"`
	Plan             string          `json:"plan,omitzero"`               // ID of the plan of a district, e.g. "cd119"
	GEOID            string          `json:"geoid"`                       // the Census Bureau's or Statistics Canada's code
	Name             string          `json:"name,omitzero"`               // official name
	Basis            Basis           `json:"basis"`                       // largest_area, or contains_point for a code without an outline
	IntersectionSqMi *float64        `json:"intersection_sq_mi,omitzero"` // 4 decimals
	Share
	Population      *int     `json:"population,omitzero"`         // residents that both have
	PctOfPopulation *float64 `json:"pct_of_population,omitzero"`  // of the code's residents
	PctOfAreaPeople *float64 `json:"pct_of_area_people,omitzero"` // of the area's residents
}

// crosswalkDecimals is how exact the figures of a crosswalk are.
const crosswalkDecimals = 4

// Crosswalk yields the pairs of codes and areas of a layer that overlap: ZIPs
// and areas of the United States, or FSAs and areas of Canada. They are sorted
// by code, the largest part first, or by area. A code without an outline has a
// row without figures for each area that contains its point. Figures are
// omitted if the layer's outlines are too coarse. The population is also
// omitted for a PO Box, unique or military ZIP if the layer is not made of
// whole tracts. An error ends the sequence. It matches [fault.ErrUnavailable]
// if the dataset lacks the layer or its population.
func (r *Reader) Crosswalk(ctx context.Context, id dataset.LayerID, opt CrosswalkOptions) iter.Seq2[CrosswalkRow, error] {
	return func(yield func(CrosswalkRow, error) bool) {
		c := crosswalk{r: r, ctx: ctx, id: id, opt: opt, yield: yield}
		if err := c.run(); err != nil && !errors.Is(err, errEnough) {
			yield(CrosswalkRow{}, err)
		}
	}
}

// errEnough ends the rows when the caller stops.
var errEnough = errors.New("lookup: enough rows")

type crosswalk struct {
	r       *Reader
	ctx     context.Context
	id      dataset.LayerID
	opt     CrosswalkOptions
	plans   []*dataset.Layer // the layer, or the plans of districts
	choice  dataset.PlanChoice
	state   dataset.StateID
	people  *residents // nil without population
	yield   func(CrosswalkRow, error) bool
	visited int
}

func (c *crosswalk) run() (err error) {
	if _, err = c.r.layer(c.ctx, c.id); err != nil {
		return err
	}
	if c.choice, err = c.r.planChoice(PlanOptions{AsOf: c.opt.AsOf, Plan: c.opt.Plan, At: c.opt.At}); err != nil {
		return err
	}
	if c.plans = c.r.data.Plans(c.id); len(c.plans) > 1 {
		if err := c.r.data.LoadLayers(c.ctx, c.id.Country()); err != nil {
			return fmt.Errorf("lookup: plans of %s: %w", c.id, err)
		}
	}
	if c.opt.State != "" {
		abbr := strings.ToUpper(strings.TrimSpace(c.opt.State))
		for _, country := range [...]dataset.Country{dataset.CA, dataset.US} {
			if id, ok := c.r.data.StateByAbbr(country, abbr); ok && dataset.LayerIn(c.id, country) {
				c.state = id
			}
		}
		if c.state == 0 {
			of := "either country"
			if !dataset.IsOwnLayer(c.id) {
				of = c.id.Country().String()
			}
			return &fault.Error{
				Op: "crosswalk", Kind: fault.InvalidParam, Param: "State", Input: c.opt.State,
				Range: fmt.Sprintf("two letters of a state or province of %s, e.g. CA or ON", of),
			}
		}
	}
	if c.opt.Population && !dataset.IsOwnLayer(c.id) {
		if c.people, err = c.r.newResidents(c.ctx, c.id); err != nil {
			return err
		}
	}
	if c.opt.ByArea {
		return c.areas()
	}
	return c.codes()
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
	if dataset.LayerIn(c.id, dataset.CA) {
		for f := range c.r.data.FSAs() {
			if c.state != 0 && f.Province != c.state {
				continue
			}
			overlaps, err := c.r.data.FSAOverlaps(c.ctx, f.FSA)
			if err != nil {
				return fmt.Errorf("lookup: areas of FSA %s: %w", f.FSA, err)
			}
			if err := c.code(FSACode(f.FSA), overlaps); err != nil {
				return err
			}
		}
	}
	if !dataset.LayerIn(c.id, dataset.US) {
		return nil
	}
	for z := range c.r.data.ZIPs() {
		if c.state != 0 && z.State != c.state {
			continue
		}
		overlaps, err := c.r.data.ZIPOverlaps(c.ctx, z.ZIP)
		if err != nil {
			return fmt.Errorf("lookup: areas of ZIP code %s: %w", z.ZIP, err)
		}
		if err := c.code(ZIPCode(z.ZIP), overlaps); err != nil {
			return err
		}
	}
	return nil
}

func (c *crosswalk) code(code Code, overlaps dataset.CodeOverlaps) error {
	if err := c.next(); err != nil {
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
	for _, o := range list {
		if err := c.pair(code, o, overlaps.AtPoint(), &overlaps); err != nil {
			return err
		}
	}
	return nil
}

// inForce reports whether a district is in force under the choice of plans.
func (c *crosswalk) inForce(l *dataset.Layer, area int) bool {
	return len(c.plans) == 1 && !c.choice.Strict || c.r.data.InForce(c.id, c.choice, l.StateOf(area)).Areas == l
}

func (c *crosswalk) areas() error {
	var list []district
	for _, l := range c.plans {
		for i := range l.Len() {
			if c.inForce(l, i) {
				list = append(list, district{Overlap: dataset.Overlap{Area: i}, layer: l})
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

func (c *crosswalk) area(l *dataset.Layer, i int) error {
	id := l.ID()
	fsas, err := c.r.data.FSAsIn(c.ctx, id, i)
	if err != nil {
		return fmt.Errorf("lookup: codes of %s %s: %w", c.id, l.GEOID(i), err)
	}
	for _, o := range fsas {
		if row, _ := c.r.data.FSA(o.Code); c.state != 0 && row.Province != c.state {
			continue
		}
		if err := c.pair(FSACode(o.Code), district{Overlap: o.Overlap, layer: l}, o.AtPoint, nil); err != nil {
			return err
		}
	}
	list, err := c.r.data.ZIPsIn(c.ctx, id, i)
	if err != nil {
		return fmt.Errorf("lookup: codes of %s %s: %w", c.id, l.GEOID(i), err)
	}
	for _, o := range list {
		if row, _ := c.r.data.ZIP(o.Code); c.state != 0 && row.State != c.state {
			continue
		}
		if err := c.pair(ZIPCode(o.Code), district{Overlap: o.Overlap, layer: l}, o.AtPoint, nil); err != nil {
			return err
		}
	}
	return nil
}

// pair yields the row of a code and an area. The code's overlaps are read if
// they are nil and needed.
func (c *crosswalk) pair(code Code, o district, atPoint bool, overlaps *dataset.CodeOverlaps) error {
	if !atPoint && !shows(c.id, c.opt.Slivers, o.Overlap) {
		return nil
	}
	row := c.row(code, o, atPoint)
	if c.people != nil && o.layer.ID() == c.id && !atPoint && c.people.covers(code) {
		if overlaps == nil {
			of, err := c.r.data.ZIPOverlaps(c.ctx, code.ZIP())
			if err != nil {
				return fmt.Errorf("lookup: areas of ZIP code %s: %w", code, err)
			}
			overlaps = &of
		}
		if err := c.people.fill(c.ctx, &row, code, o.Area, *overlaps); err != nil {
			return err
		}
	} else if c.opt.Population && o.layer.Info().People && code.typ == ZIP {
		row.Population = &o.People
	}
	if !c.yield(row, nil) {
		return errEnough
	}
	return nil
}

func (c *crosswalk) row(code Code, o district, atPoint bool) CrosswalkRow {
	a := o.layer.Area(o.Area)
	row := CrosswalkRow{Code: code.String(), CodeType: code.typ, Layer: c.id, Plan: o.layer.Info().Plan.ID, GEOID: a.GEOID, Name: a.Name, Basis: basisOf(atPoint)}
	if atPoint || coarse(o.layer, o.Area) {
		return row
	}
	exact := func(v float64) *float64 {
		v = geo.Round(v, crosswalkDecimals)
		return &v
	}
	row.IntersectionSqMi = exact(float64(o.Intersection.SquareMiles()))
	if code.typ == FSA {
		row.PctOfFSA = exact(min(o.PercentOfCode, 100))
	} else {
		row.PctOfZIP = exact(min(o.PercentOfCode, 100))
	}
	row.PctOfArea = exact(min(o.PercentOfArea, 100))
	return row
}
