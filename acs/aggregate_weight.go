package acs

import (
	"slices"
	"strconv"
	"strings"
)

// A median or a rate of several areas can't be computed from those of its parts alone. The
// registry has a column agg_weight for each such field:
//
//	income.families
//		a mean of the parts, weighted by this count
//	commuting.workers_16_plus-commuting.worked_from_home
//		the same, weighted by a difference of counts
//	=100*sex_and_age.male/sex_and_age.female
//		a quotient of sums, times a factor
//	=1000*fertility.women_with_birth/implied_women
//		births per 1,000 women, whose number no table has
//
// A quotient of sums is exact. A weighted median is not the median of the whole, but the
// best that published tables give for all areas and years; BracketMedian is closer where a
// distribution is published. A part that lacks any of the figures is left out entirely.

// A weight describes the computation of a field that is not a sum. Fields are
// named by their positions in the built-in list.
type weight struct {
	// Of a quotient: factor × the sum of over / the sum of under.
	factor      float64 // 0: the field is a mean, weighted by terms
	over, under int16

	// women indicates that under is the number of women of a birth rate. No
	// table contains it; it follows from births and rate, or without births
	// from the women of 15 years and over.
	women bool

	terms []term
}

// A term is a count that is added to or subtracted from a weight.
type term struct {
	field int16
	sign  float64
}

// womenField replaces the number of women of a birth rate.
const womenField = "marital_status.females_15_plus"

// setWeights sets the weights of the fields that are not sums, and the fields of other
// profiles that they need. A weight that names an unknown field is left out.
func (r *registry) setWeights() {
	r.weights = map[int16]weight{}
	for i := range r.fields {
		f := &r.fields[i]
		if f.Kind == Count || f.Weight == "" {
			continue
		}
		w, ok := r.weight(f)
		if !ok {
			continue
		}
		r.weights[int16(i)] = w
		w.needs(func(field int16) {
			p := r.fields[field].Profile
			if p != f.Profile && !slices.Contains(r.foreign[p], field) {
				r.foreign[p] = append(r.foreign[p], field)
			}
		})
	}
	for _, fields := range r.foreign {
		slices.Sort(fields)
	}
}

func (r *registry) weight(f *Field) (w weight, ok bool) {
	text, quotient := strings.CutPrefix(f.Weight, "=")
	if !quotient {
		sign := 1.0
		for name := range strings.SplitSeq(text, "-") {
			at, ok := r.positionOf(f.Profile, name)
			if !ok {
				return w, false
			}
			w.terms = append(w.terms, term{at, sign})
			sign = -1
		}
		return w, true
	}
	w.factor = 1
	if factor, rest, found := strings.Cut(text, "*"); found {
		v, err := strconv.ParseFloat(factor, 64)
		if err != nil || v <= 0 {
			return w, false
		}
		w.factor, text = v, rest
	}
	over, under, _ := strings.Cut(text, "/")
	if under == "implied_women" {
		w.women, under = true, womenField
	}
	var known [2]bool
	w.over, known[0] = r.positionOf(f.Profile, over)
	w.under, known[1] = r.positionOf(f.Profile, under)
	return w, known == [2]bool{true, true}
}

func (r *registry) positionOf(p Profile, name string) (int16, bool) {
	f := r.sectionField(p, name)
	if f == nil {
		return 0, false
	}
	i, ok := r.find(f.Key())
	return int16(i), ok
}

func (w *weight) needs(f func(field int16)) {
	if w.factor != 0 {
		f(w.over)
		f(w.under)
	}
	for _, t := range w.terms {
		f(t.field)
	}
}

// of computes a field that is not a sum from own, its figures by part, and
// tenths, the weights of parts. The function column returns the figures of
// another field. The result is false if no part has all required figures.
func (w *weight) of(own figures, tenths []int32, column func(field int16) figures) (float64, bool) {
	switch {
	case w.women:
		return w.births(own, tenths, column(w.over), column(w.under))
	case w.factor != 0:
		return w.quotient(tenths, column(w.over), column(w.under))
	}
	by, ok := w.by(column)
	if !ok || own.n == nil {
		return 0, false
	}
	// The conversions round each product. Without them, Go may fuse x*y + z into one rounding
	// on arm64 and not on amd64, and published numbers would differ between machines.
	var sum, total float64
	for i, n := range own.n {
		if b := by[i]; b > 0 && n != unknownCount {
			c := float64(float64(b) * float64(tenths[i]))
			v := float64(n)
			if own.unit != 1 { // most are whole, and need no division
				v /= own.unit
			}
			sum += float64(c * v)
			total += c
		}
	}
	return sum / total, total > 0 // NaN without parts, which no caller reads
}

// by returns the count that weights each part, negative if unknown.
func (w *weight) by(column func(field int16) figures) ([]int32, bool) {
	if len(w.terms) == 0 {
		return nil, false
	}
	first := column(w.terms[0].field).n // whose sign is plus
	if len(w.terms) == 1 || first == nil {
		return first, first != nil
	}
	counts := slices.Clone(first)
	for _, t := range w.terms[1:] {
		of := column(t.field).n
		if of == nil {
			return nil, false
		}
		for i, n := range of {
			switch {
			case n == unknownCount || counts[i] == unknownCount:
				counts[i] = unknownCount
			default:
				counts[i] += int32(t.sign) * n
			}
		}
	}
	return counts, true
}

func (f figures) at(i int) float64 { return float64(f.n[i]) / f.unit }

func (w *weight) quotient(tenths []int32, over, under figures) (float64, bool) {
	if over.n == nil || under.n == nil {
		return 0, false
	}
	var sum, total float64
	for i := range over.n {
		if over.n[i] != unknownCount && under.n[i] != unknownCount {
			sum += float64(float64(tenths[i]) * over.at(i))
			total += float64(float64(tenths[i]) * under.at(i))
		}
	}
	return w.factor * sum / total, total > 0
}

// births divides births by the women that each part's rate implies. In parts
// without births the same share of the women of 15 and over counts.
func (w *weight) births(rate figures, tenths []int32, births, women figures) (float64, bool) {
	if rate.n == nil || births.n == nil || women.n == nil {
		return 0, false
	}
	var born, implied, known, unknown float64
	for i, r := range rate.n {
		if r == unknownCount || births.n[i] == unknownCount {
			continue
		}
		by, b := float64(tenths[i]), births.at(i)
		counted := women.n[i] != unknownCount
		switch {
		case r > 0:
			born += float64(by * b)
			implied += float64(by*w.factor*b) / rate.at(i)
			if counted {
				known += float64(by * women.at(i))
			}
		case counted:
			unknown += float64(by * women.at(i))
		}
	}
	// A rate of 0 implies no number of women. Leaving such parts out would raise the rate of
	// the whole.
	if known > 0 {
		implied *= 1 + unknown/known
	}
	switch {
	case implied > 0:
		return w.factor * born / implied, true
	default:
		return 0, unknown > 0 // no births anywhere
	}
}
