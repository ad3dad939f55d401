package store

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// ACSSegmentAreas is how many areas that follow one another make a segment:
// those at the positions 0 to 255, 256 to 511, and so on.
const ACSSegmentAreas = 256

// An ACSAreaSet is a set of areas of one Segment.
type ACSAreaSet [ACSSegmentAreas / 64]uint64

// Add adds the i-th area of the Segment.
func (s *ACSAreaSet) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Has reports whether the i-th area of the segment is in the set.
func (s *ACSAreaSet) Has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }

// Meets reports whether the sets have an area in common.
func (s *ACSAreaSet) Meets(o *ACSAreaSet) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0
}

// Len returns how many areas are in the set.
func (s *ACSAreaSet) Len() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

// An ACSSelection is the set of figures of a table in segments. The dataset
// identifies selections by their addresses and does not share cached segments
// between them. A caller therefore makes a selection once and keeps it.
type ACSSelection struct {
	Table *ACSTable
	// Columns are the columns in ascending order; nil means all.
	Columns []int
	// Margins takes the margins of error instead of the estimates, 0 for
	// controlled ones.
	Margins bool
}

// width returns how many columns the selection has.
func (s *ACSSelection) width() int {
	if s.Columns == nil {
		return len(s.Table.Columns)
	}
	return len(s.Columns)
}

// Sums over many areas read segments instead of rows. A row is decoded once, into columns, and
// a sum is then a loop over an array; rows of 140 figures each would be decoded again for every
// circle. Segments have a fixed number of areas, so that sets of areas and weights are arrays too.

// An ACSSegment holds the figures of one segment of a selection, column by column.
// They are estimates or margins of error. Columns with only a percentage have
// those of the percentage. A column takes zero, one, two or four bytes per
// area, depending on its largest figure. Columns are counted from 0 within the
// selection. A Segment must not be changed.
type ACSSegment struct {
	Present ACSAreaSet // the areas that have a row
	columns []acsVector
	bounds  []acsBounds // by column; of margins only
	size    int64
}

// An acsVector is a column; numbers that are missing are zero.
type acsVector struct {
	numbers acsNumbers  // nil: all are zero
	known   *ACSAreaSet // the areas with a number; nil: every row has one
}

// acsNumbers are the numbers of a column.
type acsNumbers interface {
	fill(numbers []int32, n int, rows []uint8, known *ACSAreaSet)
	number(i int) int32
	pick(known *ACSAreaSet, positions []uint32, into []int32)
	sum(weights *ACSWeights) int64
}

// acsArray are numbers of a width.
type acsArray[N uint8 | uint16 | int32] [ACSSegmentAreas]N

// acsBounds are the areas whose estimate in a column is a bound.
type acsBounds struct {
	column int
	areas  ACSAreaSet
}

// ACSWeights are the weights of the areas of a segment.
type ACSWeights [ACSSegmentAreas]int32

// Rows returns the areas that have a row.
func (s *ACSSegment) Rows() *ACSAreaSet { return &s.Present }

// Known returns the areas with a number in the column.
func (s *ACSSegment) Known(column int) *ACSAreaSet {
	if k := s.columns[column].known; k != nil {
		return k
	}
	return &s.Present
}

// Whole reports whether the column has a number of every area with a row.
func (s *ACSSegment) Whole(column int) bool { return s.columns[column].known == nil }

// Bounds returns the areas whose estimate in the column is a bound. Only segments
// of margins have them.
func (s *ACSSegment) Bounds(column int) ACSAreaSet {
	for i := range s.bounds {
		if s.bounds[i].column == column {
			return s.bounds[i].areas
		}
	}
	return ACSAreaSet{}
}

// Number returns the number of the i-th area, or 0 if it has none.
func (s *ACSSegment) Number(column, i int) int32 {
	if v := s.columns[column].numbers; v != nil {
		return v.number(i)
	}
	return 0
}

func (a *acsArray[N]) number(i int) int32 { return int32(a[i]) }

