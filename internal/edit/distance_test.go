package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/edit"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("ab", edit.Longest/2)
	tests := []struct {
		a, b  string
		limit int
		want  int
	}{
		{"", "", 0, 0},
		{"MAIN", "MAIN", 0, 0},
		{"MAIN", "", 9, 4},
		{"MAIN", "MIAN", 2, 1},
		{"MAIN", "MAN", 2, 1},
		{"MAIN", "MAINE", 2, 1},
		{"MAIN", "MARN", 2, 1},
		{"MAIN", "OAK", 1, 2},
		{"MAIN", "OAK", 9, 3},
		{"CA", "ABC", 9, 3}, // no letter is touched twice
		{"A", "B", -1, 0},
		{long, long, 0, 0},
		{long, "x" + long, 5, 6},             // too long
		{long, long[1:] + "x", 200, 2},       // as long as may be
		{long[:60], "x" + long[1:59], 20, 2}, // longer than the short rows
	}
	for _, tt := range tests {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := edit.Distance(pair[0], pair[1], tt.limit); got != tt.want {
				t.Errorf("Distance(%q, %q, %d) = %d, want %d", pair[0], pair[1], tt.limit, got, tt.want)
			}
		}
	}
}

// naive is the distance by its definition, with a whole table.
func naive(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// FuzzDistance checks the distance against its definition.
func FuzzDistance(f *testing.F) {
	f.Add("MAIN", "MIAN", 2)
	f.Add("acs.economic.income", "acs.ecomonic.incom", 9)
	f.Add(strings.Repeat("a", 60), strings.Repeat("ab", 30), 40)
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		if len(a) > edit.Longest || len(b) > edit.Longest || limit < 0 || limit > 2*edit.Longest {
			return
		}
		if got, want := edit.Distance(a, b, limit), min(naive(a, b), limit+1); got != want {
			t.Fatalf("Distance(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
		}
	})
}

func BenchmarkDistance(b *testing.B) {
	for _, pair := range [][2]string{{"WASHINGTON", "WASHNIGTON"}, {"acs.economic.income.median_household_income", "acs.economic.income.median_houshold_incom"}} {
		b.Run(fmt.Sprint(len(pair[0])), func(b *testing.B) {
			for b.Loop() {
				edit.Distance(pair[0], pair[1], 2)
			}
		})
	}
}

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
