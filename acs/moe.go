package acs

import (
	"math"
)

// The standard errors in a margin of error at 90, 95 and 99 percent
// confidence. The Census Bureau's margins are at 90 percent, with 1.645.
const (
	z90 = 1.645
	z95 = 1.960
	z99 = 2.576
)

// An estimate is a figure with its margin of error at 90 percent confidence. An
// unknown margin is NaN; that of a controlled estimate is 0. The formulas are
// from the Census Bureau's handbook "Understanding and Using American Community
// Survey Data: What All Data Users Need to Know", chapter 8. They assume
// independent estimates, which is nearly true of neighboring areas.
type estimate struct {
	Value float64
	MOE   float64
}

// standardError returns the margin of error divided by 1.645.
func (e estimate) standardError() float64 { return e.MOE / z90 }

// cv returns the coefficient of variation, the standard error in percent of the
// value, or NaN if the value is 0 or the margin unknown.
func (e estimate) cv() float64 {
	if e.Value == 0 {
		return math.NaN()
	}
	return 100 * e.standardError() / math.Abs(e.Value)
}

// scale returns the estimate multiplied by a number that has no error.
func (e estimate) scale(by float64) estimate {
	return estimate{by * e.Value, math.Abs(by) * e.MOE}
}

// sumOf returns the sum of estimates. Its margin is the root of the sum of the
// squared margins; among estimates of 0 only the largest margin counts.
func sumOf(of ...estimate) estimate {
	var s sum
	for _, e := range of {
		s.add(e)
	}
	return s.estimate()
}

// A sum accumulates the sum of estimates.
type sum struct {
	value, squares, zero float64
}

func (s *sum) add(e estimate) {
	s.value += e.Value
	if e.Value != 0 {
		s.squares += e.MOE * e.MOE
	} else {
		s.zero = max(s.zero, e.MOE) // NaN if either is
	}
}

func (s *sum) estimate() estimate { return estimate{s.value, math.Sqrt(s.squares + s.zero*s.zero)} }

// difference returns a - b.
func difference(a, b estimate) estimate {
	return estimate{a.Value - b.Value, math.Hypot(a.MOE, b.MOE)}
}

// proportion returns part divided by the whole that contains it, 0 to 1. If the
// formula has no real root, that of quotient applies, as in the handbook. A
// whole of 0 gives NaN.
func proportion(part, whole estimate) estimate {
	p := part.Value / whole.Value
	radicand := part.MOE*part.MOE - p*p*whole.MOE*whole.MOE
	if radicand < 0 {
		return quotient(part, whole)
	}
	return estimate{p, math.Sqrt(radicand) / math.Abs(whole.Value)}
}

// quotient returns one estimate divided by another that does not contain it.
// A divisor of 0 gives NaN.
func quotient(over, under estimate) estimate {
	q := over.Value / under.Value
	return estimate{q, math.Hypot(over.MOE, q*under.MOE) / math.Abs(under.Value)}
}

// Reliability classifies an estimate by its coefficient of variation. The
// Census Bureau sets no limits; these are the limits that Esri uses for
// estimates of the survey. The National Research Council ("Using the American
// Community Survey", 2007) puts the bound of a reasonably precise estimate at
// 10 to 12 percent.
type Reliability string

// The classes of reliability.
const (
	Unrated           Reliability = ""       // no coefficient: the estimate is 0, or the margin is not known
	HighReliability   Reliability = "high"   // at most 12 percent
	MediumReliability Reliability = "medium" // at most 40 percent: to be used with caution
	LowReliability    Reliability = "low"    // more than 40 percent
)

// The greatest coefficients of variation of the classes, in percent.
const (
	highCV   = 12
	mediumCV = 40
)

// reliabilityOf returns the class of a coefficient of variation in percent.
func reliabilityOf(cv float64) Reliability {
	switch {
	case math.IsNaN(cv):
		return Unrated
	case cv <= highCV:
		return HighReliability
	case cv <= mediumCV:
		return MediumReliability
	default:
		return LowReliability
	}
}
