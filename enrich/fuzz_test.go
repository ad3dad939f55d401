package enrich_test

import (
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
)

// FuzzPath asks for fields of any path, and for rows of any key where one is
// taken.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"city", "a=census.county.1.name", "acs.2019.economic.income.median_household_income.moe", "radius.matches.code", "timezone.zones", "address.acs.tract.2023.social", "metro."} {
		f.Add(seed, "90210")
	}
	db := openSample(f)
	f.Fuzz(func(t *testing.T, path, key string) {
		for kind := enrich.Code; kind <= enrich.Address; kind++ {
			e, err := enrich.New(db, enrich.Options{Kind: kind, Add: []string{path}, DistanceTo: "10001", Radius: postgeo.RadiusOptions{Max: 1}})
			if err != nil {
				continue
			}
			values, out, err := e.Row(t.Context(), key, nil)
			if err != nil || len(values) != 1 || out.Status == 0 {
				t.Fatalf("Row(%q) with %q: %v, %v, %v", key, path, values, out, err)
			}
			if v := values[0]; !v.IsNull() && v.Type() != e.Columns()[0].Type {
				t.Fatalf("%q is a %v, its column is %v", path, v.Type(), e.Columns()[0].Type)
			}
		}
	})
}
