package enrich

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
)

// holdings are the first and the last year of the survey in a dataset.
type holdings struct{ first, last int }

// A figure is a number of a metric of the survey.
type figure struct {
	year  int // 0 is the newest
	field *acs.Field
	of    func(*acs.Metric) Value
	typ   Type
}

// parseFigure parses [current|YYYY].profile.section.field[.est|moe|pct|…].
func parseFigure(segs []string, s holdings, aggregate bool) (figure, bool) {
	var f figure
	segs = f.cutYear(segs, s)
	const named = 3 // profile, section, field
	if len(segs) < named || len(segs) > named+1 {
		return f, false
	}
	var ok bool
	if f.field, ok = acs.FieldByKey(strings.Join(segs[:named], ".")); !ok {
		return f, false
	}
	what := "est"
	if len(segs) > named {
		what = segs[named]
	}
	number := func(v func(*acs.Metric) acs.Value) {
		f.typ, f.of = Float, func(m *acs.Metric) Value {
			if n, ok := v(m).Float64(); ok {
				return FloatValue(n)
			}
			return Value{}
		}
	}
	switch {
	case what == "est":
		number(func(m *acs.Metric) acs.Value { return m.Estimate })
	case what == "pct":
		number(func(m *acs.Metric) acs.Value { return m.Percent })
	case aggregate: // has neither margins nor columns
		return f, false
	case what == "moe":
		number(func(m *acs.Metric) acs.Value { return m.MOE })
	case what == "pct_moe":
		number(func(m *acs.Metric) acs.Value { return m.PercentMOE })
	case what == "column":
		f.typ, f.of = String, func(m *acs.Metric) Value { return StringValue(m.Column()) }
	default:
		return f, false
	}
	return f, true
}

// cutYear parses the year at the beginning of a path. It returns nil for a year
// out of range.
func (f *figure) cutYear(segs []string, s holdings) []string {
	if len(segs) == 0 {
		return nil
	}
	if segs[0] == current {
		return segs[1:]
	}
	if year, err := strconv.Atoi(segs[0]); err == nil {
		if year < s.first || year > s.last {
			return nil
		}
		f.year = year
		return segs[1:]
	}
	return segs
}

func (f *figure) tag() acs.Tag { return acs.Tag{Profile: f.field.Profile, Year: uint16(f.year)} }

// value reads the figure of one area's or aggregate's profiles.
func (f *figure) value(p *acs.Profiles) Value {
	if m := p.Metric(f.field); !m.IsZero() {
		return f.of(&m)
	}
	return Value{}
}

func compileYears(segs []string, s holdings) (node, bool) {
	f, ok := parseFigure(segs, s, false)
	if !ok {
		return node{}, false
	}
	return node{typ: f.typ, tags: []acs.Tag{f.tag()}, get: func(v reflect.Value) Value {
		years := v.Interface().(acs.Years) // the type is its
		for i := range years {
			if b := &years[i]; f.year == b.Year || f.year == 0 && b.Current {
				return f.value(&b.Profiles)
			}
		}
		return Value{}
	}}, true
}

// compileAggregates compiles a figure of several areas together.
func compileAggregates(segs []string, s holdings) (node, bool) {
	f, ok := parseFigure(segs, s, true)
	if !ok {
		return node{}, false
	}
	return node{typ: f.typ, tags: []acs.Tag{f.tag()}, get: func(v reflect.Value) Value {
		years := v.Interface().(acs.Aggregates) // the type is its
		for i := range years {
			if a := &years[i]; f.year == a.Year || f.year == 0 && a.Current {
				return f.value(&a.Profiles)
			}
		}
		return Value{}
	}}, true
}
