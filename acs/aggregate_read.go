package acs

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/store"
)

// Aggregate reads the requested profiles of the parts and computes each field over all of
// them. Tags are delivered if any part has figures. Equivalent tags count once; a repeated
// part counts twice.
//
// Counts are summed. The other fields are weighted by [Field.Weight] or are
// quotients of sums. Both may need tables of other profiles of the same year;
// if the dataset lacks them, the estimate is null. Withheld figures are left
// out together with their divisors. A bound counts as its number.
func (r *Reader) Aggregate(ctx context.Context, l Level, parts []Part, tags []Tag, byShare bool, opt Options) (years Years[Aggregate], delivered, unavailable []Tag, err error) {
	if err := r.load(ctx); err != nil {
		return nil, nil, nil, err
	}
	tags = r.normalize(l, tags)
	known := r.known(l, parts)
	whole := r.fits(l, tags, &known)
	room := &aggregateRoom{}
	for len(tags) > 0 {
		n := 1
		for n < len(tags) && tags[n].Year == tags[0].Year {
			n++
		}
		y, err := r.newSums(ctx, l, tags[:n], &known, room, opt)
		if err == nil {
			err = y.read(ctx, whole)
		}
		if err != nil {
			return nil, nil, nil, fmt.Errorf("acs: aggregate of %d: %w", cmp.Or(tags[0].Year, r.newest(l)), err)
		}
		a := Aggregate{Source: r.source, Product: product, Year: y.year, Current: tags[0].Year == 0, ByShare: byShare}
		for _, tag := range tags[:n] {
			if y.finish(&a.Profiles, tag.Profile) {
				delivered = append(delivered, tag)
			} else {
				unavailable = append(unavailable, tag)
			}
		}
		if !a.empty() {
			for _, has := range y.has {
				if has {
					a.WithData++
				}
			}
			a.WithoutData = len(parts) - a.WithData
			years = append(years, a)
		}
		tags = tags[n:]
	}
	return years, delivered, unavailable, nil
}

// sums accumulates one year of an aggregate. newSums chooses the columns, read adds up the
// parts, and finish divides.
type sums struct {
	year    int
	opt     Options
	reader  *Reader
	parts   *knownParts
	has     []bool // by part: whether a requested table has it; borrowed ones don't count
	tables  [Housing + 1]*tableSums
	columns map[int16]figures // of the fields used as weights, by their positions in the built-in list
	// borrowed holds columns of tables that were not requested, by profile.
	borrowed [Housing + 1][]kept
	room     *aggregateRoom
}

func (r *aggregateRoom) rowOf(t *table) []store.ACSFigure {
	r.row = slices.Grow(r.row[:0], len(t.Columns))
	return r.row[:len(t.Columns)]
}

// An aggregateRoom holds buffers that the years of an aggregate share. Years are computed one
// after the other, and each needs a column for every field that is not a sum, of four bytes
// per part: 135 kB for all 33,800 areas.
type aggregateRoom struct {
	row     []store.ACSFigure
	columns [][]int32 // of figures by part
	taken   int       // of them, by this year
}

// figures holds the figures of one field by part, in fractions of unit;
// unknownCount if a part has none.
type figures struct {
	n    []int32
	unit float64
}

// tableSums are the sums of one table.
type tableSums struct {
	*table
	rows   int
	counts []countSum // of the columns that add up
	used   []int      // the columns of counts
	sums   []int64    // of these over one segment, by column
	keep   []kept
}

// A countSum is the sum of a column, in tenths of a percent of a part.
type countSum struct {
	column    int32
	of        int32 // the denominator's column; -1: none
	known     bool
	sum, base int64 // base is the sum of the denominator over parts with a figure
}

// kept is a column that is read by part.
type kept struct {
	column int
	into   []int32
}

// newSums determines the columns to read for the tags of a year.
func (r *Reader) newSums(ctx context.Context, l Level, tags []Tag, parts *knownParts, room *aggregateRoom, opt Options) (*sums, error) {
	room.taken = 0
	y := &sums{room: room, year: tags[0].Year, opt: opt, reader: r, parts: parts, has: make([]bool, len(parts.positions)), columns: map[int16]figures{}}
	y.year = cmp.Or(y.year, r.newest(l))
	for _, tag := range tags {
		t := r.table(l, tag.Profile, y.year)
		if t == nil {
			continue
		}
		sums := &tableSums{table: t, sums: make([]int64, len(t.Columns))}
		for i := range t.Columns {
			if at := t.field(i); at >= 0 && opt.takes(&t.Columns[i]) && builtIn().fields[at].Kind == Count {
				of := t.Columns[i].Denominator
				sums.counts = append(sums.counts, countSum{column: int32(i), of: int32(of)})
				sums.used = append(sums.used, i)
				if of >= 0 {
					sums.used = append(sums.used, of)
				}
			}
		}
		slices.Sort(sums.used)
		sums.used = slices.Compact(sums.used)
		y.tables[tag.Profile] = sums
	}
	// After all tables are known: a weight in a requested table is read with it, and only one
	// in another table is borrowed.
	for _, t := range y.tables {
		if t == nil {
			continue
		}
		for i := range t.Columns {
			at := t.field(i)
			w, weighted := builtIn().weights[at]
			if !weighted || !opt.takes(&t.Columns[i]) {
				continue
			}
			y.need(l, at)
			w.needs(func(field int16) { y.need(l, field) })
		}
	}
	for p, keep := range y.borrowed {
		if len(keep) == 0 {
			continue
		}
		if err := y.borrow(ctx, r.table(l, Profile(p), y.year), keep); err != nil {
			return nil, err
		}
	}
	return y, nil
}

