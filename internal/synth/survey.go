package synth

import (
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/store"
)

// A Survey invents consistent tables of the American Community Survey. Parts add
// up to their totals, percentages are shares, and margins of error grow with the
// root of the estimate. A Survey is immutable.
type Survey struct {
	seed     uint64
	registry *acs.Registry
}

// NewSurvey returns the survey of a seed. If fields is nil, the built-in list is
// used.
func NewSurvey(seed uint64, fields *acs.Registry) *Survey {
	if fields == nil {
		fields = acs.BuiltIn()
	}
	return &Survey{seed, fields}
}

// A SurveyArea is an area with a row in the tables.
type SurveyArea struct {
	GEOID      uint64 // number of a ZCTA or tract
	Name       string
	Population int32 // of 2024
}

// A SurveyTable invents the rows of one profile and year.
type SurveyTable struct {
	survey *Survey
	layout store.ACSTable
	fields []*acs.Field
	keys   []uint64 // of the fields
	rules  []surveyRule
	parts  [][]int // columns of each split
	totals []int   // of each split

	brackets [][]surveyBracket // by column: the distribution that a median is of
}

// A surveyBracket is an interval of a distribution and the column that counts
// it.
type surveyBracket struct {
	acs.FieldBracket
	column int
}

// A surveyRule is the source of a column's estimate.
type surveyRule struct {
	kind surveyKind
	of   int // column or split
	base surveyBase
}

type surveyKind uint8

const (
	ofBase  surveyKind = iota // a part of the people, households or housing units
	ofSplit                   // one of the parts of a total
	ofShare                   // a part of another column
	ofCopy                    // another column again
	ofScale                   // not a count
)

type surveyBase uint8

const (
	people surveyBase = iota
	households
	units
)

// Table prepares the table of a profile and year. It has no columns if the list
// of fields has none.
func (s *Survey) Table(level store.ACSLevel, p acs.Profile, year int) *SurveyTable {
	t := &SurveyTable{survey: s, layout: s.registry.Layout(level, p, year), fields: s.registry.Columns(p, year)}
	at := map[string]int{}
	for i, f := range t.fields {
		at[f.Section+"."+f.Name] = i
		t.keys = append(t.keys, fieldKey(f))
	}
	t.rules = make([]surveyRule, len(t.fields))
	for i, f := range t.fields {
		r := &t.rules[i]
		base, again := strings.CutSuffix(f.Section+"."+f.Name, "_detail")
		of, known := at[base]
		switch {
		case f.Kind != acs.Count:
			*r = surveyRule{kind: ofScale}
		case again && known:
			*r = surveyRule{kind: ofCopy, of: of}
		case t.layout.Columns[i].Denominator >= 0:
			*r = surveyRule{kind: ofShare, of: t.layout.Columns[i].Denominator}
		default:
			*r = surveyRule{kind: ofBase, base: baseOf(f)}
		}
	}
	t.brackets = make([][]surveyBracket, len(t.fields))
	for i, f := range t.fields {
		for _, b := range f.Brackets(year) {
			if column, ok := at[strings.TrimPrefix(b.Field, f.Profile.String()+".")]; ok {
				t.brackets[i] = append(t.brackets[i], surveyBracket{b, column})
			}
		}
	}
	for _, id := range s.registry.Identities(p, year) {
		total := at[id.Total.Section+"."+id.Total.Name]
		var parts []int
		for _, f := range id.Parts {
			parts = append(parts, at[f.Section+"."+f.Name])
		}
		n := len(t.parts)
		t.parts, t.totals = append(t.parts, parts), append(t.totals, total)
		for _, i := range parts {
			if t.rules[i].kind != ofSplit {
				t.rules[i] = surveyRule{kind: ofSplit, of: n}
			}
		}
	}
	return t
}

// baseOf returns the base of a total, by its label.
func baseOf(f *acs.Field) surveyBase {
	label := strings.ToLower(f.Label[strings.LastIndex(f.Label, "!!")+1:])
	switch {
	case f.Name == "total_housing_units":
		return units
	case f.Profile == acs.Housing, strings.Contains(label, "household"), strings.Contains(label, "families"), strings.Contains(label, "units"):
		return households
	default:
		return people
	}
}

// Layout returns the columns of the table.
func (t *SurveyTable) Layout() store.ACSTable { return t.layout }

// uniform returns a number from 0 to 1 that is a hash of three numbers.
func (s *Survey) uniform(a, b, c uint64) float64 {
	return float64(hash(s.seed^a, b, c)>>11) / (1 << 53)
}

