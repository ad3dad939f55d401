package address_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

func textOf(s address.Suggestion) string {
	return strings.TrimSpace(s.Number+" "+s.Street) + ", " + s.City + " " + s.State + " " + s.ZIP
}

// TestSuggestTyped types addresses from left to right: every keystroke has
// suggestions, and the last one has the address.
func TestSuggestTyped(t *testing.T) {
	t.Run("sample", func(t *testing.T) {
		d := lookuptest.Sample(t)
		var lines []string
		for _, c := range nameCases(t, d) {
			lines = append(lines, c.line()+", "+c.city+", "+c.record.State+" "+c.record.ZIP.String())
		}
		typeAddresses(t, engineOn(t, d), lines)
	})
	t.Run("Virginia", func(t *testing.T) {
		m := truthFixture(t).engine(t)
		n := 100
		if os.Getenv("POSTGEO_LONG") != "" {
			n = 2000
		}
		typeAddresses(t, m, realAddresses(t, m, n))
	})
}

// typeAddresses types each line from left to right.
func typeAddresses(t *testing.T, m *address.Engine, lines []string) {
	t.Helper()
	var took []time.Duration
	empty, missing := 0, 0
	for _, line := range lines {
		for n := 1; n <= len(line); n++ {
			began := time.Now()
			got, err := m.Suggest(t.Context(), line[:n], 10, geo.LatLng{})
			took = append(took, time.Since(began))
			check(t, err)
			if len(got) == 0 {
				if empty++; empty <= 10 {
					t.Errorf("%q has no suggestions", line[:n])
				}
			}
			plain := strings.ReplaceAll(line, ",", "")
			if n == len(line) && !slices.ContainsFunc(got, func(s address.Suggestion) bool {
				return strings.ReplaceAll(textOf(s), ",", "") == strings.ToUpper(plain)
			}) {
				if missing++; missing <= 10 {
					t.Errorf("%q is missing in %v", line, got)
				}
			}
		}
	}
	slices.Sort(took)
	t.Logf("%d addresses, %d keystrokes, %d empty, %d missing, p50 %v, p99 %v", len(lines), len(took), empty, missing, took[len(took)/2], took[len(took)*99/100])
}

// realAddresses returns addresses of the shared data that the dataset has.
func realAddresses(t *testing.T, m *address.Engine, n int) []string {
	t.Helper()
	rows := truthRows(t, "va_address_points.csv.gz")
	random := rand.New(rand.NewPCG(1, 2))
	var lines []string
	for len(lines) < n {
		r := rows[random.IntN(len(rows))]
		line := strings.Join(strings.Fields(strings.Join(r[2:7], " ")), " ") + ", " + r[8] + ", " + r[9] + " " + r[10]
		if got, err := m.Match(t.Context(), line, address.Options{}); err == nil && got.Data.AddressLine1 == strings.SplitN(line, ",", 2)[0] && strings.Contains(got.Data.AddressLine2, r[8]) {
			lines = append(lines, line)
		}
	}
	return lines
}

func BenchmarkSuggest(b *testing.B) {
	m := truthFixture(b).engine(b)
	texts := []string{"7", "710 ", "710 w", "710 wythe st", "710 wythe st, alex", "710 wythe st, alexandria, va 223", "wy"}
	took := make([]time.Duration, 0, 1<<16)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		began := time.Now()
		if _, err := m.Suggest(b.Context(), texts[i%len(texts)], 10, geo.LatLng{}); err != nil {
			b.Fatal(err)
		}
		if len(took) < cap(took) {
			took = append(took, time.Since(began))
		}
		i++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-us")
}
