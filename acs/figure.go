package acs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/envelope"
)

// A Figure is one field of one year over one or several areas, with its
// sampling error. A missing figure has no numbers; Status gives the reason.
type Figure struct {
	Field   string `json:"field"`   // full name
	Label   string `json:"label"`   // of the Census Bureau
	Kind    Kind   `json:"kind"`    // kind of the field
	Year    int    `json:"year"`    // last of the five years
	Vintage string `json:"vintage"` // the five years
	Status  Status `json:"status"`  // available, or the reason for a missing figure
	// Column is the Census Bureau's, of a single area.
	Column string `json:"column,omitzero"`
	// Annotation is the sign that the Census Bureau prints instead of the
	// estimate, or "+" or "-" after a bound.
	Annotation string `json:"annotation,omitzero"`

	Estimate   Value       `json:"est"`                // estimate
	MOE        Value       `json:"moe"`                // at 90 percent confidence; 0 for controlled estimates
	MOEBasis   MarginBasis `json:"moe_basis,omitzero"` // published or computed
	Percent    Value       `json:"pct,omitzero"`       // share of the field's universe in percent
	PercentMOE Value       `json:"pct_moe,omitzero"`   // margin of error of pct
	// PercentBasis is the MOEBasis of the percentage.
	PercentBasis MarginBasis `json:"pct_moe_basis,omitzero"`

	// CV is the coefficient of variation of the estimate, or of the percentage
	// if there is no estimate, in percent to one decimal.
	CV          Value       `json:"cv_pct,omitzero"`
	Reliability Reliability `json:"reliability,omitzero"` // high, medium or low, by cv_pct

	// Dollars is the year of the amounts' dollars; 0 if the field is not money.
	Dollars int `json:"dollars,omitzero"`
	// Bracket is the median computed from the counts of a distribution.
	Bracket *BracketMedian `json:"bracket_median,omitzero"`

	With    int `json:"areas_with_data"`    // number of areas with a figure
	Without int `json:"areas_without_data"` // number of areas without one
	// Bounds is the number of areas with a bound instead of a median.
	Bounds int `json:"areas_with_bounds,omitzero"`
	// Covered is the share of the areas' population in areas with a figure, in
	// percent to one decimal. It is absent if the dataset has no population of
	// the year.
	Covered Value `json:"population_covered_pct,omitzero"`
}

// A BracketMedian is a median interpolated from counts of a distribution.
type BracketMedian struct {
	Estimate      Value  `json:"est"`                 // a bound if the median is in an open bracket
	Annotation    string `json:"annotation,omitzero"` // "+" or "-" after a bound
	MOE           Value  `json:"moe"`                 // at 90 percent confidence
	Interpolation string `json:"interpolation"`       // of the bracket
}

// A Status indicates whether a figure exists.
type Status string

// The statuses.
const (
	Available  Status = "available"     // the figure exists
	NoTable    Status = "no table"      // the dataset lacks the year's table
	NotServed  Status = "not served"    // the year has no such column, or under another label: see [Options]
	NotInTable Status = "not published" // the year's table has none of the areas
	Suppressed Status = "suppressed"    // the Census Bureau withholds the figure, or it cannot be computed
)

// A MarginBasis describes the origin of a margin of error.
type MarginBasis string

// The bases.
const (
	NoMarginBasis   MarginBasis = ""            // there is no margin
	PublishedMargin MarginBasis = "published"   // the Census Bureau's
	SummedMargin    MarginBasis = "sum"         // root of the squares of whole areas' margins
	UpperBound      MarginBasis = "upper_bound" // by shares, weights, or as a quotient: the margin should not be larger
)

// newFigure returns a figure without numbers.
func newFigure(f *Field, year int, s Status) Figure {
	return Figure{Field: f.Key(), Label: f.LabelIn(year), Kind: f.Kind, Year: year, Vintage: Vintage(year), Status: s}
}

// sample returns the figure as an estimate. It is the percentage if the field
// is a percentage or percent is set. An unknown margin is NaN. It returns
// false without a number.
func (f *Figure) sample(percent bool) (estimate, bool) {
	v, m := f.Estimate, f.MOE
	if percent || f.Kind == PercentOnly || f.Estimate.mark == notApplicable && f.Percent.IsNumber() {
		v, m = f.Percent, f.PercentMOE
	}
	x, ok := v.Float64()
	if !ok {
		return estimate{math.NaN(), math.NaN()}, false
	}
	moe, known := m.Float64()
	if !known {
		moe = math.NaN()
	}
	return estimate{x, moe}, true
}

// rate fills in what follows from the figure's numbers: status, annotation,
// coefficient of variation and reliability. It comes before inflate, which changes none of
// these: a factor without an error leaves the coefficient as it is.
func (f *Figure) rate() {
	e, ok := f.sample(false)
	if !ok {
		f.Status = Suppressed
	}
	f.Annotation = annotation(f.Estimate)
	if f.Estimate.mark == notApplicable && (ok || f.Percent.mark.Sign() != "") { // a percentage only
		f.Annotation = annotation(f.Percent)
	}
	if cv := e.cv(); !math.IsNaN(cv) {
		f.CV, f.Reliability = round(cv, 1), reliabilityOf(cv)
	}
}

// annotation returns the sign that the Census Bureau prints after or instead of
// a number.
func annotation(v Value) string {
	switch v.mark {
	case atLeast:
		return "+"
	case atMost:
		return "-"
	default:
		return v.mark.Sign()
	}
}