// fill takes the numbers of the areas with a row, which lie n apart, and unless known is nil
// notes which of them there are.
func (a *acsArray[N]) fill(numbers []int32, n int, rows []uint8, known *ACSAreaSet) {
	for _, i := range rows {
		if x := numbers[int(i)*n]; known == nil {
			a[i] = N(x)
		} else if x != noNumber {
			known.Add(int(i))
			a[i] = N(x)
		}
	}
}

// Pick writes the column's numbers of the areas at the positions, which lie in
// the segment, and leaves out those that are missing.
func (s *ACSSegment) Pick(column int, positions []uint32, into []int32) {
	v := s.columns[column].numbers
	if v == nil {
		v = new(acsArray[uint8])
	}
	v.pick(s.Known(column), positions, into[:len(positions)])
}

func (a *acsArray[N]) pick(known *ACSAreaSet, positions []uint32, into []int32) {
	for i, p := range positions {
		if at := p % ACSSegmentAreas; known[at>>6]>>(at&63)&1 == 1 {
			into[i] = int32(a[at])
		}
	}
}

// Sum returns the sum of the column's numbers, each times the weight of its
// area.
func (s *ACSSegment) Sum(column int, weights *ACSWeights) int64 {
	if v := s.columns[column].numbers; v != nil {
		return v.sum(weights)
	}
	return 0
}

func (a *acsArray[N]) sum(weights *ACSWeights) int64 {
	var w, x, y, z int64 // four sums at once, which wait for none of the others
	for i := 0; i < ACSSegmentAreas; i += 4 {
		w += int64(a[i]) * int64(weights[i])
		x += int64(a[i+1]) * int64(weights[i+1])
		y += int64(a[i+2]) * int64(weights[i+2])
		z += int64(a[i+3]) * int64(weights[i+3])
	}
	return w + x + y + z
}

// SumOf is [ACSSegment.Sum] over the areas of a set only.
func (s *ACSSegment) SumOf(areas *ACSAreaSet, column int, weights *ACSWeights) int64 {
	sum := int64(0)
	for w, word := range areas {
		for ; word != 0; word &= word - 1 {
			i := w<<6 | bits.TrailingZeros64(word)
			sum += int64(s.Number(column, i)) * int64(weights[i])
		}
	}
	return sum
}

// noNumber marks a figure without a number while a segment is read; no figure is that low. In
// the segment missing numbers are zero, so that sums need no test for them, and known has
// the areas with a number.
const noNumber = math.MinInt32

// DefaultACSMemory is the default size of the cache of segments in bytes: one profile
// of fourteen years of about 15,000 areas.
const DefaultACSMemory = 64 << 20

// A segmentID identifies a segment of a selection.
type segmentID struct {
	of      *ACSSelection
	segment uint32
}

// SetACSMemory limits the memory for segments of the tables of the American
// Community Survey, in bytes. Below one it disables the cache. A lower limit
// drops segments.
func (d *Dataset) SetACSMemory(bytes int64) { d.segments.SetLimit(bytes) }

// ACSMemory returns the bound that [Dataset.SetACSMemory] set, in bytes, and
// how many of them are in use.
func (d *Dataset) ACSMemory() (limit, used int64) { return d.segments.Size() }

// ACSSegment returns the segment-th [ACSSegmentAreas] areas of a selection, counted
// from 0. If it is not cached, it is read and replaces the least recently used
// ones; without read it is nil then. It returns errors of reading the rows.
func (d *Dataset) ACSSegment(ctx context.Context, of *ACSSelection, segment uint32, read bool) (*ACSSegment, error) {
	t := of.Table
	if err := cmp.Or(d.Usable(), ctx.Err()); err != nil {
		return nil, err
	}
	if uint64(segment)*ACSSegmentAreas >= uint64(len(d.acsAreas[t.Level-1])) {
		return nil, file.Invalid("segment %d of %s; it has %d areas", segment, t, len(d.acsAreas[t.Level-1]))
	}
	var load func() (*ACSSegment, int64, error)
	if read {
		load = func() (*ACSSegment, int64, error) {
			s, err := d.readSegment(ctx, of, segment)
			if err != nil {
				return nil, 0, err
			}
			return s, s.size, nil
		}
	}
	return d.segments.Get(ctx, segmentID{of, segment}, load)
}

