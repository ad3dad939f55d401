package store_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// TestPlaceGEOID checks that the numbers of places and county subdivisions lead back to
// their GEOIDs, also in states whose GEOIDs of ten digits exceed 32 bits.
func TestPlaceGEOID(t *testing.T) {
	for _, geoid := range []string{"0100100", "7287863", "0900137070", "2502379530", "5002100000", "5599999999"} {
		if got := store.PlaceGEOID(store.PlaceRef(geoid), geoid[:2]); got != geoid {
			t.Errorf("%s becomes %s", geoid, got)
		}
	}
	for _, other := range []string{"", "12345", "x100100", "550251234567"} {
		if ref := store.PlaceRef(other); ref != 0 {
			t.Errorf("the number of %q is %d; want 0", other, ref)
		}
	}
}
