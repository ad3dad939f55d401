package acs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/internal/store"
)

// populationField counts the people of an area.
const populationField = "demographic.sex_and_age.total_population"

// Margins of error of several areas follow from those of the parts by the formulas of the
// Census Bureau's handbook, which moe.go has. Each figure needs its own column, by part, and
// those of its weights, its denominator and its distribution, so need collects them for all
// fields of a year and read fetches each table once. A margin that a part lacks makes the
// whole's unknown: leaving it out would claim more precision than there is. NaN carries this
// through all sums without further checks, and e.Value == e.Value is false for a NaN.

// margins holds the columns of a year that margins of error are computed from,
// by the positions of their fields in the built-in list.
type margins struct {
	*figureQuery
	columns map[int16]*marginColumn
	rows    [Housing + 1][]bool // by profile and part: whether the table has it
	people  int16
}

// A marginColumn is a column of a table by part.
type marginColumn struct {
	at       int        // in the table
	unit     float64    // 10 for one decimal: numbers are integers of the last decimal
	percent  bool       // the estimate is a percentage
	estimate []estimate // NaN if missing
	bounds   int        // parts whose estimate is a bound
}

func (q *figureQuery) margins(ctx context.Context, fields []*Field) (*margins, error) {
	m := &margins{figureQuery: q, columns: map[int16]*marginColumn{}}
	at, _ := builtIn().find(populationField)
	m.people = int16(at)
	m.need(m.people) // cover weighs parts by their people
	for _, f := range fields {
		if f == nil {
			continue
		}
		at, _ := builtIn().find(f.Key())
		m.need(int16(at))
		w := builtIn().weights[int16(at)]
		w.needs(m.need)
		if f.Denominator != "" {
			if i, ok := builtIn().positionOf(f.Profile, f.Denominator); ok {
				m.need(i)
			}
		}
		for _, b := range f.brackets(q.year) {
			if i, ok := builtIn().find(b.Field); ok {
				m.need(int16(i))
			}
		}
	}
	for _, p := range AllProfiles() {
		if t := q.table(q.level, p, q.year); t != nil {
			if err := m.read(ctx, t); err != nil {
				return nil, fmt.Errorf("%s: %w", t.ACSTable, err)
			}
		}
	}
	return m, nil
}

// need requests a field if the year's tables have it.
func (m *margins) need(field int16) {
	if m.columns[field] != nil {
		return
	}
	t := m.table(m.level, builtIn().fields[field].Profile, m.year)
	if t == nil {
		return
	}
	at := t.column(field)
	if at < 0 {
		return
	}
	col := &t.Columns[at]
	c := &marginColumn{at: at, unit: powers[decimalsOf(col)], percent: col.Class == store.ACSPercentOnly, estimate: make([]estimate, len(m.known.positions))}
	for i := range c.estimate {
		c.estimate[i] = estimate{math.NaN(), math.NaN()}
	}
	m.columns[field] = c
}