// inflate brings amounts of money to the dollars of another year.
func (f *Figure) inflate(of *Field, to int) error {
	if !of.Dollars() {
		return nil
	}
	f.Dollars = f.Year
	if to == 0 {
		return nil
	}
	factor, err := priceFactor(f.Year, to)
	if err != nil {
		return err
	}
	f.Dollars, f.Label = to, of.LabelIn(to)
	f.Estimate, f.MOE = f.Estimate.times(factor), f.MOE.times(factor)
	if b := f.Bracket; b != nil {
		b.Estimate, b.MOE = b.Estimate.times(factor), b.MOE.times(factor)
	}
	return nil
}

// FigureOptions configures the computation of figures. The zero value selects
// the contract's fields and leaves dollars as published.
type FigureOptions struct {
	Options
	// Dollars is the year to convert amounts to: [FirstYear] to [LastPriceYear], or
	// [NewestDollars]. 0 leaves them as published.
	Dollars int
	// Whole counts parts with a share in full.
	Whole bool
}

// NewestDollars is the newest year of a level in the dataset.
const NewestDollars = -1

// figures computes fields of several years over the parts of a level, with
// their margins of error. It returns one figure per year and field, ordered by
// year, then by field; missing ones have a Status.
//
// The figures of a single part in full are the published ones. Over several
// parts, estimates are computed like [Reader.Aggregate]. Margins follow from
// those of the parts, and are unknown if that of a part is:
//
//   - Counts by their sum, weighted by share.
//   - Percentages and rates by proportion, ratios by quotient.
//   - Weighted medians and means from their own margins and those of the
//     weights, to the first order.
//
// A weighted median also has the median of its distribution's combined counts,
// if the tables contain them.
//
// Many parts are read segment by segment, and the segments stay in the
// dataset's cache. Apart from the cache, figures uses about 16 bytes per part
// and column.
//
// Errors match [ErrNoPriceIndex], or [envelope.ErrUnavailable] if the dataset has no table
// of the level, or come from the context or the dataset.
func (r *Reader) figures(ctx context.Context, l Level, parts []Part, fields []*Field, years []int, opt FigureOptions) ([]Figure, error) {
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	if r.newest(l) == 0 {
		return nil, &envelope.Failure{Op: "survey", Kind: envelope.KindUnavailable, Thing: envelope.ThingArea, Lacks: "American Community Survey"}
	}
	parts = counted(parts, opt.Whole)
	if opt.Dollars == NewestDollars {
		opt.Dollars = r.newest(l)
	}
	known := r.known(l, parts)
	whole := r.roomFor(r.columnsOf(l, fields, years), &known)
	figures := make([]Figure, 0, len(fields)*len(years))
	for _, year := range years {
		q := figureQuery{Reader: r, level: l, parts: parts, known: known, year: year, opt: opt, whole: whole}
		list, err := q.run(ctx, fields)
		if err != nil {
			return nil, envelope.Wrap(fmt.Sprintf("figures of %d", year), err)
		}
		figures = append(figures, list...)
	}
	return figures, nil
}

// columnsOf counts the columns of estimates and margins that the figures may read, for
// roomFor. It is more than they do, as a segment has all columns of a table.
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

func counted(parts []Part, whole bool) []Part {
	list := make([]Part, 0, len(parts))
	for _, p := range parts {
		if p.Percent = min(p.Percent, 100); whole {
			p.Percent = 100
		}
		if math.Round(10*p.Percent) > 0 { // at least 0.05 percent, and not NaN
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
	return slices.ContainsFunc(q.parts, func(p Part) bool { return p.Percent < 100 })
}

func (q *figureQuery) run(ctx context.Context, fields []*Field) ([]Figure, error) {
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
		if at, ok := builtIn().find(f.Key()); ok {
			if c := t.column(int16(at)); c >= 0 && q.opt.takes(&t.Columns[c]) {
				served[i] = f
				tags = append(tags, Tag{Profile: f.Profile, Year: q.year})
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
		at, _ := builtIn().find(f.Key())
		m.cover(g, int16(at))
		// A table without any of the areas is not the same as one that withholds the figure.
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
		// A withheld percentage must not keep a margin.
		if metric.Percent.mark == absent || !g.Percent.IsNumber() {
			g.PercentMOE, g.PercentBasis = Value{}, NoMarginBasis
		}
		g.Bracket = m.median(f, q.year)
		g.rate()
		if err := g.inflate(f, q.opt.Dollars); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// published returns a published margin; that of a controlled estimate is 0. Such an estimate
// is fixed by the population estimates program and has no sampling error.
func published(moe Value) (Value, MarginBasis) {
	switch {
	case moe.mark == controlled:
		return Value{decimals: moe.decimals, mark: exact}, PublishedMargin
	case moe.IsNumber():
		return moe, PublishedMargin
	default:
		return moe, NoMarginBasis
	}
}

func (q *figureQuery) values(ctx context.Context, tags []Tag) (*Profiles, error) {
	opt := q.opt.Options
	if q.one() {
		res, err := q.Area(ctx, q.level, areaCode(q.level, q.parts[0].GEOID), tags, opt)
		if err != nil {
			return nil, err
		}
		if b := res.Years.Year(q.year); b != nil {
			return &b.Profiles, nil
		}
		return &Profiles{}, nil
	}
	years, _, _, err := q.Aggregate(ctx, q.level, q.parts, tags, true, opt)
	if err != nil {
		return nil, err
	}
	if a := years.Year(q.year); a != nil {
		return &a.Profiles, nil
	}
	return &Profiles{}, nil
}
