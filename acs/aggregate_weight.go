package acs

import (
	"strconv"
	"strings"
)

// A weight says how a field that does not add up is made of those that do.
// Fields are named by their positions in the built-in list.
type weight struct {
	// Of a quotient: factor × the sum of over / the sum of under.
	factor      float64 // 0: the field is a mean, weighted by terms
	over, under int16

	// women says that under is how many women a rate of births speaks of,
	// which no table tells: it follows from the births and the rate, and where
	// there were no births from the women of 15 years and over.
	women bool

	terms []term
}

// A term is a count that is added to or subtracted from a weight.
type term struct {
	field int16
	sign  float64
}

// womenField stands in for the women that a rate of births speaks of.
const womenField = "marital_status.females_15_plus"

// weights reads what weighs the fields that do not add up. A field whose
// weight names an unknown field has none.
func (r *Registry) weights() map[int16]weight {
	all := map[int16]weight{}
	for i := range r.fields {
		f := &r.fields[i]
		if f.Kind == Count || f.Weight == "" {
			continue
		}
		if w, ok := r.weight(f); ok {
			all[int16(i)] = w
		}
	}
	return all
}

func (r *Registry) weight(f *Field) (w weight, ok bool) {
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

func (r *Registry) positionOf(p Profile, name string) (int16, bool) {
	f := r.sectionField(p, name)
	if f == nil {
		return 0, false
	}
	i, ok := r.Find(f.Key())
	return int16(i), ok
}

// needs calls f with each field that the weight is made of.
func (w *weight) needs(f func(field int16)) {
	if w.factor != 0 {
		f(w.over)
		f(w.under)
	}
	for _, t := range w.terms {
		f(t.field)
	}
}

// of works out a field that does not add up. own are its figures by part;
// column returns those of another field. Parts without a figure are NaN.
// tenths is how much of each part counts. It is false where no part has all
// that is needed.
func (w *weight) of(own []float64, tenths []int32, column func(field int16) []float64) (float64, bool) {
	switch {
	case w.women:
		return w.births(own, tenths, column(w.over), column(w.under))
	case w.factor != 0:
		return w.quotient(tenths, column(w.over), column(w.under))
	}
	counts := make([]float64, len(own))
	for _, t := range w.terms {
		of := column(t.field)
		if of == nil {
			return 0, false
		}
		for i, v := range of {
			counts[i] += t.sign * v
		}
	}
	var sum, total float64
	for i, v := range own {
		if by := counts[i] * float64(tenths[i]); v == v && by > 0 { // neither is NaN
			sum += by * v
			total += by
		}
	}
	return sum / total, total > 0
}

func (w *weight) quotient(tenths []int32, over, under []float64) (float64, bool) {
	if over == nil || under == nil {
		return 0, false
	}
	var sum, total float64
	for i, a := range over {
		b := under[i]
		if a == a && b == b {
			sum += float64(tenths[i]) * a
			total += float64(tenths[i]) * b
		}
	}
	return w.factor * sum / total, total > 0
}

// births divides births by the women that each part's rate implies. Parts
// without births count as many of their women of 15 and over as the others do.
func (w *weight) births(rate []float64, tenths []int32, births, women []float64) (float64, bool) {
	if births == nil || women == nil {
		return 0, false
	}
	var born, implied, known, unknown float64
	for i, r := range rate {
		by, b, all := float64(tenths[i]), births[i], women[i]
		switch {
		case r != r || b != b:
		case r > 0:
			born += by * b
			implied += by * w.factor * b / r
			if all == all {
				known += by * all
			}
		case all == all:
			unknown += by * all
		}
	}
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