// read reads the requested columns of a table, segment by segment if that is
// faster.
func (m *margins) read(ctx context.Context, t *table) error {
	var columns []*marginColumn
	for field, c := range m.columns {
		if builtIn().fields[field].Profile == t.profile {
			columns = append(columns, c)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	has := make([]bool, len(m.known.positions))
	m.rows[t.profile] = has
	for i := range m.known.runs {
		run := &m.known.runs[i]
		estimates, margins, err := m.segments(ctx, t, run)
		switch {
		case err != nil:
			return err
		case margins == nil:
			if err := m.readRows(ctx, t, run, columns, has); err != nil {
				return err
			}
		default:
			for i := run.from; i < run.to; i++ {
				has[i] = margins.Rows().Has(m.known.offset(i))
			}
			for _, c := range columns {
				c.pick(&m.known, run, estimates, margins)
			}
		}
	}
	return nil
}

// segments returns the segments of a run, or nil if reading rows is faster.
func (m *margins) segments(ctx context.Context, t *table, run *partRun) (estimates, margins *store.ACSSegment, err error) {
	// Margins are read first: if they are not in memory and not worth reading, estimates in
	// memory don't help, because the rows have both.
	if run.len() < useSegmentFrom {
		return nil, nil, nil
	}
	read := m.whole && run.len() >= readSegmentFrom
	if margins, err = m.data.ACSSegment(ctx, &t.margins, run.segment, read); margins == nil || err != nil {
		return nil, nil, err
	}
	// Of the two halves of a row the estimates take less to read.
	estimates, err = m.data.ACSSegment(ctx, &t.estimates, run.segment, true)
	return estimates, margins, err
}

func (m *margins) readRows(ctx context.Context, t *table, run *partRun, columns []*marginColumn, has []bool) error {
	figures, margins := make([]store.ACSFigure, len(t.Columns)), make([]store.ACSFigure, len(t.Columns))
	return m.data.ACSRows(ctx, t.ACSTable, m.known.positions[run.from:run.to], func(i int, row *store.ACSRow) error {
		if err := row.Margins(figures, margins); err != nil {
			return err
		}
		has[run.from+i] = true
		for _, c := range columns {
			f := figures[c.at]
			if !f.Mark.IsNumber() {
				continue
			}
			if f.Mark != store.ACSNumber {
				c.bounds++
			}
			moe, known := margins[c.at].Margin()
			c.set(run.from+i, f.N, moe, known)
		}
		return nil
	})
}

func (c *marginColumn) pick(parts *knownParts, run *partRun, estimates, margins *store.ACSSegment) {
	known, sure, bounds := estimates.Known(c.at), margins.Known(c.at), margins.Bounds(c.at)
	for i := run.from; i < run.to; i++ {
		at := parts.offset(i)
		if !known.Has(at) {
			continue
		}
		if bounds.Has(at) {
			c.bounds++
		}
		c.set(i, estimates.Number(c.at, at), margins.Number(c.at, at), sure.Has(at))
	}
}

func (c *marginColumn) set(i int, n, moe int32, known bool) {
	e := estimate{float64(n) / c.unit, math.NaN()}
	if known {
		e.MOE = float64(moe) / c.unit
	}
	c.estimate[i] = e
}

// none reports whether the table of a field has none of the areas.
func (m *margins) none(field int16) bool {
	return !slices.Contains(m.rows[builtIn().fields[field].Profile], true)
}

// cover counts the areas with a figure of a field, and their population.
func (m *margins) cover(g *Figure, field int16) {
	g.Without = len(m.parts)
	c, people := m.columns[field], m.columns[m.people]
	if c == nil { // the year has no such column
		return
	}
	g.Bounds = c.bounds
	var with, all float64
	for i, e := range c.estimate {
		known := e.Value == e.Value // is a number
		if known {
			g.With++
		}
		if people == nil {
			continue
		}
		if n := float64(m.known.tenths[i]) * people.estimate[i].Value; n == n {
			all += n
			if known {
				with += n
			}
		}
	}
	g.Without -= g.With
	if all > 0 {
		g.Covered = round(100*with/all, 1)
	}
}

// total returns the sum of a field over the parts that also have figures of the
// fields in also. Both sides of a quotient must be over the same parts.
func (m *margins) total(field int16, also ...int16) (estimate, bool) {
	c := m.columns[field]
	if c == nil {
		return estimate{}, false
	}
	var s sum
	known := false
next:
	for i, e := range c.estimate {
		for _, a := range also {
			if o := m.columns[a]; o == nil || o.estimate[i].Value != o.estimate[i].Value {
				continue next
			}
		}
		if e.Value == e.Value {
			s.add(e.scale(float64(m.known.tenths[i]) / 1000))
			known = true
		}
	}
	return s.estimate(), known
}

// fill computes the margins of a figure over several areas.
func (m *margins) fill(g *Figure, f *Field, at int16, partial bool) {
	null := nullOf(noMargin)
	g.MOE = null
	if f.Kind == Count {
		if e, ok := m.total(at); ok && !math.IsNaN(e.MOE) {
			g.MOE, g.MOEBasis = round(e.MOE, g.Estimate.decimals), SummedMargin
			if partial {
				g.MOEBasis = UpperBound
			}
		}
		if g.Percent.mark == absent {
			return
		}
		g.PercentMOE = null
		of, ok := builtIn().positionOf(f.Profile, f.Denominator)
		if !ok {
			return
		}
		part, _ := m.total(at)
		whole, ok := m.total(of, at) // over the parts that have both, as the percentage itself
		if e := proportion(part, whole); ok && !math.IsNaN(e.MOE) {
			g.PercentMOE, g.PercentBasis = round(100*e.MOE, 1), UpperBound
		}
		return
	}
	// Not a count: a percentage without one, or a number of its own kind.
	x, percent := g.Estimate, f.Kind == PercentOnly || m.columns[at] != nil && m.columns[at].percent
	if percent {
		x = g.Percent
		g.MOE = nullOf(notApplicable)
	}
	moe, basis := null, NoMarginBasis
	if v, ok := m.weighted(f, at, x); ok {
		moe, basis = round(v, x.decimals), UpperBound
	}
	if percent {
		g.PercentMOE, g.PercentBasis = moe, basis
	} else {
		g.MOE, g.MOEBasis = moe, basis
	}
}

func (m *margins) weighted(f *Field, at int16, x Value) (float64, bool) {
	value, ok := x.Float64()
	w, known := builtIn().weights[at]
	if !ok || !known {
		return 0, false
	}
	var moe float64
	switch {
	case w.women: // the number of women is not published, and has no margin
		moe = m.mean(at, value, []term{{w.under, 1}}, false)
	case w.factor != 0:
		over, _ := m.total(w.over, w.under)
		under, _ := m.total(w.under, w.over)
		// The numerator of a rate is a part of its denominator. Males are not part of females.
		if f.Kind == Rate || f.Kind == PercentOnly {
			moe = w.factor * proportion(over, under).MOE
		} else {
			moe = w.factor * quotient(over, under).MOE
		}
	default:
		moe = m.mean(at, value, w.terms, true)
	}
	return moe, !math.IsNaN(moe)
}

// mean returns the margin of a weighted mean, to the first order. It combines
// the margins of the parts, by their weights, with those of the weights, by the
// parts' distances from the mean. If uncertain is false, weights have no
// margins.
//
// With the mean m = Σ w·x / W and W = Σ w, the derivative by a part's x is w/W and that by
// its w is (x-m)/W. So its margin is √(Σ (w·moe(x))² + Σ ((x-m)·moe(w))²) / W.
func (m *margins) mean(at int16, mean float64, terms []term, uncertain bool) float64 {
	own := m.columns[at]
	for _, t := range terms {
		if own == nil || m.columns[t.field] == nil {
			return math.NaN()
		}
	}
	var total, squares float64
	for i, e := range own.estimate {
		var weight, margin float64
		for _, t := range terms {
			n := m.columns[t.field].estimate[i]
			weight += t.sign * n.Value
			margin = math.Hypot(margin, n.MOE)
		}
		share := float64(m.known.tenths[i])
		if !(weight*share > 0) || e.Value != e.Value {
			continue
		}
		total += weight * share
		squares += square(weight * share * e.MOE)
		if uncertain {
			squares += square((e.Value - mean) * share * margin)
		}
	}
	return math.Sqrt(squares) / total
}

func square(x float64) float64 { return x * x }

// median returns the median computed from the counts of a distribution, or nil
// if the year's tables lack them.
func (m *margins) median(f *Field, year int) *BracketMedian {
	bins := f.brackets(year)
	if len(bins) == 0 {
		return nil
	}
	brackets := make([]bracket, len(bins))
	for i, b := range bins {
		at, _ := builtIn().find(b.Field)
		n, ok := m.total(int16(at))
		if !ok {
			return nil
		}
		brackets[i] = bracket{Low: b.Low, High: b.High, OpenBelow: b.OpenBelow, Count: n}
	}
	// The universe's own margin is better than the one that the counts of the brackets add up
	// to: each sum of margins is an approximation.
	moe := math.NaN()
	if u := UniverseOf(f); u != nil {
		at, _ := builtIn().find(u.Key())
		if e, ok := m.total(int16(at)); ok {
			moe = e.MOE
		}
	}
	e, mark := medianOfBrackets(brackets, moe)
	if mark == notApplicable {
		return nil
	}
	median := &BracketMedian{Estimate: round(e.Value, f.Decimals), MOE: nullOf(noMargin), Interpolation: "linear"}
	median.Estimate.mark = mark
	median.Annotation = annotation(median.Estimate)
	if !math.IsNaN(e.MOE) {
		median.MOE = round(e.MOE, f.Decimals)
	}
	if mark != exact { // as the Census Bureau marks it: *** beside a bound
		median.MOE = nullOf(openInterval)
	}
	return median
}
