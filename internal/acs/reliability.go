package acs

import (
	"math"

	"github.com/postgeo/postgeo/internal/enum"
)

// Reliability classifies an estimate by its coefficient of variation. The
// Census Bureau sets no limits; these are the limits that Esri uses for
// estimates of the survey. The National Research Council ("Using the American
// Community Survey", 2007) puts the bound of a reasonably precise estimate at
// 10 to 12 percent.
type Reliability uint8

// The classes of reliability.
const (
	Unrated           Reliability = iota // no coefficient: the estimate is 0, or the margin is not known
	HighReliability                      // at most 12 percent
	MediumReliability                    // at most 40 percent: to be used with caution
	LowReliability                       // more than 40 percent
)

// The greatest coefficients of variation of the classes, in percent.
const (
	highCV   = 12
	mediumCV = 40
)

// ReliabilityOf returns the class of a coefficient of variation in percent.
func ReliabilityOf(cv float64) Reliability {
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

var reliabilityNames = enum.Names[Reliability]{HighReliability: "high", MediumReliability: "medium", LowReliability: "low"}

// String returns "high", "medium" or "low"; "" for Unrated.
func (r Reliability) String() string { return reliabilityNames.Shown("Reliability", r) }

// MarshalText returns String.
func (r Reliability) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
