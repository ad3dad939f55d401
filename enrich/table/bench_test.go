package table_test

import (
	"io"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
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

// BenchmarkRow answers rows of each kind.
func BenchmarkRow(b *testing.B) {
	kinds := []struct {
		name, key string
		opt       enrich.Options
	}{
		{"quick", "90210", enrich.Options{Kind: enrich.Code, Add: []string{"city", "county_fips"}}},
		{"record", "90210", enrich.Options{Kind: enrich.Code, Add: []string{"metro.msa", "census.county.fips"}}},
		{"survey", "90210", enrich.Options{Kind: enrich.Code, Add: []string{"acs.economic.income.median_household_income"}}},
		{"coordinates", "34.1,-118.415", enrich.Options{Kind: enrich.Coordinates, Add: []string{"code", "county_fips"}}},
		{"address", "350 5th Ave, New York NY 10118", enrich.Options{Kind: enrich.Address, Add: []string{"code", "county_fips"}}},
	}
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			e, err := enrich.New(sampletest.Shared(b), k.opt)
			if err != nil {
				b.Fatal(err)
			}
			var values []enrich.Value
			b.ReportAllocs()
			for b.Loop() {
				var out enrich.Outcome
				if values, out, err = e.Row(b.Context(), k.key, values[:0]); err != nil || !out.Status.Answered() {
					b.Fatal(out, err)
				}
			}
		})
	}
}
