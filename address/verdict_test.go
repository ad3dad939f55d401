package address_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope/fault"
)

// verdictLines returns the action, the components that are not confirmed and the
// candidates.
func verdictLines(v *address.Verdict) []string {
	lines := []string{string(v.Action)}
	show := func(list []address.Component) string {
		var words []string
		for _, c := range list {
			if c.Status != address.Confirmed {
				words = append(words, strings.TrimRight(fmt.Sprintf("%s %s %s>%s", c.Part, c.Status, c.Given, c.Record), " >"))
			}
		}
		return strings.Join(words, "; ")
	}
	lines = append(lines, show(v.Components))
	for _, c := range v.Candidates {
		lines = append(lines, fmt.Sprintf("%d %s", c.Cost, c.Address))
	}
	return lines
}

func TestVerdict(t *testing.T) {
	city, streets := metropolis(t).engine(t), everyday(t)
	for _, tt := range []struct {
		engine *address.Engine
		text   string
		want   []string
	}{
		{city, "350 5th Ave, Metropolis, NY 10118", []string{
			"accept", "plus4 inferred >1001", "0 350 5TH AVE, METROPOLIS NY 10118-1001",
		}},
		{city, "150 Harbor St, Gotham, NY 10001", []string{
			"confirm", "city corrected GOTHAM>METROPOLIS; zip corrected 10001>10300; plus4 inferred >1004", "12 150 HARBOR ST, METROPOLIS NY 10300-1004",
		}},
		{city, "120 Pearl St, Metropolis, NY 10001", []string{
			"confirm", "", "10 120 PEARL ST, METROPOLIS NY 10300-1006", "10 120 N PEARL ST, METROPOLIS NY 10001-1005",
		}},
		{city, "120 N Pearl St, Metropolis, NY 10001", []string{
			"accept", "plus4 inferred >1005", "0 120 N PEARL ST, METROPOLIS NY 10001-1005", "20 120 PEARL ST, METROPOLIS NY 10300-1006",
		}},
		{city, "999 5th Ave, Metropolis, NY 10001", []string{"fix", "number unused 999"}},
		{city, "350 Nowhere St, Metropolis, NY 10001", []string{"fix", "number unused 350; street unused NOWHERE ST"}},
		{city, "Nowhere St, Metropolis, NY 10001", []string{"fix", "number missing; street unused NOWHERE ST"}},
		{city, "350 5th Ave", []string{"fix", "number unused 350; street unused 5TH AVE; city missing; state missing; zip missing"}},
		{city, "12 Elm St, Boise, ID 83702", []string{""}},
		{streets, "110 County Road 9, Albany, NY 12001", []string{
			"confirm", "class corrected COUNTY ROAD>STATE ROUTE; plus4 inferred >1004", "10 110 STATE ROUTE 9, ALBANY NY 12001-1004",
		}},
		{streets, "310 Route 20, Albany, NY 12001", []string{
			"confirm", "class corrected ROUTE>COUNTY ROAD; plus4 inferred >1006", "10 310 COUNTY ROAD 20, ALBANY NY 12001-1006",
		}},
		{streets, "110 US Highway 20, Albany, NY 12001", []string{"accept", "plus4 inferred >1005", "0 110 US HIGHWAY 20, ALBANY NY 12001-1005"}},
	} {
		var v address.Verdict
		_, err := tt.engine.Match(t.Context(), tt.text, address.Options{Verdict: &v, Candidates: 5})
		if err != nil && !address.Unmatched(err) && !errors.Is(err, fault.ErrUnavailable) {
			t.Fatalf("%q: %v", tt.text, err)
		}
		for len(tt.want) < 2 {
			tt.want = append(tt.want, "")
		}
		if diff := cmp.Diff(tt.want, verdictLines(&v)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestVerdictUnits requires a unit if the building has several.
func TestVerdictUnits(t *testing.T) {
	e, _ := sampleEngine(t)
	for _, tt := range []struct{ text, action, unit string }{
		{"350 5th Ave Ste 500, New York, NY 10118", "accept", "confirmed"},
		{"350 5th Ave, New York, NY 10118", "fix", "missing"},
		{"350 5th Ave Ste 5000, New York, NY 10118", "confirm", "unused"},
	} {
		var v address.Verdict
		_, err := e.Match(t.Context(), tt.text, address.Options{Verdict: &v})
		check(t, err)
		got := ""
		for _, c := range v.Components {
			if c.Part == "unit" {
				got = string(c.Status)
			}
		}
		if diff := cmp.Diff([]string{tt.action, tt.unit}, []string{string(v.Action), got}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestAmbiguous requires that the error of an ambiguous address has its candidates.
func TestAmbiguous(t *testing.T) {
	_, err := metropolis(t).engine(t).Match(t.Context(), "120 Canal St, Metropolis, NY", address.Options{})
	var none *address.NoMatchError
	if !errors.Is(err, fault.ErrAmbiguous) || !errors.As(err, &none) {
		t.Fatalf("%v has no candidates", err)
	}
	want := "candidates: 120 CANAL ST, METROPOLIS NY 10118-1002; 120 CANAL ST, METROPOLIS NY 10300-1003"
	if diff := cmp.Diff(want, none.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
