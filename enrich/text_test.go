package enrich_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/lookup/suggest"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestText checks what texts are taken for, and when they are not.
func TestText(t *testing.T) {
	db := sampletest.Open(t)
	add := []string{"suggest.type", "suggest.name", "region=suggest.state", "suggest.province", "suggest.matched_by"}
	tests := []struct {
		name string
		opt  enrich.Options
		rows map[string][]string
	}{
		{"anything", enrich.Options{Add: add}, map[string][]string{
			"san francisco ca":       {"matched", "place", "San Francisco", "CA", "", "exact name", ""},
			"San Francisco, CA":      {"matched", "place", "San Francisco", "CA", "", "exact name", ""},
			"san fran":               {"matched", "place", "San Francisco", "CA", "", "exact alias", ""},
			"los angeles county":     {"matched", "county", "Los Angeles County", "CA", "", "exact name", ""},
			"beverly hils":           {"matched", "place", "Beverly Hills", "CA", "", "one typo", "NAME_CORRECTED"},
			"k1a0b1":                 {"matched", "ca_postal", "K1A 0B1", "", "ON", "exact name", ""},
			" 90210 ":                {"matched", "zip", "90210", "CA", "", "exact name", ""},
			"902":                    {"not_found", "", "", "", "", "", "NOT_FOUND"},
			"washington":             {"ambiguous", "", "", "", "", "", "AMBIGUOUS"},
			"washington dc":          {"matched", "place", "Washington", "DC", "", "exact name", ""},
			"niagara falls":          {"ambiguous", "", "", "", "", "", "AMBIGUOUS"},
			"no such place at":       {"not_found", "", "", "", "", "", "NOT_FOUND"},
			"paris":                  {"not_found", "", "", "", "", "", "NOT_FOUND"}, // not the beginning of a name
			"":                       {"empty", "", "", "", "", "", ""},
			strings.Repeat("x", 201): {"invalid", "", "", "", "", "", "VALIDATION_INPUT_TOO_LONG"},
		}},
		{"states", enrich.Options{Suggest: postgeo.SuggestOptions{Include: suggest.TypesOf(suggest.State)}, Add: add}, map[string][]string{
			"washington":       {"matched", "state", "Washington", "WA", "", "exact name", ""},
			"san francisco ca": {"not_found", "", "", "", "", "", "NOT_FOUND"},
		}},
		{"in one state", enrich.Options{Suggest: postgeo.SuggestOptions{State: "wa"}, Add: add}, map[string][]string{
			"washington": {"matched", "state", "Washington", "WA", "", "exact name", ""},
		}},
		{"near a state", enrich.Options{Suggest: postgeo.SuggestOptions{Proximity: "NY"}, Add: add}, map[string][]string{
			"niagara falls": {"matched", "place", "Niagara Falls", "NY", "", "exact name", "NAMESAKES"},
		}},
		{"around", enrich.Options{DistanceTo: "90210", Radius: postgeo.RadiusOptions{Max: 1}, BoundaryOf: "90210", Add: []string{"distance.miles", "nearest.code", "boundary.inside", "suggest.county_fips"}}, map[string][]string{
			"90210":         {"matched", "0", "90210", "true", "06037", ""},
			"beverly hills": {"matched", "0", "90210", "true", "06037", ""},
		}},
		{"joined", enrich.Options{Add: []string{"suggest.name"}}, map[string][]string{
			enrich.JoinAddress("Beverly Hills", "", "CA"): {"matched", "Beverly Hills", ""},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.opt.Kind = enrich.Text
			checkRows(t, db, tt.opt, tt.rows)
		})
	}
}

// The reason of an ambiguous text lists its meanings.
func TestTextReason(t *testing.T) {
	e, err := enrich.New(sampletest.Open(t), enrich.Options{Kind: enrich.Text})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"washington": `AMBIGUOUS: "washington" may be Washington, DC (District of Columbia); Washington, WA.`,
		"zzz":        `NOT_FOUND: Nothing is called "zzz".`,
	} {
		_, out, err := e.Row(t.Context(), text, nil)
		if err != nil || out.Reason != want {
			t.Errorf("%q: reason %q, %v; want %q", text, out.Reason, err, want)
		}
	}
}
