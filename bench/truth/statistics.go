package main

import (
	"fmt"
	"os"
	"slices"
)

// median returns the middle one of the values, which it sorts; 0 for none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// most returns the largest of the values; 0 for none.
func most(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values)
}

// report says which case failed.
func report(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// percentile returns the value that p of 100 of the sorted values do not
// exceed; 0 for none.
func percentile(sorted []float64, p int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}
