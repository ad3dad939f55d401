package facts_test

import (
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/internal/sample/internal/facts"
	"github.com/postgeo/postgeo/internal/source"
)

// TestMetrosAgreeWithOfficialFiles compares the metropolitan areas, divisions
// and combined areas of the counties with the delineation of 2023, and the
// counties' names with the Gazetteer.
func TestMetrosAgreeWithOfficialFiles(t *testing.T) {
	root := mirror(t)
	official := map[string]source.DelineationRow{}
	for r, err := range source.Delineation(filepath.Join(root,
		"www2.census.gov/programs-surveys/metro-micro/geographies/reference-files/2023/delineation-files/list1_2023.xlsx")) {
		if err != nil {
			t.Fatal(err)
		}
		official[r.CountyFIPS] = r
	}
	names := map[string]string{}
	for _, r := range rows(t, filepath.Join(root, "www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/2025_Gaz_counties_national.zip"), '|') {
		names[r[1]] = r[4]
	}
	f, err := facts.Load()
	if err != nil {
		t.Fatal(err)
	}
	type metro struct {
		title, csa, csaTitle string
		metropolitan         bool
	}
	metros, divisions := map[string]metro{}, map[string]string{}
	for _, m := range f.CBSAs {
		metros[m.Code] = metro{m.Title, m.CSA, m.CSATitle, m.Metropolitan}
	}
	for _, d := range f.Divisions {
		divisions[d.Code] = d.Title
	}
	checked := 0
	for _, c := range f.Counties {
		if name, ok := names[c.FIPS]; ok && name != c.Name {
			t.Errorf("%s is called %q, officially %q", c.FIPS, c.Name, name)
		}
		o := official[c.FIPS]
		if c.CBSA != o.CBSA || c.Division != o.Division {
			t.Errorf("%s %s is in area %q and division %q, officially %q and %q", c.FIPS, c.Name, c.CBSA, c.Division, o.CBSA, o.Division)
			continue
		}
		if want := (metro{o.CBSATitle, o.CSA, o.CSATitle, o.Metropolitan}); c.CBSA != "" && metros[c.CBSA] != want {
			t.Errorf("area %s is %+v, officially %+v", c.CBSA, metros[c.CBSA], want)
		}
		if c.Division != "" && divisions[c.Division] != o.DivisionTitle {
			t.Errorf("division %s is %q, officially %q", c.Division, divisions[c.Division], o.DivisionTitle)
		}
		checked++
	}
	t.Logf("agreed: %d counties with their metropolitan areas", checked)
}
