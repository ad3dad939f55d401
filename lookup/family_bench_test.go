package lookup_test

import (
	"os"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
)

// benchReader opens the dataset that POSTGEO_DATA names, else the sample.
func benchReader(b *testing.B) *lookup.Reader {
	b.Helper()
	if path := os.Getenv("POSTGEO_DATA"); path != "" {
		return lookuptest.Reader(b, lookuptest.OpenFile(b, path))
	}
	return lookuptest.Reader(b, lookuptest.Sample(b))
}

// familyCodes are ZIPs with few and with many areas.
var familyCodes = []string{"90210", "06103", "20001", "10001", "99501", "60601", "33139", "98101"}

func boundaryFlags(b *testing.B) lookup.Options {
	b.Helper()
	inc, unknown := lookup.ParseOptions([]string{"census,cd,state_leg,school_district"})
	if unknown != nil {
		b.Fatal(unknown)
	}
	return inc
}

// BenchmarkFamilies measures full lookups with all boundary families, beside
// those without any.
func BenchmarkFamilies(b *testing.B) {
	r := benchReader(b)
	for _, c := range []struct {
		name string
		opt  lookup.Options
	}{{"without", lookup.Options{}}, {"all", boundaryFlags(b)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			areas := 0
			for i := 0; b.Loop(); i++ {
				rec, err := r.Full(b.Context(), familyCodes[i%len(familyCodes)], c.opt)
				if err != nil {
					b.Fatal(err)
				}
				if rec.Census != nil && rec.Census.Current != nil {
					areas += len(rec.Census.Current.Tract) + len(rec.Census.Current.Place)
				}
			}
			b.ReportMetric(float64(areas)/float64(b.N), "tracts+places/op")
		})
	}
}

// BenchmarkFamiliesAt measures the families around coordinates.
func BenchmarkFamiliesAt(b *testing.B) {
	r := benchReader(b)
	inc := boundaryFlags(b)
	var points []geo.LatLng
	for _, code := range familyCodes {
		q, err := r.Quick(b.Context(), code, lookup.QuickOptions{})
		if err != nil {
			b.Fatal(err)
		}
		points = append(points, q.Location)
		if _, _, err := r.FamiliesAt(b.Context(), q.Location, "", inc); err != nil { // reads the outlines
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, _, err := r.FamiliesAt(b.Context(), points[i%len(points)], "", inc); err != nil {
			b.Fatal(err)
		}
	}
}