// An acsRoom is the working memory for building a segment.
type acsRoom struct {
	positions [ACSSegmentAreas]uint32
	numbers   []int32 // row by row; 0 for areas without a row
}

func (d *Dataset) readSegment(ctx context.Context, sel *ACSSelection, segment uint32) (*ACSSegment, error) {
	t := sel.Table
	first := segment * ACSSegmentAreas
	room, ok := d.acsRooms.Get().(*acsRoom)
	if !ok {
		room = new(acsRoom)
	}
	defer d.acsRooms.Put(room)
	positions := room.positions[:min(ACSSegmentAreas, len(d.acsAreas[t.Level-1])-int(first))]
	for i := range positions {
		positions[i] = first + uint32(i)
	}
	n := sel.width()
	room.numbers = slices.Grow(room.numbers[:0], n*len(positions))
	numbers := room.numbers[:n*len(positions)]
	s := &ACSSegment{}
	err := d.ACSRows(ctx, t, positions, func(i int, r *ACSRow) error {
		s.Present.Add(i)
		return s.read(r, sel, numbers[i*n:(i+1)*n], i)
	})
	if err != nil {
		return nil, err
	}
	s.bounds = slices.Clip(s.bounds)
	s.pack(numbers, n, len(positions))
	return s, nil
}

// read reads the figures of the i-th area, noNumber for those without a number. Of margins it
// notes which estimates are bounds.
func (s *ACSSegment) read(r *ACSRow, sel *ACSSelection, into []int32, i int) error {
	var room [2 * maxACSColumns]ACSFigure
	n := len(into)
	if sel.Columns != nil && n > 0 {
		n = sel.Columns[n-1] + 1
	}
	figures, margins := room[:n], room[maxACSColumns:][:n]
	if !sel.Margins {
		margins = nil
	}
	if err := r.Margins(figures, margins); err != nil {
		return err
	}
	for k := range into {
		c := k
		if sel.Columns != nil {
			c = sel.Columns[k]
		}
		f := figures[c]
		number, ok := f.N, f.Mark.IsNumber()
		if sel.Margins {
			if number, ok = margins[c].Margin(); f.Mark != ACSNumber && f.Mark.IsNumber() {
				s.bound(k).Add(i)
			}
		}
		if into[k] = number; !ok {
			into[k] = noNumber
		}
	}
	return nil
}

// bound returns the set of areas whose estimate in a column is a bound, for
// adding to it.
func (s *ACSSegment) bound(column int) *ACSAreaSet {
	for i := range s.bounds {
		if s.bounds[i].column == column {
			return &s.bounds[i].areas
		}
	}
	s.bounds = append(s.bounds, acsBounds{column: column})
	return &s.bounds[len(s.bounds)-1].areas
}

// pack turns rows of n numbers into columns.
func (s *ACSSegment) pack(numbers []int32, n, areas int) {
	const fixed, ofColumn, ofBounds = 256, 24, 40 // bytes of the segment itself with its entry in the cache, and of parts
	var room [ACSSegmentAreas]uint8
	rows := room[:0] // the areas with a row
	for i := range areas {
		if s.Present.Has(i) {
			rows = append(rows, uint8(i))
		}
	}
	s.columns = make([]acsVector, n)
	s.size = fixed + int64(n*ofColumn+len(s.bounds)*ofBounds)
	for c := range s.columns {
		v, of := &s.columns[c], numbers[c:]
		low, high := int32(0), int32(0)
		for _, i := range rows {
			if x := of[int(i)*n]; x != noNumber {
				low, high = min(low, x), max(high, x)
			} else if v.known == nil {
				v.known, s.size = new(ACSAreaSet), s.size+ACSSegmentAreas/8
			}
		}
		width := int64(0)
		switch small := new(acsArray[uint8]); {
		case low < 0 || high > math.MaxUint16:
			v.numbers, width = new(acsArray[int32]), 4
		case high > math.MaxUint8:
			v.numbers, width = new(acsArray[uint16]), 2
		case high > 0:
			v.numbers, width = small, 1
		case v.known != nil:
			small.fill(of, n, rows, v.known)
		}
		if s.size += width * ACSSegmentAreas; v.numbers != nil {
			v.numbers.fill(of, n, rows, v.known)
		}
	}
}
