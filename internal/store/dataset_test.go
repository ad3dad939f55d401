package store_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/pub28"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

var equal = cmp.Options{
	cmp.Comparer(func(a, b geo.LatLng) bool { return a == b }),
	cmpopts.EquateEmpty(),
	cmp.AllowUnexported(country{}),
	cmpopts.IgnoreUnexported(store.ACSTable{}),
	cmpopts.IgnoreFields(store.ACSTable{}, "Rows"),
	cmpopts.SortSlices(func(a, b survey) bool { return a.Table.String() < b.Table.String() }),
	cmpopts.SortSlices(func(a, b surveyRow) bool { return a.GEOID < b.GEOID }),
	cmpopts.IgnoreFields(dataset.Manifest{}, "Format", "Tables", "Digest"),
}

// read reads back everything that a country was written from.
func read(ctx context.Context, d *store.Dataset) (*country, error) {
	c := &country{
		States: d.States(), Counties: d.Counties(), CBSAs: d.CBSAs(), Divisions: d.Divisions(), Zones: d.Zones(),
		ZIPs: slices.Collect(d.ZIPs()), FSAs: slices.Collect(d.FSAs()), Postal: slices.Collect(d.PostalCodes()),
		Manifest: d.Manifest(), cover: readCover(d),
	}
	var err error
	if c.layered, err = readLayers(ctx, d); err != nil {
		return nil, err
	}
	for _, z := range c.ZIPs {
		t, err := d.ZIPDetail(ctx, z.ZIP)
		if err != nil {
			return nil, err
		}
		c.ZIPDetails = append(c.ZIPDetails, *t)
		for r, err := range d.StreetRecords(ctx, z.ZIP) {
			if err != nil {
				return nil, err
			}
			c.ZIP4 = append(c.ZIP4, r.ZIP4Record)
		}
	}
	for _, f := range c.FSAs {
		t, err := d.FSADetail(ctx, f.FSA)
		if err != nil {
			return nil, err
		}
		c.FSADetails = append(c.FSADetails, *t)
	}
	c.Surveys, err = readSurveys(ctx, d)
	return c, err
}

// sortZIP4 brings records into an order of which those of a street do not
// depend.
func sortZIP4(list []store.ZIP4Record) {
	slices.SortStableFunc(list, func(a, b store.ZIP4Record) int {
		if a.ZIP != b.ZIP {
			return int(a.ZIP) - int(b.ZIP)
		}
		return strings.Compare(pub28.Key(a.Street), pub28.Key(b.Street))
	})
}

func TestRoundTrip(t *testing.T) {
	tests := map[string]*country{
		"empty": {},
		"small": small(),
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			d := open(t, want.file(t))
			got, err := read(t.Context(), d)
			check(t, err)
			sortZIP4(want.ZIP4)
			sortZIP4(got.ZIP4)
			if diff := cmp.Diff(want, got, equal); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			check(t, d.Ping(t.Context()))
			check(t, d.Verify(t.Context()))
		})
	}
}
