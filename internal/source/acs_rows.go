package source

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// acsSigns are what tables print in place of a number.
var acsSigns = map[string]store.ACSMark{
	"(X)": store.ACSNotApplicable, "-": store.ACSTooFewSamples, "N": store.ACSTooFewCases,
	"**": store.ACSNoMargin, "***": store.ACSOpenInterval, "*****": store.ACSControlled,
	"": store.ACSFiltered, "null": store.ACSFiltered,
}

// acsCodes are the numbers that the interface of the Census Bureau gives in
// place of signs.
var acsCodes = map[int64]store.ACSMark{
	-888888888: store.ACSNotApplicable, -666666666: store.ACSTooFewSamples, -999999999: store.ACSTooFewCases,
	-222222222: store.ACSNoMargin, -333333333: store.ACSOpenInterval, -555555555: store.ACSControlled,
}

// acsFigure reads a figure as any of the layouts print it: 1234, 1,234, 48.3%,
// ±1,196, 250,000+, 2,500-, a sign or a code. The number is in units of the
// last of so many decimals; more than these must be zeros.
//
// Plain digits are tried first, as nearly all figures are such. A minus sign alone means
// too few samples. Behind a number it means "or less", and before one a negative number
// or a code.
func acsFigure(s string, decimals uint8) (store.ACSFigure, error) {
	if v, ok := fixedPoint(s, decimals); ok && v <= math.MaxInt32 {
		return store.ACSFigure{N: int32(v), Mark: store.ACSNumber}, nil
	}
	if m, ok := acsSigns[s]; ok {
		return store.ACSFigure{Mark: m}, nil
	}
	text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "±"), "%")
	if m, ok := acsSigns[text]; ok {
		return store.ACSFigure{Mark: m}, nil
	}
	mark := store.ACSNumber
	if t, ok := strings.CutSuffix(text, "+"); ok {
		text, mark = t, store.ACSAtLeast
	} else if t, ok := strings.CutSuffix(text, "-"); ok {
		text, mark = t, store.ACSAtMost
	}
	text, negative := strings.CutPrefix(text, "-")
	v, ok := fixedPoint(text, decimals)
	if !ok || negative && mark != store.ACSNumber {
		return store.ACSFigure{}, fmt.Errorf("%q is not a figure with at most %d decimals", s, decimals)
	}
	if negative {
		if code, ok := fixedPoint(text, 0); ok {
			if m, ok := acsCodes[-code]; ok {
				return store.ACSFigure{Mark: m}, nil
			}
		}
		v = -v
	}
	if v > math.MaxInt32 || v < -math.MaxInt32 {
		return store.ACSFigure{}, fmt.Errorf("%q is out of range", s)
	}
	return store.ACSFigure{N: int32(v), Mark: mark}, nil
}

// fixedPoint reads digits, perhaps with commas and a point among them, in units of the
// last of so many decimals. Decimals after these must be zeros.
func fixedPoint(s string, decimals uint8) (v int64, ok bool) {
	const most = 12        // digits before the point; more could overflow with decimals
	digits, after := 0, -1 // after is the number of decimals
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9' && after == int(decimals):
			if c != '0' {
				return 0, false
			}
		case c >= '0' && c <= '9':
			if v, digits = v*10+int64(c-'0'), digits+1; after >= 0 {
				after++
			}
			if digits > most+int(decimals) {
				return 0, false
			}
		case c == ',' && digits > 0 && after < 0:
		case c == '.' && digits > 0 && after < 0:
			after = 0
		default:
			return 0, false
		}
	}
	for after = max(after, 0); after < int(decimals); after++ {
		v *= 10
	}
	return v, digits > 0
}

// An ACSProfileRow is the row of one area of a profile's table.
type ACSProfileRow struct {
	GEOID uint64
	Cells []store.ACSCell // one for each column of the table
	// Faults are figures that were not taken; the cells have ACSFiltered in
	// their place.
	Faults []ACSFault
	Line   int
}

// An ACSFault is a figure that was not taken.
type ACSFault struct {
	Reason string // the same words for all such figures
	Given  string
}

// Rows reads the rows. A row whose parts do not add up to their total gives an
// error that matches [format.ErrValue], another kind of area one that matches
// [format.ErrOther].
func (p *ACSProfile) Rows() iter.Seq2[ACSProfileRow, error] {
	labels := p.labels // the first row, which is passed over
	return parsed(p.file.Rows(acsOptions), func(f format.Row) (row ACSProfileRow, err error) {
		if labels {
			labels = false
			return row, errSkip
		}
		row.Cells = make([]store.ACSCell, len(p.fields))
		err = p.parse(f, &row)
		return row, err
	})
}

// parse reads a row: numbers first, then annotations, which replace numbers that are
// codes. Columns of annotations may stand before or behind those of their numbers.
func (p *ACSProfile) parse(f format.Row, row *ACSProfileRow) error {
	level, geoid, err := p.areaOf(f)
	if err != nil {
		return err
	}
	if level != p.table.Level {
		return &format.Error{File: p.name, Line: f.Number, Column: "GEO_ID", Reason: fmt.Sprintf("%q in a table of the level %s", p.geoid(f), p.table.Level), Err: format.ErrOther}
	}
	row.GEOID, row.Line = geoid, f.Number
	p.figures(f.Fields(), row, false)
	p.figures(f.Fields(), row, true)
	for i := range row.Cells {
		p.settle(i, row)
	}
	return p.checkSums(row)
}

