package acs

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/internal/fault"
)

// FigureOptions configures the computation of figures. The zero value selects
// the contract's fields, interpolates linearly and leaves dollars as published.
type FigureOptions struct {
	Options
	// Interpolation is the method for medians of brackets.
	Interpolation Interpolation
	// Dollars is the year to convert amounts to: one that [PriceFactor]
	// supports, or NewestDollars; 0 leaves them as published.
	Dollars int
	// Whole counts parts with a share in full.
	Whole bool
}

// NewestDollars is the newest year of a level in the dataset.
const NewestDollars = -1

// Figures computes fields of several years over the parts of a level, with
// their margins of error. It returns one figure per year and field, ordered by
// year, then by field; missing ones have a Status.
//
// The figures of a single part in full are the published ones. Over several
// parts, estimates are computed like [Reader.Aggregate]. Margins follow from
// those of the parts, and are unknown if that of a part is:
//
//   - counts by [Sum], weighted by share;
//   - percentages and rates by [Proportion], ratios by [Quotient];
//   - weighted medians and means from their own margins and those of the
//     weights, to the first order.
//
// A weighted median also has the median of its distribution's combined counts,
// if the tables contain them.
//
// Many parts are read segment by segment, and the segments stay in the
// dataset's cache. Apart from the cache, Figures uses about 16 bytes per part
// and column.
//
// Errors match [ErrNoPriceIndex], or come from the context or the dataset.
func (r *Reader) Figures(ctx context.Context, l Level, parts []Part, fields []*Field, years []int, opt FigureOptions) ([]Figure, error) {
	if opt.Interpolation > Pareto {
		return nil, &fault.Error{
			Op: "survey", Kind: fault.InvalidParam, Param: "Interpolation", Input: strconv.Itoa(int(opt.Interpolation)), Range: "Linear or Pareto",
		}
	}
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	parts = counted(parts, opt.Whole)
	if opt.Dollars == NewestDollars {
		opt.Dollars = r.Newest(l)
	}
	known := r.known(l, parts)
	whole := r.roomFor(r.columnsOf(l, fields, years), &known)
	figures := make([]Figure, 0, len(fields)*len(years))
	for _, year := range years {
		q := figureQuery{Reader: r, level: l, parts: parts, known: known, year: year, opt: opt, whole: whole}
		list, err := q.figures(ctx, fields)
		if err != nil {
			return nil, fault.Wrap(fmt.Sprintf("figures of %d", year), err)
		}
		figures = append(figures, list...)
	}
	return figures, nil
}

// columnsOf counts the columns that figures are computed from.
func (r *Reader) columnsOf(l Level, fields []*Field, years []int) (n int) {
	used := [Housing + 1]bool{Demographic: true} // has the people
	for _, f := range fields {
		used[f.Profile] = true
	}
	for _, year := range years {
		for p, is := range used {
			if t := r.table(l, Profile(p), year); is && t != nil {
				n += 2 * len(t.Columns)
			}
		}
	}
	return n
}

// counted returns the parts with a positive share.
func counted(parts []Part, whole bool) []Part {
	list := make([]Part, 0, len(parts))
	for _, p := range parts {
		if p.Percent = min(p.Percent, 100); whole {
			p.Percent = 100
		}
		if math.Round(10*p.Percent) > 0 { // and is a number
			list = append(list, p)
		}
	}
	return list
}

// A figureQuery reads the figures of a year.
type figureQuery struct {
	*Reader
	level Level
	parts []Part
	known knownParts
	year  int
	opt   FigureOptions
	whole bool // segments may be read
}

// one reports whether the areas are a single one in full.
func (q *figureQuery) one() bool { return len(q.parts) == 1 && q.parts[0].Percent == 100 }

// partial reports whether any part counts by its share.
func (q *figureQuery) partial() bool {
	for _, p := range q.parts {
		if p.Percent < 100 {
			return true
		}
	}
	return false
}

func (q *figureQuery) figures(ctx context.Context, fields []*Field) ([]Figure, error) {
	var tags []Tag
	list := make([]Figure, len(fields))
	served := make([]*Field, len(fields)) // nil if there cannot be a figure
	for i, f := range fields {
		t := q.table(q.level, f.Profile, q.year)
		list[i] = newFigure(f, q.year, NoTable)
		if t == nil {
			continue
		}
		list[i].Status = NotServed
		if at, ok := builtIn.Find(f.Key()); ok {
			if c := t.column(int16(at)); c >= 0 && q.opt.takes(&t.Columns[c]) {
				served[i] = f
				tags = append(tags, Tag{Profile: f.Profile, Year: uint16(q.year)})
			}
		}
	}
	values, err := q.values(ctx, tags)
	if err != nil {
		return nil, err
	}
	m, err := q.margins(ctx, served)
	if err != nil {
		return nil, err
	}
	for i, f := range served {
		if f == nil {
			continue
		}
		g := &list[i]
		at, _ := builtIn.Find(f.Key())
		m.cover(g, int16(at))
		metric := values.Metric(f)
		if !values.Has(f.Profile) || g.With == 0 && m.none(int16(at)) {
			g.Status = NotInTable
			continue
		}
		g.Status = Available
		g.Estimate, g.Percent = metric.Estimate, metric.Percent
		if q.one() {
			g.Column = metric.Column()
			g.MOE, g.MOEBasis = published(metric.MOE)
			if metric.Percent.IsNumber() || metric.PercentMOE.IsNumber() {
				g.PercentMOE, g.PercentBasis = published(metric.PercentMOE)
			}
		} else {
			m.fill(g, f, int16(at), q.partial())
		}
		if metric.Percent.mark == Absent || !g.Percent.IsNumber() {
			g.PercentMOE, g.PercentBasis = Value{}, NoMarginBasis
		}
		g.Bracket = m.median(f, q.year, q.opt.Interpolation)
		g.rate()
		if err := g.inflate(f, q.opt.Dollars); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// published returns a published margin; that of a controlled estimate is 0.
func published(moe Value) (Value, MarginBasis) {
	switch {
	case moe.mark == Controlled:
		return Value{decimals: moe.decimals, mark: Number}, PublishedMargin
	case moe.IsNumber():
		return moe, PublishedMargin
	default:
		return moe, NoMarginBasis
	}
}

// values reads the estimates.
func (q *figureQuery) values(ctx context.Context, tags []Tag) (*Profiles, error) {
	opt := q.opt.Options
	if q.one() {
		res, err := q.area(ctx, q.level, areaCode(q.level, q.parts[0].GEOID), tags, opt)
		if err != nil {
			return nil, err
		}
		if b := res.Years.Year(q.year); b != nil {
			return &b.Profiles, nil
		}
		return &Profiles{}, nil
	}
	res, err := q.Aggregate(ctx, q.level, q.parts, tags, ByShare, opt)
	if err != nil {
		return nil, err
	}
	if a := res.Years.Year(q.year); a != nil {
		return &a.Profiles, nil
	}
	return &Profiles{}, nil
}
