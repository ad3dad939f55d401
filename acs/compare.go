package acs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/postgeo/postgeo/envelope"
)

// ErrNotComparable indicates figures that no test can compare.
var ErrNotComparable = errors.New("not comparable")

func notComparable(format string, args ...any) error {
	return &envelope.Failure{
		Op: "survey", Kind: envelope.KindInvalidParam, Param: "field", Err: ErrNotComparable, Detail: "not comparable: " + fmt.Sprintf(format, args...),
	}
}

// A Comparison is a test whether two figures of one field differ significantly.
type Comparison struct {
	Field   string `json:"field"` // full name
	A       Figure `json:"a"`
	B       Figure `json:"b"`
	Percent bool   `json:"percent"` // the percentages were compared

	Difference Value   `json:"difference"`     // B less A
	MOE        Value   `json:"difference_moe"` // at 90 percent confidence
	Change     Value   `json:"change_pct"`     // the difference in percent of A; null if A is 0
	Z          float64 `json:"z"`              // the difference in standard errors, to two decimals; ±32767 if it has no error

	At90 bool `json:"significant_90"` // whether the difference is significant at 90 %
	At95 bool `json:"significant_95"` // whether it is at 95 %
	At99 bool `json:"significant_99"` // whether it is at 99 %

	// Overlap is the common share of the five years of samples, 0 to 1.
	Overlap float64  `json:"overlap"`
	Notes   []string `json:"notes,omitempty"` // limits of the comparison
}

// Compare tests whether a field differs between two areas, or two years of one. percent
// compares percentages. Errors match [ErrNotComparable], [envelope.ErrInvalidCode] for an
// area, or [ErrNoPriceIndex].
func (r *Reader) Compare(ctx context.Context, a, b Side, f *Field, percent bool, opt FigureOptions) (*Comparison, error) {
	var figures [2]Figure
	for i, side := range [...]Side{a, b} {
		l, parts, err := ParseParts(side.Area)
		if err != nil {
			return nil, err
		}
		list, err := r.figures(ctx, l, parts, []*Field{f}, []int{cmp.Or(side.Year, r.newest(l))}, opt)
		if err != nil {
			return nil, err
		}
		figures[i] = list[0]
	}
	return compare(figures[0], figures[1], a.Area == b.Area, percent)
}

// compare tests whether two figures of one field differ. Z is the difference
// divided by its standard error. The difference is significant at 90, 95 or 99
// percent if z is at least 1.645, 1.96 or 2.576.
//
// If same is set, the figures are of the same area and share samples if their
// five years overlap. The standard error is then multiplied by the root of the
// share of years that are not common, following earlier guides of the Census
// Bureau.
//
// Errors match [ErrNotComparable]. They are caused by different fields, a
// figure that is missing or a bound, an unknown margin, or dollars of different
// years.
func compare(a, b Figure, same, percent bool) (*Comparison, error) {
	percent = percent || a.Kind == PercentOnly
	c := &Comparison{Field: a.Field, A: a, B: b, Percent: percent}
	if a.Field != b.Field {
		return nil, notComparable("%s and %s are different fields", a.Field, b.Field)
	}
	var samples [2]estimate
	decimals := a.Estimate.decimals
	for i, f := range [...]*Figure{&a, &b} {
		e, ok := f.sample(percent)
		v := f.Estimate
		if percent {
			v, decimals = f.Percent, 1
		}
		switch {
		case !ok && percent && f.Estimate.IsNumber():
			return nil, notComparable("%s of %d has no percentage; compare the estimates", f.Field, f.Year)
		case !ok:
			return nil, notComparable("%s of %d has no figure (%s)", f.Field, f.Year, f.Status)
		case v.mark == atLeast || v.mark == atMost:
			return nil, notComparable("%s of %d is a bound, %s, without a margin of error", f.Field, f.Year, v)
		case math.IsNaN(e.MOE):
			return nil, notComparable("%s of %d has no margin of error", f.Field, f.Year)
		}
		samples[i] = e
	}
	if a.Dollars != b.Dollars {
		return nil, notComparable("%s is in dollars of %d and of %d; bring both to one year", a.Field, a.Dollars, b.Dollars)
	}
	d := difference(samples[1], samples[0])
	// Samples of different areas are independent, whatever their years.
	if same {
		c.Overlap = overlap(a.Year, b.Year)
		d.MOE *= math.Sqrt(1 - c.Overlap)
	}
	c.Difference, c.MOE, c.Change = round(d.Value, decimals), round(d.MOE, decimals), nullOf(notApplicable)
	if samples[0].Value != 0 {
		c.Change = round(100*d.Value/math.Abs(samples[0].Value), 1)
	}
	// Without error every difference is significant.
	z := 0.0
	switch {
	case d.MOE > 0:
		z = d.Value / d.standardError()
	case d.Value != 0:
		z = math.Copysign(math.MaxInt16, d.Value) // JSON has no infinity
	}
	c.Z = math.Round(100*z) / 100
	c.At90, c.At95, c.At99 = math.Abs(z) >= z90, math.Abs(z) >= z95, math.Abs(z) >= z99
	c.note(same)
	return c, nil
}

// overlap returns the share of five years that two periods have in common.
func overlap(a, b int) float64 {
	const period = 5
	return float64(max(period-max(a-b, b-a), 0)) / period
}

func (c *Comparison) note(same bool) {
	a, b := &c.A, &c.B
	add := func(format string, args ...any) { c.Notes = append(c.Notes, fmt.Sprintf(format, args...)) }
	if a.Year != b.Year && overlap(a.Year, b.Year) > 0 {
		if same {
			add("%s and %s have years in common. The Census Bureau advises against comparing periods that overlap; the error of the difference allows for the common part of the samples.", a.Vintage, b.Vintage)
		} else {
			add("%s and %s have years in common. The Census Bureau advises against comparing periods that overlap.", a.Vintage, b.Vintage)
		}
	}
	if same && (a.Year < firstOf2020) != (b.Year < firstOf2020) {
		add("Figures to 2019 are of the area of the 2010 census, later ones of that of the 2020 census.")
	}
	if f, ok := FieldByKey(c.Field); ok && f.Note != "" && a.Year != b.Year {
		add("The Census Bureau's table: %s.", f.Note)
	}
	if a.MOEBasis == UpperBound || b.MOEBasis == UpperBound {
		add("A margin is an upper bound; the test may miss a significant difference.")
	}
	if a.Dollars != 0 && a.Dollars == a.Year && a.Year == b.Year {
		return
	}
	if a.Dollars != 0 {
		add("Amounts are in dollars of %d.", a.Dollars)
	}
}
