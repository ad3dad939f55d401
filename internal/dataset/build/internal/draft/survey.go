package draft

import "github.com/postgeo/postgeo/internal/dataset/build/source"

// People are the counts of people by area.
type People struct{ Counts SurveyCounts }

// Of returns the people of an area.
func (p *People) Of(level source.SummaryLevel, geoid string) (int32, bool) {
	c, ok := p.Counts[SurveyArea{level, geoid}]
	return c.N, ok
}

// A SurveyCount is a number of people or homes from the American Community
// Survey of the five years that end with Year.
type SurveyCount struct {
	N      int32
	Year   int
	Source string // identifier
}

// SurveyCounts holds counts by area.
type SurveyCounts map[SurveyArea]SurveyCount

// A SurveyArea is an area of the American Community Survey.
type SurveyArea struct {
	Level source.SummaryLevel
	GEOID string
}

// Put sets the count of an area unless it has a newer one.
func (s SurveyCounts) Put(area SurveyArea, c SurveyCount) {
	if s[area].Year <= c.Year {
		s[area] = c
	}
}
