package storetest

import (
	"os"
	"strconv"
	"testing"
)

// Times returns the number of repetitions of a test: the value of an
// environment variable, else n, with -short a third of it. `make soak` sets the
// variables to the numbers behind the figures of the documentation.
func Times(variable string, n int) int {
	switch v, err := strconv.Atoi(os.Getenv(variable)); {
	case err == nil && v > 0:
		return v
	case testing.Short():
		return max(n/3, 1)
	default:
		return n
	}
}
