package suggest_test

import (
	"testing"

	differ "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// TestExactNameInTypedState checks that a name in full before its state precedes better
// known counties, nicknames, longer names and names of other states.
func TestExactNameInTypedState(t *testing.T) {
	e := suggest.NewEngine(writeWorld(t, []thing{
		{store.EntityState, "Missouri", mo, 6_000_000, 43_000, 38, -92, []string{"mo"}, 0, nil},
		{store.EntityState, "Montana", montana, 1_100_000, 38_500, 47, -109, []string{"mt"}, 0, nil},
		{store.EntityPlace, "Jackson", mo, 15_000, 28_000, 37.4, -89.7, nil, 0, nil},
		{store.EntityPlace, "Memphis", mo, 630_000, 39_400, 35.1, -90, []string{"bluff city"}, 0, nil},
		{store.EntityPlace, "Bluff City", mo, 2_000, 22_500, 36.5, -90.3, nil, 0, nil},
		{store.EntityPlace, "Dodge", montana, 90, 13_300, 47, -110, nil, 0, nil},
		{store.EntityPlace, "Dodge Mountain", montana, 20_000, 29_300, 47, -111, nil, 0, nil},
		{store.EntityPlace, "Lincoln", mo, 90, 13_300, 38.4, -93.3, nil, 0, nil},
		{store.EntityPlace, "Lincolnmo", il, 20_000, 29_300, 40, -89, nil, 0, nil},
		{store.EntityPlace, "Only", il, 20_000, 29_300, 40.1, -89, nil, 0, nil},
		{store.EntityCounty, "Jackson County", mo, 700_000, 35_000, 39, -94, []string{"jackson"}, 1, nil},
	}, codes))
	const jackson, county = "place Jackson, MO (exact name)", "county Jackson County, MO (exact alias)"
	const memphis, bluff = "place Memphis, MO (exact alias)", "place Bluff City, MO (exact name)"
	const dodge, lincoln = "place Dodge, MT (exact name)", "place Lincoln, MO (exact name)"
	for query, want := range map[string][]string{
		"jackson, mo":        {jackson, county},
		"jackson mo":         {jackson, county},
		"Jackson, Missouri":  {jackson, county},
		"jackson county, mo": {"county Jackson County, MO (exact name)"},
		"bluff city, mo":     {bluff, memphis},
		"bluff city mo ":     {bluff, memphis},
		"dodge, mt":          {dodge, "place Dodge Mountain, MT (prefix)"},
		"dodge mt":           {"place Dodge Mountain, MT (exact name)", dodge},
		"dodge, mt,":         {dodge, "place Dodge Mountain, MT (all words)"},
		"lincoln, mo":        {lincoln},
		"lincoln mo":         {lincoln, "place Lincolnmo, IL (exact name)"},
		"lincoln, mo, usa":   {lincoln},
		// A comma after the state ends it: no other state replaces it.
		"only, mo ": {},
		"only, mo,": {},
		"only, il,": {"place Only, IL (exact name)"},
	} {
		if diff := differ.Diff(want, written(ask(t, e, query, suggest.Options{}))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
}
