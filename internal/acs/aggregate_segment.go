package acs

import "github.com/postgeo/postgeo/internal/dataset"

// segment adds the parts of a run to the sums of a table, column by column. The
// result equals that of reading row by row, because integers are added exactly
// and columns by part keep the order of parts.
func (y *sums) segment(t *tableSums, run *partRun, s *dataset.ACSSegment) {
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
	for _, k := range t.keep {
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
		switch {
		case n.of < 0:
		case s.Whole(c):
			n.base += t.sums[n.of]
		default:
			n.base += s.SumOf(known, int(n.of), run.weights)
		}
	}
}
