package store

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A row of a table is coded in two parts, so that estimates can be read
// without the rest:
//
//	first   for each column its estimate, or the percentage if that is all
//	rest    for each column its margin of error, or that of the percentage; then
//	        the percentages of each share
//
// A figure is a varint: numbers from 0 on are shifted by firstNumber, the lower
// codes are marks. Code 0 is followed by the magnitude of a negative number,
// those of bounds by the bound.
//
// A share's percentage is round-half-up(1000·estimate/total) in tenths of a
// percent. The margin of the percentage follows from the handbook's formula;
// only the difference to that is stored. For estimates of zero it is the
// difference to the last such margin of the same total. Code impliedPercent
// marks a percentage that cannot be computed as usual. It is "-" with the margin
// "**", or both have the estimate's mark. Code explicitPercent is followed by
// both figures. Percentages are thus a byte each as a rule, although every published one,
// also one that contradicts the formula, is read back as it was.
const (
	firstNumber     = uint64(numACSMarks)
	negativeNumber  = 0
	impliedPercent  = 0
	explicitPercent = 1
	firstResidual   = 2
	maxACSColumns   = 255
)

// errFigure means that a row is malformed.
var errFigure = errors.New("a figure is malformed")

func appendFigure(b []byte, f ACSFigure) []byte {
	switch {
	case f.Mark == ACSNumber && f.N >= 0:
		return binary.AppendUvarint(b, uint64(f.N)+firstNumber)
	case f.Mark == ACSNumber:
		return binary.AppendUvarint(append(b, negativeNumber), uint64(-int64(f.N)))
	case f.Mark.IsNumber():
		return binary.AppendUvarint(append(b, byte(f.Mark)), uint64(f.N))
	default:
		return append(b, byte(f.Mark))
	}
}

// uvarint reads a number of at most six bytes from position n on, and returns the position
// behind it. n is negative if it fails, and a negative n fails again, so that callers check once.
func uvarint(b string, n int) (uint64, int) {
	if n < 0 || n >= len(b) {
		return 0, -1
	}
	v := uint64(b[n])
	if n++; v < 0x80 {
		return v, n
	}
	v &= 0x7f
	for shift := 7; shift < 40; shift += 7 {
		if n >= len(b) {
			return 0, -1
		}
		c := b[n]
		n++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, n
		}
	}
	return 0, -1
}

// readFigure reads a figure. n is negative if it fails.
func readFigure(b string, n int) (ACSFigure, int) {
	if n >= 0 && n+1 < len(b) { // numbers of one and two bytes, which nearly all are
		c := uint64(b[n])
		if c >= firstNumber && c < 0x80 {
			return ACSFigure{int32(c - firstNumber), ACSNumber}, n + 1
		}
		if d := uint64(b[n+1]); c >= 0x80 && d > 0 && d < 0x80 {
			return ACSFigure{int32((c&0x7f | d<<7) - firstNumber), ACSNumber}, n + 2
		}
	}
	return readLongFigure(b, n)
}

func readLongFigure(b string, n int) (ACSFigure, int) {
	v, n := uvarint(b, n)
	if n < 0 {
		return ACSFigure{}, n
	}
	if v >= firstNumber {
		if v -= firstNumber; v > math.MaxInt32 {
			return ACSFigure{}, -1
		}
		return ACSFigure{int32(v), ACSNumber}, n
	}
	m := ACSMark(v)
	switch {
	case v == negativeNumber:
		v, n = uvarint(b, n)
		if v == 0 || v > math.MaxInt32 {
			return ACSFigure{}, -1
		}
		return ACSFigure{-int32(v), ACSNumber}, n
	case m == ACSNumber:
		return ACSFigure{}, -1
	case m.IsNumber():
		v, n = uvarint(b, n)
		if v > math.MaxInt32 {
			return ACSFigure{}, -1
		}
		return ACSFigure{int32(v), m}, n
	default:
		return ACSFigure{Mark: m}, n
	}
}

// ACSPercent returns the share of a part in tenths of a percent, as published:
// round-half-up(1000·part/total) in whole numbers. It returns false if the part
// is negative, the total is not positive, or the share is too large.
func ACSPercent(part, total int32) (int32, bool) {
	if part < 0 || total <= 0 {
		return 0, false
	}
	p := (2000*int64(part) + int64(total)) / (2 * int64(total))
	return int32(p), p <= math.MaxInt32
}

// acsPercentMOE returns the margin of error of a share in tenths of a percent, by
// the formula for proportions in chapter 8 of the Census Bureau's handbook "Understanding and
// Using American Community Survey Data". If that has no root, it uses the one for ratios. The
// total is positive. Files have the difference to the result, so that with another
// rounding existing files would give wrong margins.
func acsPercentMOE(part, partMOE, total, totalMOE int32) int32 {
	// Products are rounded on their own, so that no machine fuses them.
	t := float64(total)
	p := float64(part) / t
	m, q := float64(partMOE), float64(p*float64(totalMOE))
	a, b := float64(m*m), float64(q*q)
	if a >= b {
		a -= b
	} else {
		a += b
	}
	r := math.Round(float64(math.Sqrt(a)/t) * 1000)
	return int32(min(r, 1e9))
}

// shareState predicts the percentages of a row's shares.
type shareState struct{ zero [maxACSColumns]int32 }