// figures reads the measures of a record, or their annotations, which win.
func (p *ACSProfile) figures(fields []string, row *ACSProfileRow, notes bool) {
	for i, c := range p.columns {
		if c.at < 0 || c.note != notes {
			continue
		}
		s := fields[i]
		if notes && (s == "" || s == "null") {
			continue
		}
		decimals := p.fields[c.at].Decimals
		if c.measure >= acsPercent {
			decimals = 1
			if p.table.Columns[c.at].Class == store.ACSPlain {
				decimals = p.fields[c.at].Decimals // totals repeat themselves
			}
		}
		f, err := acsFigure(s, decimals)
		if err != nil {
			if !notes {
				row.fault("a figure that is none", "%s: %v", p.column(c), err)
				*measure(&row.Cells[c.at], c.measure) = store.ACSFigure{Mark: store.ACSFiltered}
			}
			continue
		}
		if notes && f.Mark == store.ACSNumber {
			continue // an annotation that is a number has no meaning
		}
		*measure(&row.Cells[c.at], c.measure) = f
	}
}

func (p *ACSProfile) column(c acsColumn) string {
	return p.fields[c.at].Column(p.table.Year) + [...]string{"", " margin of error", " percent", " percent margin of error"}[c.measure]
}

func measure(c *store.ACSCell, m int) *store.ACSFigure {
	switch m {
	case 0:
		return &c.Estimate
	case 1:
		return &c.MOE
	case acsPercent:
		return &c.Percent
	default:
		return &c.PercentMOE
	}
}

func (r *ACSProfileRow) fault(reason, given string, args ...any) {
	r.Faults = append(r.Faults, ACSFault{reason, fmt.Sprintf(given, args...)})
}

// settle brings a cell into the form of its column's class: percentages that are not shares
// are left out, those that contradict the estimates are refused. The file does not store
// percentages of counts, because they follow from the estimates (decision D23). One that
// does not would be lost silently, so that it is a fault, and the pair is withheld.
func (p *ACSProfile) settle(i int, row *ACSProfileRow) {
	c, col := &row.Cells[i], &p.table.Columns[i]
	for m := range acsMeasures {
		if f := measure(c, m); f.Mark == store.ACSAbsent {
			f.Mark = store.ACSFiltered
		}
	}
	x := store.ACSFigure{Mark: store.ACSNotApplicable}
	id := p.fields[i].Column(p.table.Year)
	switch col.Class {
	case store.ACSPlain:
		if c.Percent.Mark.IsNumber() && c.Percent != c.Estimate {
			row.fault("a percentage of a figure that has none", "%s: %d", id, c.Percent.N)
		}
		c.Percent, c.PercentMOE = store.ACSFigure{}, store.ACSFigure{}
	case store.ACSPercentOnly:
		if c.Estimate.Mark.IsNumber() || c.MOE.Mark.IsNumber() {
			row.fault("a count of a figure that is a percentage", "%s: %d", id, c.Estimate.N)
		}
		c.Estimate, c.MOE = x, x
	default:
		if col.Denominator < 0 {
			return
		}
		total := row.Cells[col.Denominator].Estimate
		if c.Estimate.Mark != store.ACSNumber || c.Percent.Mark != store.ACSNumber || total.Mark != store.ACSNumber {
			return
		}
		if want, ok := store.ACSPercent(c.Estimate.N, total.N); ok && c.Percent.N != want {
			row.fault("a percentage that is not the estimate's share", "%s: %d.%d %%, the estimates give %d of %d", id, c.Percent.N/10, c.Percent.N%10, c.Estimate.N, total.N)
			c.Percent, c.PercentMOE = store.ACSFigure{Mark: store.ACSFiltered}, store.ACSFigure{Mark: store.ACSFiltered}
		}
	}
}

// checkSums compares parts with their totals if all of them are numbers. A row whose
// columns are shifted by one does not add up, which the names of the columns cannot show.
func (p *ACSProfile) checkSums(row *ACSProfileRow) error {
next:
	for _, s := range p.sums {
		first, last := s[0], s[len(s)-1]
		total := row.Cells[first].Estimate
		sum := int64(0)
		for _, i := range s[1:] {
			f := row.Cells[i].Estimate
			if f.Mark != store.ACSNumber {
				continue next
			}
			sum += int64(f.N)
		}
		if total.Mark == store.ACSNumber && sum != int64(total.N) {
			return &format.Error{
				File: p.name, Line: row.Line, Column: p.fields[first].Column(p.table.Year), Err: format.ErrValue,
				Reason: fmt.Sprintf("%s is %d, its parts %s to %s add up to %d", p.fields[first].Key(), total.N, p.fields[s[1]].Name, p.fields[last].Name, sum),
			}
		}
	}
	return nil
}
