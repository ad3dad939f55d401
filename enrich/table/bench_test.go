package table_test

import (
	"io"
	"strings"
	"testing"
)

// BenchmarkRun enriches a table of 6,000 rows. An operation is a row.
func BenchmarkRun(b *testing.B) {
	const n = 6000
	text := customers(n)
	for rows := 0; b.Loop(); rows++ {
		if rows%n > 0 {
			continue
		}
		j := job{add: []string{"city", "county_fips"}}
		if sum, err := j.pipe(b, strings.NewReader(text), io.Discard); err != nil || sum.Rows != n {
			b.Fatal(sum, err)
		}
	}
}
