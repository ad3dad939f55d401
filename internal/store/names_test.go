package store_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

func TestNames(t *testing.T) {
	for class, want := range map[store.Class]string{
		store.General: "General", store.POBox: "PO Box", store.Military: "Military", store.Unique: "Unique", 0: "", 'X': "",
	} {
		if got := class.Name(); got != want {
			t.Errorf("Class(%q).Name() = %q, want %q", byte(class), got, want)
		}
	}
	for country, want := range map[store.Country]string{store.US: "US", store.CA: "CA", 0: "", 9: ""} {
		if got := country.String(); got != want {
			t.Errorf("Country(%d) = %q, want %q", country, got, want)
		}
	}
	for tri, want := range map[store.Tri]string{store.Unknown: "unknown", store.No: "no", store.Yes: "yes", 9: ""} {
		if got := tri.String(); got != want {
			t.Errorf("Tri(%d) = %q, want %q", uint8(tri), got, want)
		}
		if got, want := tri.Known(), want == "no" || want == "yes"; got != want {
			t.Errorf("Tri(%d).Known() = %t, want %t", uint8(tri), got, want)
		}
	}
}
