package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/store"
)

// TestDiffLayers changes layers one thing at a time.
func TestDiffLayers(t *testing.T) {
	tests := map[string]struct {
		change func(*country)
		want   []store.Change
	}{
		"nothing": {func(*country) {}, nil},
		"a name": {func(c *country) { c.Layers[3].Areas[0].Name = "Else" }, []store.Change{
			{Kind: store.KindLayer(store.LayerFederalDistrict), Code: "35", Op: store.Changed, Fields: []string{"Name"}},
		}},
		"an outline": {func(c *country) {
			c.Layers[1].Outlines = slices.Clone(c.Layers[1].Outlines)
			c.Layers[1].Outlines[1] = orb.MultiPolygon{box(-118.9, 34.05)}
		}, []store.Change{
			{Kind: store.KindLayer(store.LayerSchoolDistrict), Code: "0600002", Op: store.Changed, Fields: []string{"Outline"}},
		}},
		"a district's office": {func(c *country) { c.Schools[1].Office = nil }, []store.Change{
			{Kind: store.KindLayer(store.LayerSchoolDistrict), Code: "0600002", Op: store.Changed, Fields: []string{"Office"}},
		}},
		"an area more": {func(c *country) {
			c.Layers[2].Areas = append(slices.Clone(c.Layers[2].Areas), store.LayerArea{GEOID: "9"})
		}, []store.Change{
			{Kind: store.KindLayer(store.LayerCensusTract), Code: "9", Op: store.Added},
		}},
		"an overlap": {func(c *country) { c.ZIPOverlaps[0].Of.Layers[0].Overlaps[0].Intersection-- }, []store.Change{
			{Kind: store.KindZIP, Code: "90210", Op: store.Changed, Fields: []string{"Overlaps"}},
		}},
		"no overlaps of an FSA": {func(c *country) { c.FSAOverlaps = nil }, []store.Change{
			{Kind: store.KindFSA, Code: "K1A", Op: store.Changed, Fields: []string{"Overlaps"}},
		}},
		"areas of a postal code": {func(c *country) { c.PostalAreas[1].Areas[0].GEOID = "35061499" }, []store.Change{
			{Kind: store.KindPostal, Code: "K1A 0B2", Op: store.Changed, Fields: []string{"Areas"}},
		}},
		"the year": {func(c *country) { c.Layers[0].Info.Year++ }, []store.Change{
			{Kind: store.KindLayer(store.LayerCounty), Op: store.Changed, Fields: []string{"Info"}},
		}},
	}
	a := open(t, small().file(t))
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := small()
			test.change(c)
			var got []store.Change
			for change, err := range store.Changes(t.Context(), a, open(t, c.file(t))) {
				check(t, err)
				got = append(got, change)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
