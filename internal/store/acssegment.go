package store

import (
	"context"
	"math"
	"math/bits"
	"slices"
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
// between them.
type ACSSelection struct {
	Table *ACSTable
	// Columns are the columns in ascending order; nil means all.
	Columns []int
	// Margins takes the margins of error instead of the estimates, 0 for
	// controlled ones.
	Margins bool
}

// NumColumns returns how many columns the selection has.
func (s *ACSSelection) NumColumns() int {
	if s.Columns == nil {
		return len(s.Table.Columns)
	}
	return len(s.Columns)
}

// An ACSSegment holds the figures of one segment of a selection, column by column.
// They are estimates or margins of error. Columns with only a percentage have
// those of the percentage. A column takes zero, one, two or four bytes per
// area, depending on its largest figure. Columns are counted from 0 within the
// selection. A Segment must not be changed.
type ACSSegment struct {
	Present ACSAreaSet // the areas that have a row
	columns []acsVector
	known   []ACSAreaSet // the sets of columns with missing numbers
	bounds  []acsBounds  // by column; of margins only
	bytes   []uint8
	words   []uint16
	longs   []int32
}

// An acsVector is the place of one column's numbers; those that are missing
// are zero.
type acsVector struct {
	at    uint32 // first of SegmentAreas in the slice of the width
	known uint16 // 1 + index of the set of the areas with a number; 0: every row has one
	width uint8  // bytes of a number; 0: all are zero
}

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
	if k := s.columns[column].known; k > 0 {
		return &s.known[k-1]
	}
	return &s.Present
}

// Whole reports whether the column has a number of every area with a row.
func (s *ACSSegment) Whole(column int) bool { return s.columns[column].known == 0 }

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
	v := s.columns[column]
	switch v.width {
	case 1:
		return int32(s.bytes[int(v.at)+i])
	case 2:
		return int32(s.words[int(v.at)+i])
	case 4:
		return s.longs[int(v.at)+i]
	default:
		return 0
	}
}

// Pick writes the column's numbers of the areas at the positions, which lie in
// the segment, and leaves out those that are missing.
func (s *ACSSegment) Pick(column int, positions []uint32, into []int32) {
	v, known := s.columns[column], s.Known(column)
	switch v.width {
	case 1:
		pickNumbers((*[ACSSegmentAreas]uint8)(s.bytes[v.at:]), known, positions, into)
	case 2:
		pickNumbers((*[ACSSegmentAreas]uint16)(s.words[v.at:]), known, positions, into)
	case 4:
		pickNumbers((*[ACSSegmentAreas]int32)(s.longs[v.at:]), known, positions, into)
	default:
		pickNumbers(new([ACSSegmentAreas]uint8), known, positions, into)
	}
}

func pickNumbers[N uint8 | uint16 | int32](numbers *[ACSSegmentAreas]N, known *ACSAreaSet, positions []uint32, into []int32) {
	into = into[:len(positions)]
	for i, p := range positions {
		if at := p % ACSSegmentAreas; known[at>>6]>>(at&63)&1 == 1 {
			into[i] = int32(numbers[at])
		}
	}
}

// Sum returns the sum of the column's numbers, each times the weight of its
// area.
func (s *ACSSegment) Sum(column int, weights *ACSWeights) int64 {
	v := s.columns[column]
	switch v.width {
	case 1:
		return weighNumbers((*[ACSSegmentAreas]uint8)(s.bytes[v.at:]), weights)
	case 2:
		return weighNumbers((*[ACSSegmentAreas]uint16)(s.words[v.at:]), weights)
	case 4:
		return weighNumbers((*[ACSSegmentAreas]int32)(s.longs[v.at:]), weights)
	default:
		return 0
	}
}

func weighNumbers[N uint8 | uint16 | int32](numbers *[ACSSegmentAreas]N, weights *ACSWeights) int64 {
	var a, b, c, d int64 // four sums at once, which wait for none of the others
	for i := 0; i < ACSSegmentAreas; i += 4 {
		a += int64(numbers[i]) * int64(weights[i])
		b += int64(numbers[i+1]) * int64(weights[i+1])
		c += int64(numbers[i+2]) * int64(weights[i+2])
		d += int64(numbers[i+3]) * int64(weights[i+3])
	}
	return a + b + c + d
}

// SumOf is [Segment.Sum] over the areas of a set only.
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

// Size is how many bytes the segment takes in memory.
func (s *ACSSegment) Size() int64 {
	const fixed = 256 // of the segment itself, and its entry in the cache
	return fixed + int64(8*cap(s.columns)+32*cap(s.known)+40*cap(s.bounds)+cap(s.bytes)+2*cap(s.words)+4*cap(s.longs))
}

// noNumber marks a figure without a number; no figure is that low.
const noNumber = math.MinInt32

// An acsRoom is the working memory for building a segment.
type acsRoom struct {
	positions [ACSSegmentAreas]uint32
	numbers   []int32 // row by row; 0 for areas without a row
}

