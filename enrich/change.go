package enrich

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// A change is a field of the survey in its newest year and in one before.
type change struct {
	field        *acs.Field
	since, until int // each the last of five years
}

// A survey is fields of the same two years, read together. Fields in dollars
// are separate, because not every year has prices.
type survey struct {
	fields  []string
	changes []int // their numbers
	opt     acs.SeriesOptions
}

// period is the number of years of a figure of the survey. Figures that many
// years apart have no samples in common.
const period = 5

// A changeMember is a member of a comparison.
type changeMember struct {
	name  string
	typ   Type
	about string
	get   func(*acs.Comparison) Value
}

// changeMembers lists the members of a comparison. The first is the default.
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
func resolveChange(segs []string, s holdings) (target, bool) {
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
	c.since = cmp.Or(c.since, s.last-period)
	if !ok || c.since >= s.last {
		return target{}, false
	}
	return target{root: root{name: "acs.change", by: byChange}, node: node{typ: member.typ}, change: c, member: member.get}, true
}

// addChange adds the comparison of a field to the rows.
func (e *Enricher) addChange(t *target) {
	at := slices.Index(e.changes, t.change)
	if at < 0 {
		at = len(e.changes)
		e.changes = append(e.changes, t.change)
		s := e.survey(&t.change)
		s.fields, s.changes = append(s.fields, t.change.field.Key()), append(s.changes, at)
	}
	member := t.member
	t.value = func(a *results) Value {
		if at >= len(a.changes) || a.changes[at] == nil {
			return Value{}
		}
		return member(a.changes[at])
	}
}

func (e *Enricher) survey(c *change) *survey {
	opt := acs.SeriesOptions{Years: []int{c.since, c.until}}
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

// compare computes the changes of a row's ZIP Code Tabulation Area. If one
// lacks its area, a figure or its margin, the outcome has the reason.
func (e *Enricher) compare(ctx context.Context, a *results, out *Outcome) error {
	if len(e.changes) == 0 {
		return nil
	}
	area := a.identity.Code
	if a.identity.CodeType == lookup.ZIP4 {
		area = a.identity.ParentCode
	} else if a.identity.CodeType != lookup.ZIP {
		out.addReason(string(envelope.EnrichmentUnavailable))
		return nil
	}
	a.changes = make([]*acs.Comparison, len(e.changes))
	for i := range e.surveys {
		s := &e.surveys[i]
		lines, err := e.db.ACSSeries(ctx, []string{area}, s.fields, s.opt)
		switch {
		case errors.Is(err, acs.ErrNoPriceIndex):
			out.addReason(string(envelope.EnrichmentUnavailable))
			continue
		case err != nil:
			return err
		}
		for k := range lines {
			years := lines[k].Points // ascending
			c, err := acs.Compare(years[0], years[1], true, false)
			switch {
			case errors.Is(err, acs.ErrNotComparable):
				out.addReason(string(envelope.EnrichmentUnavailable))
			case err != nil:
				return err
			default:
				a.changes[s.changes[k]] = c
			}
		}
	}
	return nil
}

func changeFields() []Field {
	about := changeMembers()[0].about
	var list []Field
	for _, f := range acs.Fields(acs.Query{}) {
		list = append(list, Field{"acs.change." + f.Key(), Float, byChange.String(), f.Label + ": " + about})
	}
	return list
}
