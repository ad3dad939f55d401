package store

import (
	"github.com/postgeo/postgeo/internal/store/internal/survey"
)

type (
	// ACSLevel is a sort of area of the survey.
	ACSLevel = survey.Level
	// ACSMark is the sort of a published figure: a number, a bound, or a reason for none.
	ACSMark = survey.Mark
	// ACSFigure is a number or the mark in its place.
	ACSFigure = survey.Figure
	// ACSCell has the figures of one row and one column.
	ACSCell = survey.Cell
	// ACSClass is the set of figures of a column.
	ACSClass = survey.Class
	// ACSColumn is a column of a table.
	ACSColumn = survey.Column
	// ACSTable is one profile of one year for one level.
	ACSTable = survey.Table
	// ACSTableID identifies a table of a Writer.
	ACSTableID = survey.TableID
	// ACSRow is a row as it is stored.
	ACSRow = survey.Row
	// ACSAreaSet is a set of areas of one segment.
	ACSAreaSet = survey.AreaSet
	// ACSSelection selects figures of a table.
	ACSSelection = survey.Selection
	// ACSSegment holds the figures of one segment of a selection.
	ACSSegment = survey.Segment
	// ACSWeights has a weight for each area of a segment.
	ACSWeights = survey.Weights
)

// The levels.
const (
	ACSZCTA  = survey.ZCTA
	ACSTract = survey.Tract
)

// The marks.
const (
	ACSAbsent        = survey.Absent
	ACSNumber        = survey.Number
	ACSAtLeast       = survey.AtLeast
	ACSAtMost        = survey.AtMost
	ACSNotApplicable = survey.NotApplicable
	ACSTooFewSamples = survey.TooFewSamples
	ACSTooFewCases   = survey.TooFewCases
	ACSNoMargin      = survey.NoMargin
	ACSOpenInterval  = survey.OpenInterval
	ACSControlled    = survey.Controlled
	ACSFiltered      = survey.Filtered
)

// The classes of columns.
const (
	ACSPlain       = survey.Plain
	ACSShare       = survey.Share
	ACSPercentOnly = survey.PercentOnly
)

// Of the survey.
const (
	ACSSegmentAreas  = survey.SegmentAreas  // areas of a segment
	DefaultACSMemory = survey.DefaultMemory // bytes of segments that are kept
	SectionSurvey    = survey.SectionSurvey // all tables
)

// ACSPercent returns the share of a part in tenths of a percent, as it is
// published. It is false for a negative part and a total that is not positive.
func ACSPercent(part, total int32) (int32, bool) { return survey.Percent(part, total) }

// ACSPercentMOE returns the margin of error of a share in tenths of a percent.
// The total is positive.
func ACSPercentMOE(part, partMOE, total, totalMOE int32) int32 {
	return survey.PercentMOE(part, partMOE, total, totalMOE)
}
