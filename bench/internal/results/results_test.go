package results_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/bench/internal/results"
)

func TestTable(t *testing.T) {
	table := results.Table{Title: "searches", Columns: []string{"search", "found", "time", "note"}}
	table.Add("near", 12345, results.Duration(1234), "fast")
	table.Add("far", -123456, results.Duration(999.6))
	var b strings.Builder
	table.Print(&b)
	want := `
## searches

| search | found | time | note |
| --- | ---: | ---: | --- |
| near | 12,345 | 1.23 µs | fast |
| far | -123,456 | 1 µs |  |
`
	if b.String() != want {
		t.Errorf("%s\nwant%s", b.String(), want)
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 7.4: "7", 999: "999", 999.6: "1,000", 41234: "41,200", 1999999: "2,000,000"} {
		if got := results.Number(v); got != want {
			t.Errorf("Number(%v) is %s, want %s", v, got, want)
		}
	}
	for ns, want := range map[float64]string{0.5: "0.5 ns", 123: "123 ns", 45678: "45.7 µs", 1e6: "1 ms", 2.5e9: "2.5 s", 1832e9: "30.5 min"} {
		if got := results.Duration(ns); got != want {
			t.Errorf("Duration(%v) is %s, want %s", ns, got, want)
		}
	}
	for n, want := range map[float64]string{3.512e6: "3.51 MB", 99.94e6: "99.9 MB", 127e6: "127 MB", 2521e6: "2,520 MB"} {
		if got := results.Megabytes(n); got != want {
			t.Errorf("Megabytes(%v) is %s, want %s", n, got, want)
		}
	}
	if m := results.Median([]float64{3, 1, 2}); m != 2 || results.Median(nil) != 0 {
		t.Errorf("median %v", m)
	}
}
