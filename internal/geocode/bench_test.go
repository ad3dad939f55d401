package geocode_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/dataset/build"
)

// BenchmarkVermont geocodes all address points of Vermont in random order, and
// reverses their positions.
func BenchmarkVermont(b *testing.B) {
	all := vermont(b)
	rand.New(rand.NewPCG(18, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	db := geocoder(b, build.Options{AddressPoints: []string{csvOf(b, all)}})
	for i := range all {
		if r, err := db.Geocode(b.Context(), all[i].text, postgeo.GeocodeOptions{}); err == nil {
			all[i].text = r.Formatted // with the city
		}
	}
	inc, _ := postgeo.ParseAddressInclude([]string{"census,cd,state_leg,school_district"})
	for _, bb := range []struct {
		name string
		call func(a *addressLine) error
	}{
		{"geocode", func(a *addressLine) error {
			_, err := db.Geocode(b.Context(), a.text, postgeo.GeocodeOptions{})
			return err
		}},
		{"geocode/include", func(a *addressLine) error {
			_, err := db.Geocode(b.Context(), a.text, postgeo.GeocodeOptions{Include: inc})
			return err
		}},
		{"reverse", func(a *addressLine) error {
			_, err := db.Reverse(b.Context(), a.at, postgeo.ReverseOptions{})
			return err
		}},
		{"reverse/include", func(a *addressLine) error {
			_, err := db.Reverse(b.Context(), a.at, postgeo.ReverseOptions{Include: inc})
			return err
		}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if err := bb.call(&all[i%len(all)]); err != nil && !errors.Is(err, postgeo.ErrNotFound) {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}
