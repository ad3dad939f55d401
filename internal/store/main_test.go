package store_test

import "testing"

// fewer returns n, or a tenth of it with -short.
func fewer(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
