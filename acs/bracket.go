package acs

import (
	"fmt"
	"math"
	"slices"
)

// A Bracket is an interval of a distribution, e.g. the households with 50,000
// to 75,000 dollars, and how many are in it.
type Bracket struct {
	// Low and High are where the interval begins and ends. An infinite High is
	// an open end; OpenBelow says that Low is no true beginning.
	Low, High float64
	OpenBelow bool
	Count     Estimate
}

// An Interpolation says how many of a bracket lie below a point within it.
type Interpolation uint8

// The interpolations.
const (
	// Linear has them lie evenly, as the Census Bureau does in the narrow
	// intervals that it computes medians from.
	Linear Interpolation = iota
	// Pareto has them become rarer upwards in brackets that begin at 25,000
	// dollars or more, and lie evenly in the others.
	Pareto
)

// paretoFrom is where brackets begin that Pareto's distribution is used in.
const paretoFrom = 25_000

// String returns "linear" or "pareto".
func (i Interpolation) String() string {
	switch i {
	case Linear:
		return "linear"
	case Pareto:
		return "pareto"
	default:
		return fmt.Sprintf("Interpolation(%d)", uint8(i))
	}
}

// MarshalText returns String.
func (i Interpolation) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// ParseInterpolation reads what [Interpolation.String] returns.
func ParseInterpolation(s string) (Interpolation, bool) {
	for _, i := range [...]Interpolation{Linear, Pareto} {
		if i.String() == s {
			return i, true
		}
	}
	return 0, false
}

// MedianOfBrackets returns the median of a distribution, whose brackets follow
// each other upwards, and what it is: Number, or AtLeast or AtMost where it
// lies in an open bracket, whose known end it then is. Where nobody is in any
// bracket the mark is NotApplicable. moe is the margin of the number in all
// brackets together; NaN has it follow from those of the counts.
//
// The median's margin of error comes from that of the share below it: the
// standard error is half the distance between the values that half of all,
// less and more a standard error of that share, lie below. Users of the Census
// Bureau's microdata are told to find errors of medians so. It is NaN where
// an open bracket is reached or a count's margin is not known.
func MedianOfBrackets(brackets []Bracket, moe float64, by Interpolation) (Estimate, Mark) {
	d := distribution{brackets: brackets, by: by, below: make([]float64, len(brackets)+1)}
	var all sum
	for i, b := range brackets {
		all.add(b.Count)
		d.below[i+1] = all.value
	}
	total := all.estimate()
	if !math.IsNaN(moe) {
		total.MOE = moe
	}
	if !(total.Value > 0) {
		return Estimate{math.NaN(), math.NaN()}, NotApplicable
	}
	at := d.find(total.Value / 2)
	b := &brackets[at]
	switch {
	case math.IsInf(b.High, 1):
		return Estimate{b.Low, math.NaN()}, AtLeast
	case b.OpenBelow:
		return Estimate{b.High, math.NaN()}, AtMost
	}
	// The error of the share below: the larger of those at the bracket's ends.
	var below sum
	for i := range at {
		below.add(brackets[i].Count)
	}
	low := Proportion(below.estimate(), total)
	below.add(b.Count)
	high := Proportion(below.estimate(), total)
	share := math.Max(low.MOE, high.MOE) / z90 // NaN where either is
	from, to := d.quantile((0.5-share)*total.Value), d.quantile((0.5+share)*total.Value)
	return Estimate{d.quantile(total.Value / 2), z90 * (to - from) / 2}, Number
}

// A distribution is brackets with how many lie below the beginning of each.
type distribution struct {
	brackets []Bracket
	below    []float64
	by       Interpolation
}

// find returns the bracket in which the count below reaches n.
func (d *distribution) find(n float64) int {
	at, _ := slices.BinarySearch(d.below[1:], n)
	return min(at, len(d.brackets)-1)
}

// quantile returns the value that n lie below; NaN in open brackets.
func (d *distribution) quantile(n float64) float64 {
	total := d.below[len(d.brackets)]
	if !(n >= 0 && n <= total) {
		return math.NaN()
	}
	at := d.find(n)
	b := &d.brackets[at]
	if b.OpenBelow || math.IsInf(b.High, 1) {
		return math.NaN()
	}
	inside := d.below[at+1] - d.below[at]
	if inside == 0 {
		return b.Low
	}
	above, beyond := total-d.below[at], total-d.below[at+1]
	if d.by == Pareto && b.Low >= paretoFrom && beyond > 0 {
		shape := math.Log(above/beyond) / math.Log(b.High/b.Low)
		return b.Low * math.Pow(above/(total-n), 1/shape)
	}
	return b.Low + float64((n-d.below[at])/inside*(b.High-b.Low))
}

// A FieldBracket is an interval of a distribution and the field that counts it.
type FieldBracket struct {
	Field     string  // full name
	Low, High float64 // an infinite High is an open end
	OpenBelow bool    // Low is no true beginning
}

// A bracketing is the intervals that the tables of some years hold of a
// field's distribution.
type bracketing struct {
	first, last int // years; 0: no limit
	bins        []FieldBracket
}

// Brackets returns the intervals that a year's tables hold of the distribution
// that a median is of, upwards; nil where there are none. They must not be
// changed.
func (f *Field) Brackets(year int) []FieldBracket {
	for _, b := range bracketings[f.Key()] {
		if year >= b.first && (b.last == 0 || year <= b.last) {
			return b.bins
		}
	}
	return nil
}
