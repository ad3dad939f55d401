package acs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/store"
)

// An aggregate adds up the columns of up to tens of thousands of areas, for up to fourteen
// years. Areas that follow each other in the tables form segments of 256. A run of parts in
// one segment is read in one of two ways:
//
//   - Row by row, if the parts are few. A row of the file has all columns of an area.
//   - By columns, if they are many. The dataset turns the rows of a segment into columns once
//     and keeps these in a bounded cache, so that the next circle or the next field only
//     adds numbers.
//
// Both give the same numbers to the last bit: counts are integers, whose sums have no order,
// and figures that are divided are kept by part, in the order of parts. Shares of parts are
// tenths of a percent, as pct_inside has them, so that a user who adds up the parts of a
// response gets the aggregate of it.
//
// Fields that are not counts are described in aggregate_weight.go, margins of error in
// margin.go.

// A Part is an area of an aggregate and its weight.
type Part struct {
	GEOID   uint64  // the area's digits as a number
	Percent float64 // 0 to 100; only its first decimal counts
}

// A Combined is fields of several areas together.
type Combined struct {
	Name  string `json:"name"`            // e.g. "3 areas" or "5 miles around 90210"
	Level string `json:"geography_level"` // "zcta" or "tract"
	Areas int    `json:"areas"`           // number of areas, with or without figures
	Lines []Line `json:"lines"`           // one for each field
}

// A Side is one side of a comparison.
type Side struct {
	Area string // five digits of a ZIP Code Tabulation Area, or eleven of a census tract
	Year int    // last of the five years; 0: the newest of the dataset
}

// An Aggregate is one year of several areas together, the contract's block of
// stats.acs. Its metrics have an estimate, and a percentage if the field has
// one. They have no margins of error and no columns.
type Aggregate struct {
	Source      string // agency
	Product     string // name of the survey
	Year        int    // last of the five years
	Current     bool   // the newest year of the dataset
	WithData    int    // parts with figures in any requested profile
	WithoutData int    // the other parts
	ByShare     bool   // a part counts by the share of its area, if it has one; else in full

	Profiles // nil if not requested, or if no part has figures
}

