package store_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// TestHouseNumberString writes numbers as people do: the second part of 62-01 has two
// digits, that of 5-3 one.
func TestHouseNumberString(t *testing.T) {
	for text, want := range map[string]string{
		"62-01": "62-01", "62-1": "62-01", "10-4": "10-04", "61-15": "61-15", "5-3": "5-3", "5-03": "5-3", "1-3": "1-3",
		"12A": "12A", "8 1/2": "8 1/2", "N6W23001": "N6W23001",
	} {
		if n, ok := store.ParseHouseNumber(text); !ok || n.String() != want {
			t.Errorf("%s: %s, %v; want %s", text, n, ok, want)
		}
	}
}
