package acs

import (
	"math"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/envelope"
)

// A Part is an area of an aggregate and its weight.
type Part struct {
	GEOID   uint64  // the area's digits as a number
	Percent float64 // 0 to 100; only its first decimal counts
}

// A Weighting describes the weights of parts.
type Weighting uint8

// The weightings.
const (
	InFull  Weighting = iota // every part in full
	ByShare                  // a part by the share of its area; in full if it has no area
)

// An Aggregate is one year of several areas together, the contract's block of
// stats.acs. Its metrics have an estimate, and a percentage if the field has
// one. They have no margins of error and no columns.
type Aggregate struct {
	Source      string
	Product     string
	Year        int       // last of the five years
	Current     bool      // the newest year of the dataset
	WithData    int       // parts with figures in any requested profile
	WithoutData int       // the other parts
	Weighting   Weighting // described by [Aggregate.Note]

	Profiles // nil if not requested, or if no part has figures
}

// Key returns the aggregate's key among the years: "current" for the newest
// one, otherwise the year.
func (a *Aggregate) Key() string { return yearKey(a.Year, a.Current) }

// Vintage returns the five years of the estimates, e.g. "2018-2022".
func (a *Aggregate) Vintage() string { return Vintage(a.Year) }

// CoveragePercent returns the percentage of parts that have figures, with 1
// decimal, or 0 without parts.
func (a *Aggregate) CoveragePercent() float64 {
	if a.WithData == 0 {
		return 0
	}
	return math.Round(1000*float64(a.WithData)/float64(a.WithData+a.WithoutData)) / 10
}

// Note describes the computation of the figures: the weights of parts, and the
// treatment of counts, medians, rates and margins of error.
func (a *Aggregate) Note() string {
	weighting := "Every ZIP Code whose point lies inside counts in full."
	if a.Weighting == ByShare {
		weighting = "ZIP Codes count by the share of their area inside (pct_inside), those that are points in full."
	}
	return strings.Join([]string{
		weighting,
		"Counts are summed.",
		"Medians and means are weighted by the people, households or homes that they describe.",
		"Rates and percentages are recomputed from the sums, or weighted by their universe where their parts are not published.",
		"No margins of error are given.",
	}, " ")
}

// AppendJSON implements [envelope.Appender].
func (a *Aggregate) AppendJSON(dst []byte) ([]byte, error) {
	dst = appendHead(dst, a.Source, a.Product, a.Year)
	dst = strconv.AppendInt(append(dst, `,"zips_with_acs_data":`...), int64(a.WithData), 10)
	dst = strconv.AppendInt(append(dst, `,"zips_without_acs_data":`...), int64(a.WithoutData), 10)
	dst = strconv.AppendFloat(append(dst, `,"coverage_pct":`...), a.CoveragePercent(), 'f', -1, 64)
	dst = envelope.AppendString(append(dst, `,"aggregation_note":`...), a.Note())
	for _, p := range AllProfiles() {
		dst = a.appendMember(dst, p)
	}
	return append(dst, '}'), nil
}

// MarshalJSON implements [encoding/json.Marshaler].
func (a *Aggregate) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil) }

// Aggregates holds the years of the same areas, newest first. Its JSON is an
// object with a member per year, like that of [Years].
type Aggregates []Aggregate

// AppendJSON implements [envelope.Appender].
func (y Aggregates) AppendJSON(dst []byte) ([]byte, error) {
	return appendYears(dst, len(y), func(i int) yearBlock { return &y[i] })
}

// MarshalJSON implements [encoding/json.Marshaler].
func (y Aggregates) MarshalJSON() ([]byte, error) { return y.AppendJSON(nil) }

// Year returns the aggregate of a year, or nil.
func (y Aggregates) Year(year int) *Aggregate {
	for i := range y {
		if y[i].Year == year {
			return &y[i]
		}
	}
	return nil
}
