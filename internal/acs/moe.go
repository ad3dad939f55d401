package acs

import "math"

// The standard errors in a margin of error at 90, 95 and 99 percent
// confidence. The Census Bureau's margins are at 90 percent, with 1.645.
const (
	z90 = 1.645
	z95 = 1.960
	z99 = 2.576
)

// An Estimate is a figure with its margin of error at 90 percent confidence. An
// unknown margin is NaN; that of a controlled estimate is 0. The formulas are
// from the Census Bureau's handbook "Understanding and Using American Community
// Survey Data: What All Data Users Need to Know", chapter 8. They assume
// independent estimates, which is nearly true of neighboring areas.
type Estimate struct {
	Value float64
	MOE   float64
}

// StandardError returns the margin of error divided by 1.645.
func (e Estimate) StandardError() float64 { return e.MOE / z90 }

// CV returns the coefficient of variation, the standard error in percent of the
// value, or NaN if the value is 0 or the margin unknown.
func (e Estimate) CV() float64 {
	if e.Value == 0 {
		return math.NaN()
	}
	return 100 * e.StandardError() / math.Abs(e.Value)
}

// Scale returns the estimate multiplied by a number that has no error.
func (e Estimate) Scale(by float64) Estimate {
	return Estimate{by * e.Value, math.Abs(by) * e.MOE}
}

// Sum returns the sum of estimates. Its margin is the root of the sum of the
// squared margins; among estimates of 0 only the largest margin counts.
func Sum(of ...Estimate) Estimate {
	var s sum
	for _, e := range of {
		s.add(e)
	}
	return s.estimate()
}

// A sum accumulates a [Sum].
type sum struct {
	value, squares, zero float64
}

func (s *sum) add(e Estimate) {
	s.value += e.Value
	switch {
	case e.Value != 0 || math.IsNaN(e.MOE):
		s.squares += e.MOE * e.MOE
	default:
		s.zero = max(s.zero, e.MOE)
	}
}

func (s *sum) estimate() Estimate { return Estimate{s.value, math.Sqrt(s.squares + s.zero*s.zero)} }

// Difference returns a - b.
func Difference(a, b Estimate) Estimate {
	return Estimate{a.Value - b.Value, math.Hypot(a.MOE, b.MOE)}
}

// Proportion returns part divided by the whole that contains it, 0 to 1. If the
// formula has no real root, that of [Quotient] applies, as in the handbook. A
// whole of 0 gives NaN.
func Proportion(part, whole Estimate) Estimate {
	p := part.Value / whole.Value
	radicand := part.MOE*part.MOE - p*p*whole.MOE*whole.MOE
	if radicand < 0 {
		return Quotient(part, whole)
	}
	return Estimate{p, math.Sqrt(radicand) / math.Abs(whole.Value)}
}

// Quotient returns one estimate divided by another that does not contain it.
// A divisor of 0 gives NaN.
func Quotient(over, under Estimate) Estimate {
	q := over.Value / under.Value
	return Estimate{q, math.Hypot(over.MOE, q*under.MOE) / math.Abs(under.Value)}
}
