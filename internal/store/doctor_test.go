package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/geo"
)

func TestExamine(t *testing.T) {
	c := small()
	c.ZIPs[4].Location, c.ZIPs[4].County = geo.MustLatLng(1, 1), 0
	c.FSADetails[1].LandArea = ptr(int64(9876543))
	c.FSAs[1].Location = geo.MustLatLng(1, 1)
	findings, err := open(t, c.file(t)).Examine(t.Context())
	check(t, err)
	type line struct{ Code, Problem string }
	var got []line
	for i, f := range findings {
		got = append(got, line{f.Code, f.Problem})
		if i > 0 && f.People > findings[i-1].People {
			t.Errorf("%s affects %d people and comes after %s with %d", f.Code, f.People, findings[i-1].Code, findings[i-1].People)
		}
		if f.Detail == "" {
			t.Errorf("%s %s has no detail", f.Code, f.Problem)
		}
		if outside := strings.HasPrefix(f.Problem, "point outside"); outside != (f.Outside > 0) {
			t.Errorf("%s %s: %v miles outside", f.Code, f.Problem, f.Outside)
		}
	}
	for _, want := range []line{
		{"90210", "class inferred"},
		{"90210", "county disagreement"},
		{"99999", "no county"},
		{"99999", "no population"},
		{"00000", "no point"},
		{"K1A", "outline area"},
		{"K1A", "point outside outline"},
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%v is missing", want)
		}
	}
}