// share returns the percentage of column i and the prediction of its margin, and
// false if the percentage cannot be computed.
func (s *shareState) share(columns []ACSColumn, cells []ACSCell, i int) (percent, margin int32, ok bool) {
	part, d := &cells[i], columns[i].Denominator
	if d < 0 {
		return 0, 0, false
	}
	total := &cells[d]
	if part.Estimate.Mark != ACSNumber || total.Estimate.Mark != ACSNumber {
		return 0, 0, false
	}
	if percent, ok = ACSPercent(part.Estimate.N, total.Estimate.N); !ok {
		return 0, 0, false
	}
	if part.Estimate.N == 0 {
		return percent, s.zero[d], true
	}
	return percent, acsPercentMOE(part.Estimate.N, part.MOE.N, total.Estimate.N, total.MOE.N), true
}

// impliedShare returns the percentage of a figure without a computed one.
func impliedShare(estimate ACSFigure) (percent, margin ACSFigure) {
	if estimate.Mark.IsNumber() {
		return ACSFigure{Mark: ACSTooFewSamples}, ACSFigure{Mark: ACSNoMargin}
	}
	return ACSFigure{Mark: estimate.Mark}, ACSFigure{Mark: estimate.Mark}
}

// AppendACSRow encodes a row. cells has one cell for each column.
func AppendACSRow(columns []ACSColumn, cells []ACSCell) (first, rest []byte) {
	first, rest = make([]byte, 0, 2*len(cells)), make([]byte, 0, 3*len(cells))
	for i := range cells {
		c := &cells[i]
		if columns[i].Class == ACSPercentOnly {
			first = appendFigure(first, c.Percent)
			rest = appendFigure(rest, c.PercentMOE)
			continue
		}
		first = appendFigure(first, c.Estimate)
		rest = appendFigure(rest, c.MOE)
	}
	var s shareState
	for i := range cells {
		c := &cells[i]
		if columns[i].Class != ACSShare {
			continue
		}
		percent, margin, ok := s.share(columns, cells, i)
		p, m := impliedShare(c.Estimate)
		switch {
		case ok && c.Percent == ACSFigure{percent, ACSNumber} && c.PercentMOE.Mark == ACSNumber:
			rest = binary.AppendUvarint(rest, file.Zigzag(int64(c.PercentMOE.N)-int64(margin))+firstResidual)
			s.note(columns, cells, i)
		case !ok && c.Percent == p && c.PercentMOE == m:
			rest = append(rest, impliedPercent)
		default:
			rest = appendFigure(appendFigure(append(rest, explicitPercent), c.Percent), c.PercentMOE)
		}
	}
	return first, rest
}

// note keeps the margin of a share of zero for the next one.
func (s *shareState) note(columns []ACSColumn, cells []ACSCell, i int) {
	if cells[i].Estimate.N == 0 {
		s.zero[columns[i].Denominator] = cells[i].PercentMOE.N
	}
}

// An ACSRow is a row as it is stored.
type ACSRow struct {
	columns     []ACSColumn
	first, rest string
}

// readFigures reads figures from position n on, and returns the position behind them, negative
// if it fails.
func readFigures(b string, n int, into []ACSFigure) int {
	for i := 0; i < len(into) && n >= 0; i++ {
		into[i], n = readFigure(b, n)
	}
	return n
}

// Figures reads one figure for each column, or for the first columns: the estimate, else the
// percentage.
func (r *ACSRow) Figures(figures []ACSFigure) error {
	if n := readFigures(r.first, 0, figures); n < 0 || len(figures) == len(r.columns) && n != len(r.first) {
		return errFigure
	}
	return nil
}

// Margins reads the figures of [ACSRow.Figures] and the margin of error of each, but no
// percentage of a share.
func (r *ACSRow) Margins(figures, margins []ACSFigure) error {
	if readFigures(r.rest, 0, margins) < 0 {
		return errFigure
	}
	return r.Figures(figures)
}

// Margin returns the number of a margin of error, which is 0 for a controlled
// estimate. It returns false if the margin is unknown.
func (f ACSFigure) Margin() (n int32, ok bool) {
	return f.N, f.Mark.IsNumber() || f.Mark == ACSControlled
}

// Cells reads the whole row. cells has one for each column.
func (r *ACSRow) Cells(cells []ACSCell) error {
	var room [2 * maxACSColumns]ACSFigure
	figures, margins := room[:len(cells)], room[maxACSColumns:][:len(cells)]
	if err := r.Figures(figures); err != nil {
		return err
	}
	n := readFigures(r.rest, 0, margins)
	for i := range cells {
		if r.columns[i].Class == ACSPercentOnly {
			x := ACSFigure{Mark: ACSNotApplicable}
			cells[i] = ACSCell{Estimate: x, MOE: x, Percent: figures[i], PercentMOE: margins[i]}
		} else {
			cells[i] = ACSCell{Estimate: figures[i], MOE: margins[i]}
		}
	}
	var s shareState
	for i := range cells {
		if r.columns[i].Class != ACSShare {
			continue
		}
		c := &cells[i]
		var v uint64
		v, n = uvarint(r.rest, n)
		percent, margin, ok := s.share(r.columns, cells, i)
		switch {
		case v >= firstResidual && ok:
			m := int64(margin) + file.Unzigzag(v-firstResidual)
			if m < -math.MaxInt32 || m > math.MaxInt32 {
				return errFigure
			}
			c.Percent, c.PercentMOE = ACSFigure{percent, ACSNumber}, ACSFigure{int32(m), ACSNumber}
			s.note(r.columns, cells, i)
		case v == impliedPercent && !ok:
			c.Percent, c.PercentMOE = impliedShare(c.Estimate)
		case v == explicitPercent:
			c.Percent, n = readFigure(r.rest, n)
			c.PercentMOE, n = readFigure(r.rest, n)
		default:
			n = -1
		}
		if n < 0 {
			return errFigure
		}
	}
	if n != len(r.rest) {
		return errFigure
	}
	return nil
}