// fieldKey returns a number that identifies a field in all years.
func fieldKey(f *acs.Field) uint64 {
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range []byte(f.Key()) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// A surveyRow is a row under construction.
type surveyRow struct {
	t     *SurveyTable
	area  *SurveyArea
	cells []store.ACSCell
	done  []bool
	count [3]int32 // by base
	zero  int32    // margin of error of an estimate of zero
	year  uint64
}

// Row invents the row of an area. It reuses the slice cells.
func (t *SurveyTable) Row(area SurveyArea, cells []store.ACSCell) []store.ACSCell {
	n := len(t.fields)
	r := surveyRow{t: t, area: &area, cells: slices.Grow(cells[:0], n)[:n], done: make([]bool, n), year: uint64(t.layout.Year)}
	clear(r.cells)
	s := t.survey
	growth := 0.03*s.uniform(area.GEOID, 1, 0) - 0.01 // a year
	drift := 1 - float64(growth*float64(2024-t.layout.Year)) + float64(0.02*s.uniform(area.GEOID, 2, r.year))
	r.count[people] = int32(float64(area.Population) * drift)
	r.count[households] = int32(float64(r.count[people]) / (2.1 + float64(0.9*s.uniform(area.GEOID, 3, 0))))
	r.count[units] = r.count[households] + int32(float64(r.count[households])*0.3*s.uniform(area.GEOID, 4, 0))
	r.zero = 9 + int32(math.Sqrt(math.Sqrt(float64(area.Population)))) + int32(2*s.uniform(area.GEOID, 5, r.year))
	for i := range r.cells {
		r.estimate(i)
	}
	for i := range r.cells {
		r.margin(i)
	}
	var zero [256]int32
	for i := range r.cells {
		r.percent(i, &zero)
	}
	return r.cells
}

func (r *surveyRow) estimate(i int) int32 {
	if r.done[i] {
		return r.cells[i].Estimate.N
	}
	r.done[i] = true
	rule, f := r.t.rules[i], r.t.fields[i]
	s := r.t.survey
	n := int32(0)
	switch rule.kind {
	case ofBase:
		n = r.count[rule.base]
		if !total(f) {
			n = int32(float64(n) * (0.35 + float64(0.6*s.uniform(r.t.keys[i], 6, 0))))
		}
	case ofCopy:
		n = r.estimate(rule.of)
	case ofShare:
		n = int32(float64(r.estimate(rule.of)) * r.part(i))
	case ofSplit:
		r.split(rule.of)
		return r.cells[i].Estimate.N
	case ofScale:
		r.scale(i)
		return 0
	}
	r.cells[i].Estimate = figure(n)
	return n
}

func figure(n int32) store.ACSFigure { return store.ACSFigure{N: n, Mark: store.ACSNumber} }

// total reports whether a field counts its whole base.
func total(f *acs.Field) bool {
	switch f.Name {
	case "total_population", "total_housing_units", "total_households", "occupied_housing_units":
		return true
	default:
		return false
	}
}

// part returns the share of a field in its total, from 0.001 to 0.6. It varies
// by area and drifts from year to year.
func (r *surveyRow) part(i int) float64 {
	s, k := r.t.survey, r.t.keys[i]
	u := s.uniform(k, 7, 0)
	of := 0.001 + float64(0.6*float64(u*u*u))
	local := 0.4 + float64(1.2*s.uniform(k^r.area.GEOID, 8, 0))
	return min(float64(of*local)*(0.9+float64(0.2*s.uniform(k^r.area.GEOID, 9, r.year))), 1)
}

func (r *surveyRow) split(n int) {
	total := int64(r.estimate(r.t.totals[n]))
	parts := r.t.parts[n]
	weights := make([]int64, len(parts))
	sum, given := int64(0), int64(0)
	for k, i := range parts {
		weights[k] = 1 + int64(1e6*r.part(i))
		if r.t.rules[i].of != n { // already a part of another total
			weights[k], given = 0, given+int64(r.estimate(i))
		}
		sum += weights[k]
	}
	if sum == 0 {
		return
	}
	rest := max(total-given, 0)
	upTo := int64(0)
	for k, i := range parts {
		if r.t.rules[i].of != n {
			continue
		}
		before := rest * upTo / sum
		upTo += weights[k]
		r.done[i] = true
		r.cells[i].Estimate = figure(int32(rest*upTo/sum - before))
	}
}

// scale makes the figure of a field that is not a count.
func (r *surveyRow) scale(i int) {
	f, c := r.t.fields[i], &r.cells[i]
	s, k := r.t.survey, r.t.keys[i]
	x := store.ACSFigure{Mark: store.ACSNotApplicable}
	few, none := store.ACSFigure{Mark: store.ACSTooFewSamples}, store.ACSFigure{Mark: store.ACSNoMargin}
	missing := r.count[people] < 40+int32(200*s.uniform(k^r.area.GEOID, 10, r.year))
	level := 0.5 + float64(0.5*s.uniform(k, 11, 0)) + float64(0.5*s.uniform(k^r.area.GEOID, 12, 0)) + float64(0.04*s.uniform(k^r.area.GEOID, 13, r.year))
	if f.Kind == acs.PercentOnly {
		c.Estimate, c.MOE = x, x
		if c.Percent, c.PercentMOE = few, none; !missing {
			n := int32(120 * level)
			c.Percent, c.PercentMOE = figure(n), figure(n/4+10)
		}
		return
	}
	middle := 40_000.0 // dollars
	switch {
	case f.Name == "median_age":
		middle = 260
	case f.Kind == acs.Ratio:
		middle = 700
	case f.Name == "median_rooms":
		middle = 40
	case f.Name == "mean_travel_time_minutes":
		middle = 190
	case f.Decimals == 2: // persons
		middle = 180
	case f.Kind == acs.Rate:
		middle = 30
	case strings.Contains(f.Name, "mortgage"), f.Section == "rent":
		middle = 900
	case f.Section == "value":
		middle = 250_000
	}
	n := int32(middle * level)
	median, mark := r.median(i)
	switch {
	case missing || len(r.t.brackets[i]) > 0 && mark == acs.NotApplicable:
		c.Estimate, c.MOE = few, none
	case mark == acs.AtLeast || mark == acs.AtMost:
		c.Estimate, c.MOE = store.ACSFigure{N: median, Mark: mark}, store.ACSFigure{Mark: store.ACSOpenInterval}
	case mark == acs.Number:
		c.Estimate = figure(median)
		c.MOE = figure(1 + int32(float64(median)*(0.04+float64(0.15*s.uniform(k^r.area.GEOID, 15, r.year)))))
	case f.Kind == acs.Median && f.Decimals == 0 && s.uniform(k^r.area.GEOID, 14, r.year) < 0.01:
		c.Estimate, c.MOE = store.ACSFigure{N: int32(middle) * 5, Mark: store.ACSAtLeast}, store.ACSFigure{Mark: store.ACSOpenInterval}
	default:
		c.Estimate = figure(n)
		c.MOE = figure(1 + int32(float64(n)*(0.04+float64(0.15*s.uniform(k^r.area.GEOID, 15, r.year)))))
	}
}

// median returns the median of a column's distribution in units of its last
// decimal. The mark is NotApplicable if the distribution is missing or empty.
func (r *surveyRow) median(i int) (int32, acs.Mark) {
	var brackets []acs.Bracket
	for _, b := range r.t.brackets[i] {
		n := float64(r.estimate(b.column))
		brackets = append(brackets, acs.Bracket{Low: b.Low, High: b.High, OpenBelow: b.OpenBelow, Count: acs.Estimate{Value: n}})
	}
	m, mark := acs.MedianOfBrackets(brackets, 0, acs.Linear)
	if mark == acs.NotApplicable {
		return 0, mark
	}
	for range r.t.fields[i].Decimals {
		m.Value *= 10
	}
	return int32(math.Round(m.Value)), mark
}

func (r *surveyRow) margin(i int) {
	c, f := &r.cells[i], r.t.fields[i]
	if f.Kind != acs.Count {
		return
	}
	s, k := r.t.survey, r.t.keys[i]
	switch n := c.Estimate.N; {
	case r.t.rules[i].kind == ofCopy:
		c.MOE = r.cells[r.t.rules[i].of].MOE
	case n == 0:
		c.MOE = figure(r.zero)
	case f.Universe && s.uniform(r.area.GEOID, k, 16) < 0.002:
		c.MOE = store.ACSFigure{Mark: store.ACSControlled}
	default:
		c.MOE = figure(3 + int32(math.Sqrt(float64(n))*(5+float64(4*s.uniform(k^r.area.GEOID, 17, r.year)))))
	}
}

// percent makes the percentages of a share, and clears columns without data.
func (r *surveyRow) percent(i int, zero *[256]int32) {
	c, f := &r.cells[i], r.t.fields[i]
	col := &r.t.layout.Columns[i]
	if f.In(r.t.layout.Year) == acs.NoData {
		x := store.ACSFigure{Mark: store.ACSNotApplicable}
		*c = store.ACSCell{Estimate: x, MOE: x, Percent: x, PercentMOE: x}
		if col.Class == store.ACSPlain {
			c.Percent, c.PercentMOE = store.ACSFigure{}, store.ACSFigure{}
		}
		return
	}
	if col.Class != store.ACSShare {
		return
	}
	c.Percent, c.PercentMOE = store.ACSFigure{Mark: store.ACSTooFewSamples}, store.ACSFigure{Mark: store.ACSNoMargin}
	if col.Denominator < 0 {
		return
	}
	of := &r.cells[col.Denominator]
	p, ok := store.ACSPercent(c.Estimate.N, of.Estimate.N)
	if !ok || of.Estimate.Mark != store.ACSNumber {
		return
	}
	m := zero[col.Denominator]
	if c.Estimate.N > 0 {
		noise := 0.85 + float64(0.3*r.t.survey.uniform(r.t.keys[i]^r.area.GEOID, 18, r.year))
		m = max(1, int32(float64(store.ACSPercentMOE(c.Estimate.N, c.MOE.N, of.Estimate.N, of.MOE.N))*noise))
	} else if m == 0 {
		m = min(1000, 1800*r.zero/of.Estimate.N+1)
		zero[col.Denominator] = m
	}
	c.Percent, c.PercentMOE = figure(p), figure(m)
}
