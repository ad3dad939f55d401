package acs

import (
	"math"

	"github.com/postgeo/postgeo/internal/enum"
)

// A Figure is one field of one year over one or several areas, with its
// sampling error. A missing figure has no numbers; Status gives the reason.
type Figure struct {
	Field   string `json:"field"` // full name
	Label   string `json:"label"`
	Kind    Kind   `json:"kind"`
	Year    int    `json:"year"`    // last of the five years
	Vintage string `json:"vintage"` // the five years
	Status  Status `json:"status"`
	// Column is the Census Bureau's, of a single area.
	Column string `json:"column,omitzero"`
	// Annotation is the sign that the Census Bureau prints instead of the
	// estimate, or "+" or "-" after a bound.
	Annotation string `json:"annotation,omitzero"`

	Estimate   Value       `json:"est"`
	MOE        Value       `json:"moe"` // at 90 percent confidence; 0 for controlled estimates
	MOEBasis   MarginBasis `json:"moe_basis,omitzero"`
	Percent    Value       `json:"pct,omitzero"` // share of the field's universe in percent
	PercentMOE Value       `json:"pct_moe,omitzero"`
	// PercentBasis is the MOEBasis of the percentage.
	PercentBasis MarginBasis `json:"pct_moe_basis,omitzero"`

	// CV is the coefficient of variation of the estimate, or of the percentage
	// if there is no estimate, in percent to one decimal.
	CV          Value       `json:"cv_pct,omitzero"`
	Reliability Reliability `json:"reliability,omitzero"`

	// Dollars is the year of the amounts' dollars; 0 if the field is not money.
	Dollars int `json:"dollars,omitzero"`
	// Bracket is the median computed from the counts of a distribution.
	Bracket *BracketMedian `json:"bracket_median,omitzero"`

	With    int `json:"areas_with_data"`
	Without int `json:"areas_without_data"`
	// Bounds is the number of areas with a bound instead of a median.
	Bounds int `json:"areas_with_bounds,omitzero"`
	// Covered is the share of the areas' population in areas with a figure, in
	// percent to one decimal. It is absent if the dataset has no population of
	// the year.
	Covered Value `json:"population_covered_pct,omitzero"`
}

// A BracketMedian is a median interpolated from counts of a distribution.
type BracketMedian struct {
	Estimate      Value         `json:"est"` // a bound if the median is in an open bracket
	Annotation    string        `json:"annotation,omitzero"`
	MOE           Value         `json:"moe"`
	Interpolation Interpolation `json:"interpolation"`
}

// A Status indicates whether a figure exists.
type Status uint8

// The statuses.
const (
	Available  Status = iota // the figure exists
	NoTable                  // the dataset lacks the year's table
	NotServed                // the year has no such column, or under another label: see [Options]
	NotInTable               // the year's table has none of the areas
	Suppressed               // the Census Bureau withholds the figure, or it cannot be computed
)

var statusNames = enum.Names[Status]{
	Available: "available", NoTable: "no table", NotServed: "not served", NotInTable: "not published", Suppressed: "suppressed",
}

// String returns "available", "no table", "not served", "not published" or
// "suppressed".
func (s Status) String() string { return statusNames.Shown("Status", s) }

// MarshalText returns String.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A MarginBasis describes the origin of a margin of error.
type MarginBasis uint8

// The bases.
const (
	NoMarginBasis   MarginBasis = iota // there is no margin
	PublishedMargin                    // the Census Bureau's
	SummedMargin                       // root of the squares of whole areas' margins
	UpperBound                         // by shares, weights, or as a quotient: the margin should not be larger
)

var marginBasisNames = enum.Names[MarginBasis]{PublishedMargin: "published", SummedMargin: "sum", UpperBound: "upper_bound"}

// String returns "published", "sum" or "upper_bound"; "" for NoMarginBasis.
func (b MarginBasis) String() string { return marginBasisNames.Shown("MarginBasis", b) }

// MarshalText returns String.
func (b MarginBasis) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// newFigure returns a figure without numbers.
func newFigure(f *Field, year int, s Status) Figure {
	return Figure{Field: f.Key(), Label: f.LabelIn(year), Kind: f.Kind, Year: year, Vintage: Vintage(year), Status: s}
}

// Sample returns the figure as an estimate. It is the percentage if the field
// is a percentage or percent is set. An unknown margin is NaN. Sample returns
// false without a number.
func (f *Figure) Sample(percent bool) (Estimate, bool) {
	v, m := f.Estimate, f.MOE
	if percent || f.Kind == PercentOnly || f.Estimate.mark == NotApplicable && f.Percent.IsNumber() {
		v, m = f.Percent, f.PercentMOE
	}
	x, ok := v.Float64()
	if !ok {
		return Estimate{math.NaN(), math.NaN()}, false
	}
	moe, known := m.Float64()
	if !known {
		moe = math.NaN()
	}
	return Estimate{x, moe}, true
}

// rate fills in what follows from the figure's numbers: status, annotation,
// coefficient of variation and reliability.
func (f *Figure) rate() {
	e, ok := f.Sample(false)
	if !ok {
		f.Status = Suppressed
	}
	f.Annotation = annotation(f.Estimate)
	if f.Estimate.mark == NotApplicable && (ok || f.Percent.mark.Sign() != "") { // a percentage only
		f.Annotation = annotation(f.Percent)
	}
	if cv := e.CV(); !math.IsNaN(cv) {
		f.CV, f.Reliability = Round(cv, 1), ReliabilityOf(cv)
	}
}

// annotation returns the sign that the Census Bureau prints after or instead of
// a number.
func annotation(v Value) string {
	switch v.mark {
	case AtLeast:
		return "+"
	case AtMost:
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
	factor, err := PriceFactor(f.Year, to)
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