// field returns the position of a column's field in the built-in list, or -1.
func (t *table) field(column int) int16 {
	if t.metric[column] < 0 {
		return -1
	}
	return t.metric[column] + int16(builtIn().start(t.profile))
}

// need requests a field's figures by part. A field that the year's tables lack
// has none.
func (y *sums) need(l Level, field int16) {
	if _, done := y.columns[field]; done {
		return
	}
	y.columns[field] = figures{} // before the returns below, so that it is not sought again
	p := builtIn().fields[field].Profile
	t := y.reader.table(l, p, y.year)
	if t == nil {
		return
	}
	at := t.column(field)
	requested := y.tables[p] != nil
	if _, weighs := slices.BinarySearch(t.weights.Columns, at); at < 0 || !requested && !weighs {
		return
	}
	of := figures{y.unknown(), powers[decimalsOf(&t.Columns[at])]}
	y.columns[field] = of
	if requested {
		y.tables[p].keep = append(y.tables[p].keep, kept{at, of.n})
	} else {
		y.borrowed[p] = append(y.borrowed[p], kept{at, of.n})
	}
}

// unknown returns a column without figures.
func (y *sums) unknown() []int32 {
	r := y.room
	if r.taken == len(r.columns) {
		r.columns = append(r.columns, make([]int32, len(y.parts.positions)))
	}
	column := r.columns[r.taken]
	r.taken++
	for i := range column {
		column[i] = unknownCount
	}
	return column
}

// read sums all parts. If whole is set, segments may be read.
func (y *sums) read(ctx context.Context, whole bool) error {
	for _, t := range y.tables {
		if t == nil {
			continue
		}
		for i := range y.parts.runs {
			if err := y.run(ctx, t, &y.parts.runs[i], whole); err != nil {
				return fmt.Errorf("%s: %w", t.ACSTable, err)
			}
		}
	}
	return nil
}

func (y *sums) run(ctx context.Context, t *tableSums, run *partRun, whole bool) error {
	if run.len() >= useSegmentFrom {
		s, err := y.reader.data.ACSSegment(ctx, &t.estimates, run.segment, whole && run.len() >= readSegmentFrom)
		if err != nil {
			return err
		}
		if s != nil {
			y.segment(t, run, s)
			return nil
		}
	}
	row := y.room.rowOf(t.table)
	return y.reader.data.ACSRows(ctx, t.ACSTable, y.parts.positions[run.from:run.to], func(i int, r *store.ACSRow) error {
		if err := r.Figures(row); err != nil {
			return err
		}
		i += run.from
		for _, k := range t.keep {
			if f := row[k.column]; f.Mark.IsNumber() {
				k.into[i] = f.N
			}
		}
		y.has[i] = true
		t.add(row, int64(y.parts.tenths[i]))
		return nil
	})
}

func (t *tableSums) add(row []store.ACSFigure, tenths int64) {
	t.rows++
	for i := range t.counts {
		s := &t.counts[i]
		f := row[s.column]
		if !f.Mark.IsNumber() {
			continue
		}
		s.known = true
		s.sum += tenths * int64(f.N)
		if s.of >= 0 {
			if base := row[s.of]; base.Mark.IsNumber() {
				s.base += tenths * int64(base.N)
			}
		}
	}
}

// finish fills in a profile. It returns false if no part has figures.
func (y *sums) finish(into *Profiles, p Profile) bool {
	t := y.tables[p]
	if t == nil || t.rows == 0 {
		return false
	}
	m := into.add(p)
	for i := range t.counts {
		s := &t.counts[i]
		m[t.metric[s.column]] = s.metric(&t.Columns[s.column])
	}
	for i := range t.Columns {
		col, at := &t.Columns[i], t.field(i)
		if at >= 0 && y.opt.takes(col) && builtIn().fields[at].Kind != Count {
			m[t.metric[i]] = y.weighted(at, col)
		}
	}
	return true
}

// metric returns the sum, and its percentage if the column has one.
func (s *countSum) metric(col *store.ACSColumn) Metric {
	m := Metric{Estimate: nullOf(notApplicable)}
	if s.known {
		m.Estimate = whole(float64(s.sum)/1000, col.Decimals) // 1000 tenths of a percent are a part
	}
	if col.Class == store.ACSShare {
		m.Percent = nullOf(notApplicable)
		if s.known && s.base > 0 {
			m.Percent = whole(1000*float64(s.sum)/float64(s.base), 1) // tenths of a percent
		}
	}
	return m
}

// whole returns x units of the last decimal, rounded.
func whole(x float64, decimals uint8) Value {
	v := round(x, 0)
	v.decimals = decimals
	return v
}

// weighted computes a field that is not a sum.
func (y *sums) weighted(at int16, col *store.ACSColumn) Metric {
	null := nullOf(notApplicable)
	result, decimals := null, decimalsOf(col)
	if w, ok := builtIn().weights[at]; ok {
		if x, ok := w.of(y.columns[at], y.parts.tenths, func(field int16) figures { return y.columns[field] }); ok {
			result = round(x, decimals)
		}
	}
	if col.Class == store.ACSPercentOnly {
		return Metric{Estimate: null, Percent: result}
	}
	return Metric{Estimate: result}
}

// decimalsOf returns the decimals of a column's estimate, or of its percentage
// if the column has no estimate.
func decimalsOf(col *store.ACSColumn) uint8 {
	if col.Class == store.ACSPercentOnly {
		return 1
	}
	return min(col.Decimals, uint8(len(powers)-1))
}
