package dataset_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/dataset"
)

// TestDiffLayers changes layers one thing at a time.
func TestDiffLayers(t *testing.T) {
	tests := map[string]struct {
		change func(*country)
		want   []dataset.Change
	}{
		"nothing": {func(*country) {}, nil},
		"a name": {func(c *country) { c.Layers[3].Areas[0].Name = "Else" }, []dataset.Change{
			{Kind: dataset.KindLayer(dataset.LayerFederalDistrict), Code: "35", Op: dataset.Changed, Fields: []string{"Name"}},
		}},
		"an outline": {func(c *country) {
			c.Layers[1].Outlines = slices.Clone(c.Layers[1].Outlines)
			c.Layers[1].Outlines[1] = orb.MultiPolygon{box(-118.9, 34.05)}
		}, []dataset.Change{
			{Kind: dataset.KindLayer(dataset.LayerSchoolDistrict), Code: "0600002", Op: dataset.Changed, Fields: []string{"Outline"}},
		}},
		"a district's office": {func(c *country) { c.Schools[1].Office = nil }, []dataset.Change{
			{Kind: dataset.KindLayer(dataset.LayerSchoolDistrict), Code: "0600002", Op: dataset.Changed, Fields: []string{"Office"}},
		}},
		"an area more": {func(c *country) {
			c.Layers[2].Areas = append(slices.Clone(c.Layers[2].Areas), dataset.LayerArea{GEOID: "9"})
		}, []dataset.Change{
			{Kind: dataset.KindLayer(dataset.LayerCensusTract), Code: "9", Op: dataset.Added},
		}},
		"an overlap": {func(c *country) { c.ZIPOverlaps[0].Of.Layers[0].Overlaps[0].Intersection-- }, []dataset.Change{
			{Kind: dataset.KindZIP, Code: "90210", Op: dataset.Changed, Fields: []string{"Overlaps"}},
		}},
		"no overlaps of an FSA": {func(c *country) { c.FSAOverlaps = nil }, []dataset.Change{
			{Kind: dataset.KindFSA, Code: "K1A", Op: dataset.Changed, Fields: []string{"Overlaps"}},
		}},
		"areas of a postal code": {func(c *country) { c.PostalAreas[1].Areas[0].GEOID = "35061499" }, []dataset.Change{
			{Kind: dataset.KindPostal, Code: "K1A 0B2", Op: dataset.Changed, Fields: []string{"Areas"}},
		}},
		"the year": {func(c *country) { c.Layers[0].Info.Year++ }, []dataset.Change{
			{Kind: dataset.KindLayer(dataset.LayerCounty), Op: dataset.Changed, Fields: []string{"Info"}},
		}},
	}
	a := open(t, small().file(t))
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := small()
			test.change(c)
			var got []dataset.Change
			for change, err := range dataset.Changes(t.Context(), a, open(t, c.file(t))) {
				check(t, err)
				got = append(got, change)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
