package dataset_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// residentMB is the resident memory of the process, 0 where the system does
// not tell.
func residentMB(t testing.TB) float64 {
	t.Helper()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		t.Fatalf("statm: %q", b)
	}
	pages, err := strconv.ParseFloat(fields[1], 64)
	check(t, err)
	return pages * float64(os.Getpagesize()) / 1e6
}