func (a *Aggregate) of() (year int, current *bool) { return a.Year, &a.Current }

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
	if a.ByShare {
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

func (a *Aggregate) appendJSON(dst []byte) []byte {
	dst = appendHead(dst, a.Source, a.Product, a.Year)
	dst = strconv.AppendInt(append(dst, `,"zips_with_acs_data":`...), int64(a.WithData), 10)
	dst = strconv.AppendInt(append(dst, `,"zips_without_acs_data":`...), int64(a.WithoutData), 10)
	dst = strconv.AppendFloat(append(dst, `,"coverage_pct":`...), a.CoveragePercent(), 'f', -1, 64)
	dst = encode.AppendString(append(dst, `,"aggregation_note":`...), a.Note())
	for _, p := range AllProfiles() {
		dst = a.appendMember(dst, p)
	}
	return append(dst, '}')
}

// MarshalJSON implements [encoding/json.Marshaler].
func (a *Aggregate) MarshalJSON() ([]byte, error) { return a.appendJSON(nil), nil }

// Thresholds in parts per segment: from readSegmentFrom on a segment is read
// whole, and from useSegmentFrom on one in memory is used. Fewer parts are read
// row by row.
const (
	readSegmentFrom = store.ACSSegmentAreas / 4
	useSegmentFrom  = store.ACSSegmentAreas / 16
)

// knownParts holds the parts found in the level's tables, in the order of
// positions.
type knownParts struct {
	positions []uint32
	tenths    []int32 // of a percent
	runs      []partRun
}

// A partRun is a range of the list whose parts are in the same segment of the
// level's tables.
type partRun struct {
	segment  uint32
	from, to int
	// areas and weights hold the parts by area of the segment. They are nil if
	// the parts are too few to use the segment.
	areas   *store.ACSAreaSet
	weights *store.ACSWeights
}

// offset returns the index of a part within its segment.
func (k *knownParts) offset(i int) int { return int(k.positions[i] % store.ACSSegmentAreas) }

func (r *Reader) known(l Level, parts []Part) knownParts {
	// Position and tenths in one number, so that sorting by position needs no type of its own.
	list := make([]uint64, 0, len(parts))
	for _, p := range parts {
		position, ok := r.data.ACSArea(l, p.GEOID)
		if tenths := math.Round(10 * min(max(p.Percent, 0), 100)); ok {
			list = append(list, uint64(position)<<32|uint64(tenths))
		}
	}
	slices.Sort(list)
	k := knownParts{positions: make([]uint32, len(list)), tenths: make([]int32, len(list))}
	for i, p := range list {
		k.positions[i], k.tenths[i] = uint32(p>>32), int32(uint32(p))
	}
	for from := 0; from < len(list); {
		run := partRun{segment: k.positions[from] / store.ACSSegmentAreas, from: from, to: from}
		for run.to < len(list) && k.positions[run.to]/store.ACSSegmentAreas == run.segment {
			run.to++
		}
		from = run.to
		if run.len() >= useSegmentFrom {
			run.areas, run.weights = new(store.ACSAreaSet), new(store.ACSWeights)
			for i := run.from; i < run.to; i++ {
				run.areas.Add(k.offset(i))
				run.weights[k.offset(i)] += k.tenths[i] // an area may be named twice
			}
		}
		k.runs = append(k.runs, run)
	}
	return k
}

func (r *partRun) len() int { return r.to - r.from }

// fits reports whether all segments that the tags require fit into memory at
// once. Otherwise each would evict the next before it is used again, and reading
// whole segments would only cost more than reading the rows of the parts.
func (r *Reader) fits(l Level, tags []Tag, k *knownParts) bool {
	columns := 0
	for _, tag := range tags {
		year := cmp.Or(tag.Year, r.newest(l))
		if t := r.table(l, tag.Profile, year); t != nil {
			columns += len(t.Columns)
		}
	}
	return r.roomFor(columns, k)
}

// roomFor reports whether the given number of columns fits into memory, over
// the segments worth reading.
func (r *Reader) roomFor(columns int, k *knownParts) bool {
	segments := 0
	for i := range k.runs {
		if k.runs[i].len() >= readSegmentFrom {
			segments++
		}
	}
	const width = 2 // bytes of a number, on average: segments use 0, 1, 2 or 4
	limit, _ := r.data.ACSMemory()
	return int64(segments)*int64(columns)*store.ACSSegmentAreas*width <= limit
}

// unknownCount marks a figure that is not published. It is below all figures, so that a weight
// above zero is always known.
const unknownCount = math.MinInt32

// borrow reads the figures that weight fields of other profiles, from a table
// that was not requested. There are about ten such columns a year. Their
// segments are small and are read whole, even for few parts.
func (y *sums) borrow(ctx context.Context, t *table, keep []kept) error {
	limit, _ := y.reader.data.ACSMemory()
	for i := range y.parts.runs {
		run := &y.parts.runs[i]
		positions := y.parts.positions[run.from:run.to]
		s, err := y.reader.data.ACSSegment(ctx, &t.weights, run.segment, limit > 0)
		switch {
		case err != nil:
		case s != nil:
			for _, k := range keep {
				at, _ := slices.BinarySearch(t.weights.Columns, k.column)
				s.Pick(at, positions, k.into[run.from:run.to])
			}
		default:
			err = y.borrowRows(ctx, t, positions, run.from, keep)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.ACSTable, err)
		}
	}
	return nil
}

func (y *sums) borrowRows(ctx context.Context, t *table, positions []uint32, from int, keep []kept) error {
	row := y.room.rowOf(t)
	return y.reader.data.ACSRows(ctx, t.ACSTable, positions, func(i int, r *store.ACSRow) error {
		if err := r.Figures(row); err != nil {
			return err
		}
		for _, k := range keep {
			if f := row[k.column]; f.Mark.IsNumber() {
				k.into[from+i] = f.N
			}
		}
		return nil
	})
}

// column returns the column of a field of the table's profile, or -1.
func (t *table) column(field int16) int {
	return slices.Index(t.metric, field-int16(builtIn().start(t.profile)))
}

// segment adds the parts of a run to the sums of a table, column by column. The
// result equals that of reading row by row, because integers are added exactly
// and columns by part keep the order of parts.
func (y *sums) segment(t *tableSums, run *partRun, s *store.ACSSegment) {
	rows := s.Rows()
	if !rows.Meets(run.areas) {
		return
	}
	t.rows++
	for i := run.from; i < run.to; i++ {
		if rows.Has(y.parts.offset(i)) {
			y.has[i] = true
		}
	}
	for _, k := range t.keep { // as columns by part: they are multiplied part by part
		s.Pick(k.column, y.parts.positions[run.from:run.to], k.into[run.from:run.to])
	}
	for _, c := range t.used {
		t.sums[c] = s.Sum(c, run.weights)
	}
	for i := range t.counts {
		n := &t.counts[i]
		c := int(n.column)
		known := s.Known(c)
		if !known.Meets(run.areas) {
			continue
		}
		n.known = true
		n.sum += t.sums[c]
		// The denominator counts only where there is a numerator, or a withheld figure would
		// lower the percentage.
		switch {
		case n.of < 0:
		case s.Whole(c):
			n.base += t.sums[n.of]
		default:
			n.base += s.SumOf(known, int(n.of), run.weights)
		}
	}
}
