package storetest

import (
	"os"
	"strconv"
)

// Times returns how often a test does something: the number in an environment
// variable, else n. `make soak` sets them to the numbers that the figures of
// the documentation stand for.
func Times(variable string, n int) int {
	if v, err := strconv.Atoi(os.Getenv(variable)); err == nil && v > 0 {
		return v
	}
	return n
}
