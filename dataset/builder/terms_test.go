package builder_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
)

// TestTerms checks the terms of files of the user.
func TestTerms(t *testing.T) {
	type terms struct{ License, Attribution, Redistribution string }
	for _, tt := range []struct {
		named string
		want  terms
	}{
		{"", terms{"license of each source, not stated in the file", "", "unknown"}},
		{",attribution=City of Birch, Maps,license=Birch license", terms{"Birch license", "City of Birch, Maps", "unknown"}},
		{",license=CC0,redistribution=restricted", terms{"CC0", "", dataset.Restricted}},
		{",license=CC BY 4.0; ODbL 1.0", terms{"CC BY 4.0; ODbL 1.0", "", dataset.ShareAlike}},
	} {
		w := newWorld(t)
		w.supplied("43901", "STANDARD", "0", "Other Name", "", "OH", "Birch County", "", 40.01, -83.01)
		path := w.file("city.csv", record("lon,lat,st_num,housenumber,street,zip\n-83.02,40.02,1,8,Elm Ave,43901\n"))
		b := w.buildWith(builder.Options{AddressPoints: []string{path + tt.named}})
		for _, s := range b.Manifest().Sources {
			if s.ID != "address-points" {
				continue
			}
			if diff := cmp.Diff(tt.want, terms{s.License, s.Attribution, s.Redistribution}); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.named, diff)
			}
		}
	}
	_, err := builder.Build(t.Context(), builder.Options{Output: filepath.Join(t.TempDir(), "x.db"), Mirror: t.TempDir(), AddressPoints: []string{"x.csv,redistribution=maybe"}})
	if err == nil || !strings.Contains(err.Error(), `x.csv: redistribution "maybe", expected one of public-domain, attribution`) {
		t.Errorf("an unknown condition: %v", err)
	}
}
