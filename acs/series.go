package acs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/store"
)

// ParseFields returns the fields with the given full names. Errors match
// [envelope.ErrInvalidParam] and suggest similar names.
func ParseFields(keys ...string) ([]*Field, error) {
	list := make([]*Field, 0, len(keys))
	for _, key := range keys {
		f, ok := FieldByKey(key)
		if !ok {
			return nil, &envelope.Failure{
				Op: "survey", Kind: envelope.KindInvalidParam, Param: "fields", Input: key, Detail: fmt.Sprintf("unknown field: %.80q; %s", key, like(key)),
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// like suggests fields with a similar name: those with the same or a nearly
// equal last part, else those with its words, nearest first.
func like(key string) string {
	const most, typos, short = 3, 2, 4
	name := strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])
	served := Fields(Query{Served: true})
	var found []*Field
	for away := 0; away <= typos && found == nil && (away == 0 || len(name) > short); away++ {
		for _, f := range served {
			if edit.Distance(name, f.Name, away) == away {
				found = append(found, f)
			}
		}
	}
	if found == nil && len(name) >= short {
		found = Fields(Query{Text: strings.ReplaceAll(name, "_", " "), Served: true})
	}
	if len(found) == 0 {
		return "expected a full name such as economic.income.median_household_income"
	}
	// A bare word such as "income" has no distance to full names. People mostly mean the
	// median of it.
	away := func(f *Field) int {
		switch named := strings.Contains(f.Name, name); {
		case name != strings.ToLower(key):
			return edit.Distance(strings.ToLower(key), f.Key(), edit.Longest)
		case named && f.Kind == Median:
			return 0
		case named:
			return 1
		default: // in its label or section
			return 2
		}
	}
	slices.SortStableFunc(found, func(a, b *Field) int { return cmp.Compare(away(a), away(b)) })
	var names []string
	for _, f := range found[:min(most, len(found))] {
		names = append(names, f.Key())
	}
	return "did you mean " + strings.Join(names, ", ") + "?"
}

// A Line is one field of an area, or of several together, over the years.
type Line struct {
	Area   string   `json:"area"`            // code of the area, or a name for several
	Level  string   `json:"geography_level"` // kind of area
	Field  string   `json:"field"`           // full name
	Label  string   `json:"label"`           // title of the field
	Points []Figure `json:"points"`          // ascending years, those without a figure included
	Notes  []string `json:"notes,omitempty"` // obstacles to comparing the years
}

// SeriesOptions configures a series.
type SeriesOptions struct {
	FigureOptions
	// Years lists the years in any order; empty means all years of the level.
	Years []int
}

// years returns the years in ascending order, each once.
func (r *Reader) years(l Level, want []int) []int {
	years := slices.Clone(want)
	if len(years) == 0 {
		years = r.yearsOf(l)
	}
	slices.Sort(years)
	return slices.Compact(years)
}

// Series returns a line for each field of each area. Areas have the form that
// [ParseArea] accepts. Errors match [envelope.ErrInvalidCode] or [ErrNoPriceIndex], or
// come from the context or the dataset.
func (r *Reader) Series(ctx context.Context, areas []string, fields []*Field, opt SeriesOptions) ([]Line, error) {
	var lines []Line
	for _, code := range areas {
		l, geoid, err := ParseArea(code)
		if err != nil {
			return nil, err
		}
		of, err := r.SeriesOf(ctx, code, l, []Part{{GEOID: geoid, Percent: 100}}, fields, opt)
		if err != nil {
			return nil, envelope.Wrap("area "+code, err)
		}
		lines = append(lines, of...)
	}
	return lines, nil
}

// SeriesOf returns a line for each field over the parts together. The caller
// chooses the name. It returns the errors of [Reader.Series].
func (r *Reader) SeriesOf(ctx context.Context, name string, l Level, parts []Part, fields []*Field, opt SeriesOptions) ([]Line, error) {
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	years := r.years(l, opt.Years)
	figures, err := r.figures(ctx, l, parts, fields, years, opt.FigureOptions)
	if err != nil {
		return nil, err
	}
	var drawn []string
	if parts = counted(parts, opt.Whole); len(parts) > 0 && len(years) > 0 {
		if drawn, err = r.boundaryNotes(ctx, l, parts, years); err != nil {
			return nil, err
		}
	}
	lines := make([]Line, len(fields))
	for i, f := range fields {
		line := &lines[i]
		*line = Line{Area: name, Level: l.String(), Field: f.Key(), Points: make([]Figure, 0, len(years)), Notes: slices.Clone(drawn)}
		for k := range years {
			line.Points = append(line.Points, figures[k*len(fields)+i])
		}
		line.Label = f.LabelIn(line.dollars())
		if f.Note != "" {
			line.Notes = append(line.Notes, "The Census Bureau's table: "+f.Note+".")
		}
	}
	return lines, nil
}

// dollars returns the year of all points' dollars, or 0 if there are none or
// several.
func (l *Line) dollars() int {
	year := 0
	for i := range l.Points {
		switch y := l.Points[i].Dollars; {
		case y == 0:
		case year == 0:
			year = y
		case year != y:
			return 0
		}
	}
	return year
}

// firstOf2020 is the first year with areas of the census of 2020. Earlier years
// have areas of 2010.
const firstOf2020 = 2020

// boundaryNotes returns notes about areas that were redrawn between the years.
func (r *Reader) boundaryNotes(ctx context.Context, l Level, parts []Part, years []int) ([]string, error) {
	known := r.known(l, parts)
	before, err := r.inTables(ctx, l, known.positions, func(year int) bool { return year < firstOf2020 })
	if err != nil {
		return nil, err
	}
	since, err := r.inTables(ctx, l, known.positions, func(year int) bool { return year >= firstOf2020 })
	if err != nil {
		return nil, err
	}
	spans := years[0] < firstOf2020 && years[len(years)-1] >= firstOf2020
	var both, old, young int
	for i := range known.positions {
		switch {
		case before[i] && since[i]:
			both++
		case before[i]:
			old++
		case since[i]:
			young++
		}
	}
	// An area that is missing in the tables of one census was not drawn, if there are tables
	// at all. They may also be of one state, which the notes allow for (D33).
	holdsBoth := r.holds(l, func(year int) bool { return year < firstOf2020 }) && r.holds(l, func(year int) bool { return year >= firstOf2020 })
	one := len(parts) == 1
	var notes []string
	note := func(n int, single, several string) {
		switch {
		case n == 0:
		case one:
			notes = append(notes, single)
		default:
			notes = append(notes, fmt.Sprintf(several, n, len(parts)))
		}
	}
	if spans {
		note(both, "Figures to 2019 are of the area of the 2010 census, later ones of that of 2020; its boundary may have moved.",
			"%d of %d areas have figures to 2019 by the boundaries of the 2010 census and later ones by those of 2020, which may differ.")
	}
	if holdsBoth {
		note(old, "The area is in tables to 2019 only: the census of 2020 drew no such area, or the later tables of this dataset lack it.",
			"%d of %d areas are in tables to 2019 only: the census of 2020 drew no such areas, or the later tables of this dataset lack them.")
		note(young, "The area is in tables from 2020 on only: the census of 2010 drew no such area, or the earlier tables of this dataset lack it.",
			"%d of %d areas are in tables from 2020 on only: the census of 2010 drew no such areas, or the earlier tables of this dataset lack them.")
	}
	return notes, nil
}

// holds reports whether the dataset has tables of a level in any of the years.
func (r *Reader) holds(l Level, of func(year int) bool) bool {
	return slices.ContainsFunc(r.yearsOf(l), of)
}

// inTables reports by position whether a table of the years contains the area.
// Most areas are in the first table; the others are read for the rest only. Segments that
// the figures brought into memory answer without reading; other areas are read as rows.
func (r *Reader) inTables(ctx context.Context, l Level, positions []uint32, of func(year int) bool) ([]bool, error) {
	in := make([]bool, len(positions))
	missing := make([]int, len(positions))
	for i := range missing {
		missing[i] = i
	}
	for _, year := range r.yearsOf(l) {
		for _, p := range AllProfiles() {
			t := r.table(l, p, year)
			if t == nil || !of(year) || len(missing) == 0 {
				continue
			}
			if err := r.seek(ctx, t, positions, missing, in); err != nil {
				return nil, fmt.Errorf("acs: %s: %w", t.ACSTable, err)
			}
			missing = slices.DeleteFunc(missing, func(i int) bool { return in[i] })
		}
	}
	return in, nil
}

// seek records the missing positions that a table contains, by the segments in
// memory or else by its rows.
func (r *Reader) seek(ctx context.Context, t *table, positions []uint32, missing []int, in []bool) error {
	var unread []int
	var at []uint32 // positions of unread
	for from := 0; from < len(missing); {
		segment := positions[missing[from]] / store.ACSSegmentAreas
		s, err := r.data.ACSSegment(ctx, &t.estimates, segment, false)
		if err != nil {
			return err
		}
		for ; from < len(missing) && positions[missing[from]]/store.ACSSegmentAreas == segment; from++ {
			i := missing[from]
			if s == nil {
				unread, at = append(unread, i), append(at, positions[i])
			} else if s.Rows().Has(int(positions[i] % store.ACSSegmentAreas)) {
				in[i] = true
			}
		}
	}
	return r.data.ACSRows(ctx, t.ACSTable, at, func(k int, _ *store.ACSRow) error {
		in[unread[k]] = true
		return nil
	})
}
