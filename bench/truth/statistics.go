package main

import (
	"fmt"
	"os"
	"slices"
)

// median sorts the values and returns the middle one, or 0 if there are none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// most returns the largest value, or 0 if there are none.
func most(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values)
}

// report prints a failed case.
func report(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// percentile returns the value that p percent of the sorted values do not
// exceed, or 0 if there are none.
func percentile(sorted []float64, p int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}