func (d *Dataset) readSegment(ctx context.Context, sel *ACSSelection, segment uint32) (*ACSSegment, error) {
	t := sel.Table
	first := segment * ACSSegmentAreas
	end := min(first+ACSSegmentAreas, uint32(len(d.acsAreas[t.Level-1])))
	room, ok := d.acsRooms.Get().(*acsRoom)
	if !ok {
		room = new(acsRoom)
	}
	defer d.acsRooms.Put(room)
	positions := room.positions[:end-first]
	for i := range positions {
		positions[i] = first + uint32(i)
	}
	n := sel.NumColumns()
	room.numbers = slices.Grow(room.numbers[:0], n*len(positions))
	numbers := room.numbers[:n*len(positions)]
	s := &ACSSegment{}
	err := d.readACSRows(ctx, t, positions, false, func(i int, r *ACSRow) error {
		s.Present.Add(i)
		into := numbers[i*n : (i+1)*n]
		if sel.Margins {
			return s.margins(r, sel, into, i)
		}
		return r.numbers(sel.Columns, into)
	})
	if err != nil {
		return nil, err
	}
	s.bounds = slices.Clip(s.bounds)
	s.Pack(numbers, n, len(positions))
	return s, nil
}

// numbers reads the figures of some columns, which ascend, or of all if columns is nil:
// noNumber for those without one.
func (r *ACSRow) numbers(columns []int, into []int32) error {
	b, n, next := r.first, 0, 0
	for i := 0; next < len(into); i++ {
		var f ACSFigure
		if f, n = readFigure(b, n); n < 0 {
			return errFigure
		}
		if len(columns) > 0 && i != columns[next] {
			continue
		}
		if into[next] = f.N; !f.Mark.IsNumber() {
			into[next] = noNumber
		}
		next++
	}
	return nil
}

// margins reads the margins of error of the i-th area, noNumber for those that
// are not known, and notes which of its estimates are bounds.
func (s *ACSSegment) margins(r *ACSRow, sel *ACSSelection, into []int32, i int) error {
	var room [2 * maxACSColumns]ACSFigure
	estimates, margins := room[:len(r.columns)], room[maxACSColumns:][:len(r.columns)]
	if err := r.Margins(estimates, margins); err != nil {
		return err
	}
	for k := range into {
		c := k
		if sel.Columns != nil {
			c = sel.Columns[k]
		}
		into[k] = noNumber
		if n, ok := margins[c].Margin(); ok {
			into[k] = n
		}
		if m := estimates[c].Mark; m != ACSNumber && m.IsNumber() {
			s.bound(k).Add(i)
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

// Pack turns rows of n numbers into columns. It keeps no spare capacity.
func (s *ACSSegment) Pack(numbers []int32, n, areas int) {
	var room [ACSSegmentAreas]uint8
	rows := room[:0] // the areas with a row
	for i := range areas {
		if s.Present.Has(i) {
			rows = append(rows, uint8(i))
		}
	}
	s.columns = make([]acsVector, n)
	var of [5]uint32 // columns by width
	sets := 0
	for c := range s.columns {
		v := &s.columns[c]
		var partial bool
		if v.width, partial = widthOf(numbers[c:], n, rows); partial {
			sets++
			v.known = uint16(sets)
		}
		v.at = of[v.width] * ACSSegmentAreas
		of[v.width]++
	}
	s.known = make([]ACSAreaSet, sets)
	s.bytes = make([]uint8, of[1]*ACSSegmentAreas)
	s.words = make([]uint16, of[2]*ACSSegmentAreas)
	s.longs = make([]int32, of[4]*ACSSegmentAreas)
	for c, v := range s.columns {
		var known *ACSAreaSet
		if v.known > 0 {
			known = &s.known[v.known-1]
		}
		switch v.width {
		case 1:
			packColumn(s.bytes[v.at:], numbers[c:], n, rows, known)
		case 2:
			packColumn(s.words[v.at:], numbers[c:], n, rows, known)
		case 4:
			packColumn(s.longs[v.at:], numbers[c:], n, rows, known)
		default:
			packColumn(make([]uint8, ACSSegmentAreas), numbers[c:], n, rows, known)
		}
	}
}

// widthOf returns how many bytes a column's numbers need, and whether some are
// missing. The numbers stand n apart, those of the areas with a row.
func widthOf(numbers []int32, n int, rows []uint8) (width uint8, partial bool) {
	all := uint32(0) // every bit of any number
	for _, i := range rows {
		all |= uint32(numbers[int(i)*n])
	}
	if int32(all) < 0 { // a number is negative, or missing
		low, high := int32(0), int32(0)
		for _, i := range rows {
			if x := numbers[int(i)*n]; x == noNumber {
				partial = true
			} else {
				low, high = min(low, x), max(high, x)
			}
		}
		if low < 0 {
			return 4, partial
		}
		all = uint32(high)
	}
	switch {
	case all == 0:
		return 0, partial
	case all <= math.MaxUint8:
		return 1, partial
	case all <= math.MaxUint16:
		return 2, partial
	default:
		return 4, partial
	}
}

// packColumn writes a column's numbers, and where known is not nil which of
// them there are.
func packColumn[N uint8 | uint16 | int32](into []N, numbers []int32, n int, rows []uint8, known *ACSAreaSet) {
	into = into[:ACSSegmentAreas]
	if known == nil {
		for _, i := range rows {
			into[i] = N(numbers[int(i)*n])
		}
		return
	}
	for _, i := range rows {
		if x := numbers[int(i)*n]; x != noNumber {
			known.Add(int(i))
			into[i] = N(x)
		}
	}
}
