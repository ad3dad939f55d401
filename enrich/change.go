package enrich

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// A change is a field of the survey in its newest year and in one before.
type change struct {
	field        *acs.Field
	since, until int // each the last of five years
}

// A survey is fields of the same two years, which one question answers; those
// in dollars aside, as years without prices have only them.
type survey struct {
	fields  []string
	changes []int // their numbers
	opt     postgeo.SeriesOptions
}

// period is how many years a figure of the survey is of: figures that are so
// many years apart have no samples in common.
const period = 5

// A changeMember is something that a comparison tells.
type changeMember struct {
	name  string
	typ   Type
	about string
	get   func(*acs.Comparison) Value
}

// changeMembers lists what a comparison tells; a path that says nothing means
// the first.
func changeMembers() []changeMember {
	number := func(v acs.Value) Value {
		if n, ok := v.Float64(); ok {
			return FloatValue(n)
		}
		return Value{}
	}
	return []changeMember{
		{"difference", Float, "the newest figure less that of five years before", func(c *acs.Comparison) Value { return number(c.Difference) }},
		{"difference_moe", Float, "its margin of error at 90 percent confidence", func(c *acs.Comparison) Value { return number(c.MOE) }},
		{"change_pct", Float, "the difference in percent of the earlier figure", func(c *acs.Comparison) Value { return number(c.Change) }},
		{"z", Float, "the difference in standard errors", func(c *acs.Comparison) Value { return FloatValue(c.Z) }},
		{"significant_90", Bool, "whether sampling alone does not explain it, at 90 percent confidence", func(c *acs.Comparison) Value { return BoolValue(c.At90) }},
		{"significant_95", Bool, "at 95 percent", func(c *acs.Comparison) Value { return BoolValue(c.At95) }},
		{"significant_99", Bool, "at 99 percent", func(c *acs.Comparison) Value { return BoolValue(c.At99) }},
	}
}

// resolveChange resolves [YEAR.]profile.section.field[.difference|…].
func resolveChange(segs []string, s surveyYears) (target, bool) {
	members := changeMembers()
	member := &members[0]
	var f figure
	segs = f.cutYear(segs, s)
	const named = 3 // profile, section, field
	if len(segs) == named+1 {
		i := slices.IndexFunc(members, func(m changeMember) bool { return m.name == segs[named] })
		if i < 0 {
			return target{}, false
		}
		member, segs = &members[i], segs[:named]
	}
	field, ok := acs.FieldByKey(strings.Join(segs, "."))
	c := change{field, f.year, s.last}
	if c.since == 0 {
		c.since = s.last - period
	}
	if !ok || c.since >= s.last {
		return target{}, false
	}
	return target{root: root{name: "acs.change", by: byChange}, node: node{typ: member.typ}, change: c, tells: member.get}, true
}

// addChange has rows compare what a field tells of.
func (e *Enricher) addChange(t *target) {
	at := slices.Index(e.changes, t.change)
	if at < 0 {
		at = len(e.changes)
		e.changes = append(e.changes, t.change)
		s := e.survey(&t.change)
		s.fields, s.changes = append(s.fields, t.change.field.Key()), append(s.changes, at)
	}
	tells := t.tells
	t.value = func(a *answers) Value {
		if at >= len(a.changes) || a.changes[at] == nil {
			return Value{}
		}
		return tells(a.changes[at])
	}
}

// survey returns the question that a change is asked in.
func (e *Enricher) survey(c *change) *survey {
	opt := postgeo.SeriesOptions{Years: []int{c.since, c.until}}
	if c.field.Dollars() {
		opt.Dollars = acs.NewestDollars
	}
	for i := range e.surveys {
		if s := &e.surveys[i]; slices.Equal(s.opt.Years, opt.Years) && s.opt.Dollars == opt.Dollars {
			return s
		}
	}
	e.surveys = append(e.surveys, survey{opt: opt})
	return &e.surveys[len(e.surveys)-1]
}

// compare asks for the changes of a row's ZIP Code Tabulation Area. That one
// cannot be told, for want of the area, of a figure or of its margin, is told.
func (e *Enricher) compare(ctx context.Context, a *answers, out *Outcome) error {
	if len(e.changes) == 0 {
		return nil
	}
	area := a.identity.Code
	if a.identity.CodeType == lookup.ZIP4 {
		area = a.identity.ParentCode
	} else if a.identity.CodeType != lookup.ZIP {
		out.tell(string(envelope.EnrichmentUnavailable))
		return nil
	}
	a.changes = make([]*postgeo.SurveyComparison, len(e.changes))
	for i := range e.surveys {
		s := &e.surveys[i]
		lines, err := e.db.SurveySeries(ctx, []string{area}, s.fields, s.opt)
		switch {
		case errors.Is(err, acs.ErrNoPriceIndex):
			out.tell(string(envelope.EnrichmentUnavailable))
			continue
		case err != nil:
			return err
		}
		for k := range lines {
			years := lines[k].Points // ascending
			c, err := acs.Compare(years[0], years[1], true, false)
			switch {
			case errors.Is(err, acs.ErrNotComparable):
				out.tell(string(envelope.EnrichmentUnavailable))
			case err != nil:
				return err
			default:
				a.changes[s.changes[k]] = c
			}
		}
	}
	return nil
}

// changeFields lists what the catalogue has of changes.
func changeFields() []Field {
	about := changeMembers()[0].about
	var list []Field
	for _, f := range acs.Fields(acs.Query{}) {
		list = append(list, Field{"acs.change." + f.Key(), Float, byChange.String(), f.Label + ": " + about})
	}
	return list
}
