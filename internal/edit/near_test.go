package edit_test

import (
	"slices"
	"testing"

	"github.com/postgeo/postgeo/internal/edit"
)

func TestNearPaths(t *testing.T) {
	paths := []string{"code", "city", "state", "nearest.state", "county_fips", "metro.msa_name", "timezone.name", "location.lat", "elevation.ft"}
	tests := []struct {
		wrong string
		want  []string
	}{
		{"lat", []string{"location.lat"}},
		{"state.code", []string{"state", "code"}},
		{"state_abbr", []string{"state", "nearest.state"}},
		{"msa.name", []string{"metro.msa_name", "timezone.name"}},
		{"countyfips", []string{"county_fips"}},
		{"Elevaton.ft", []string{"elevation.ft"}},
		{"income", nil}, // three letters from "code", but half of them
		{"", nil},
	}
	for _, tt := range tests {
		if got := edit.NearPaths(tt.wrong, paths, 2); !slices.Equal(got, tt.want) {
			t.Errorf("NearPaths(%q) = %q, want %q", tt.wrong, got, tt.want)
		}
	}
}
