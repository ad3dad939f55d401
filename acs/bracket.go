package acs

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/postgeo/postgeo/internal/store"
)

// A bracket is an interval of a distribution, e.g. the households with 50,000
// to 75,000 dollars, and their number.
type bracket struct {
	// Low and High are the ends of the interval. An infinite High is an open
	// end. OpenBelow indicates that the interval has no lower end.
	Low, High float64
	OpenBelow bool
	Count     estimate
}

// medianOfBrackets returns the median of a distribution with ascending brackets, each
// with an even distribution, as the Census Bureau assumes. The mark is exact, or atLeast
// or atMost if the median is in an open bracket; the value is then the bracket's known
// end. If all counts are 0, the mark is notApplicable. The argument moe is the margin of
// the total; if NaN, it follows from the counts.
//
// The margin of error follows the Census Bureau's advice to users of its
// microdata. The standard error of the share below the median is added to and
// subtracted from one half. Half the distance between the values at these two
// shares is the median's standard error. It is NaN if an open bracket is
// reached or a count's margin is unknown.
func medianOfBrackets(brackets []bracket, moe float64) (estimate, store.ACSMark) {
	d := distribution{brackets: brackets, below: make([]float64, len(brackets)+1)}
	var all sum
	for i, b := range brackets {
		all.add(b.Count)
		d.below[i+1] = all.value
	}
	total := all.estimate()
	if !math.IsNaN(moe) {
		total.MOE = moe
	}
	if !(total.Value > 0) {
		return estimate{math.NaN(), math.NaN()}, notApplicable
	}
	at := d.find(total.Value / 2)
	b := &brackets[at]
	switch {
	case math.IsInf(b.High, 1):
		return estimate{b.Low, math.NaN()}, atLeast
	case b.OpenBelow:
		return estimate{b.High, math.NaN()}, atMost
	}
	// The error of the share below: the larger of those at the bracket's ends.
	var below sum
	for i := range at {
		below.add(brackets[i].Count)
	}
	low := proportion(below.estimate(), total)
	below.add(b.Count)
	high := proportion(below.estimate(), total)
	share := math.Max(low.MOE, high.MOE) / z90 // math.Max is NaN if either is
	from, to := d.quantile((0.5-share)*total.Value), d.quantile((0.5+share)*total.Value)
	return estimate{d.quantile(total.Value / 2), z90 * (to - from) / 2}, exact
}

// A distribution holds brackets and the count below the beginning of each.
type distribution struct {
	brackets []bracket
	below    []float64
}

// find returns the bracket whose end is the first with a count below of at
// least n.
func (d *distribution) find(n float64) int {
	at, _ := slices.BinarySearch(d.below[1:], n)
	return min(at, len(d.brackets)-1)
}

// quantile returns the value below which n lie; NaN in open brackets.
func (d *distribution) quantile(n float64) float64 {
	total := d.below[len(d.brackets)]
	if !(n >= 0 && n <= total) {
		return math.NaN()
	}
	at := d.find(n)
	b := &d.brackets[at]
	if b.OpenBelow || math.IsInf(b.High, 1) {
		return math.NaN()
	}
	inside := d.below[at+1] - d.below[at]
	if inside == 0 {
		return b.Low
	}
	return b.Low + float64((n-d.below[at])/inside*(b.High-b.Low)) // rounded before the sum: see weight.of
}

// A fieldBracket is an interval of a distribution and the field that counts it.
type fieldBracket struct {
	Field     string  // full name
	Low, High float64 // an infinite High is an open end
	OpenBelow bool    // the interval has no lower end
}

// A bracketing lists the intervals of a median's distribution in some years.
type bracketing struct {
	median      string // full name
	first, last int    // years; 0: no limit
	bins        []fieldBracket
}

//go:embed brackets.csv
var bracketsCSV []byte

// bracketings returns the distributions that medians can be interpolated from.
var bracketings = sync.OnceValue(func() (list []bracketing) {
	rows, err := csv.NewReader(bytes.NewReader(bracketsCSV)).ReadAll()
	if err != nil {
		panic(err)
	}
	number := func(text string, missing float64) float64 {
		if text == "" {
			return missing
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	for i, row := range rows[1:] { // median, first_year, last_year, field, low, high
		if last := rows[i]; !slices.Equal(row[:3], last[:3]) {
			list = append(list, bracketing{median: row[0], first: int(number(row[1], 0)), last: int(number(row[2], 0))})
		}
		b := &list[len(list)-1]
		bin := fieldBracket{Field: row[3], Low: number(row[4], 0), High: number(row[5], math.Inf(1))}
		// The lowest interval of money begins at the least amount that the Census Bureau
		// publishes as a median, such as 2,500 for incomes, and holds everything below it too.
		// Lowest intervals of ages and rents begin at 0.
		const money = 1000
		bin.OpenBelow = len(b.bins) == 0 && bin.Low >= money
		b.bins = append(b.bins, bin)
	}
	return list
})

// brackets returns the ascending intervals of the median's distribution in a
// year's table, or nil. They must not be changed.
func (f *Field) brackets(year int) []fieldBracket {
	if f.Kind != Median {
		return nil
	}
	key := f.Key()
	for _, b := range bracketings() {
		if b.median == key && year >= b.first && (b.last == 0 || year <= b.last) {
			return b.bins
		}
	}
	return nil
}
