package builder_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store"
)

// TestExtendPopulation renews the people and homes of a dataset's ZIP Codes
// from the user's tables.
func TestExtendPopulation(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many datasets")
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base, err := store.Open(sampleFile(t))
	if err != nil {
		t.Fatal(err)
	}
	defer base.Close()
	csv := file("people.csv", "zcta,pop_2024\n90210,77\n99999,5\n")
	old := file("old.csv", "zcta,pop_2015\n10001,3\n")
	people := file("acsdt5y2025-b01003.dat", "GEO_ID|B01003_E001|B01003_M001\n860Z200US10002|88|\n0500000US06037|1|\n")
	homes := file("acsdt5y2024-b25001.dat", "GEO_ID|B25001_E001|B25001_M001\n860Z200US90210|33|\n")
	for name, test := range map[string]struct {
		acs  []string
		want map[string][2]int32 // people and homes of the ZIP Codes that differ from the base
	}{
		"a table of the user's": {[]string{csv, old}, map[string][2]int32{"90210": {77, -1}}},
		"the summary file":      {[]string{people, homes}, map[string][2]int32{"10002": {88, -1}, "90210": {-1, 33}}},
	} {
		t.Run(name, func(t *testing.T) {
			d, report := extend(t, builder.Options{ACS: test.acs})
			if len(report.Rules) == 0 {
				t.Error("the report lacks the counts that changed")
			}
			got := map[string][2]int32{}
			for row := range d.ZIPs() {
				before, errBefore := base.ZIPDetail(t.Context(), row.ZIP)
				after, errAfter := d.ZIPDetail(t.Context(), row.ZIP)
				if errBefore != nil || errAfter != nil {
					t.Fatal(errBefore, errAfter)
				}
				change := [2]int32{-1, -1}
				if !cmp.Equal(before.Population, after.Population) {
					change[0] = *after.Population
					if n, ok := d.ZIPPopulation(row.ZIP); !ok || n != change[0] {
						t.Errorf("%s has %d people in memory, %d in its detail", row.ZIP, n, change[0])
					}
				}
				if !cmp.Equal(before.Housing, after.Housing) {
					change[1] = *after.Housing
				}
				if change != [2]int32{-1, -1} {
					got[row.ZIP.String()] = change
					continue
				}
				if diff := cmp.Diff(before, after); diff != "" && before.Quality.PopulationSource == after.Quality.PopulationSource && before.Quality.HousingSource == after.Quality.HousingSource {
					t.Errorf("the detail of %s (-base +extended):\n%s", row.ZIP, diff)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("people and homes (-want +got):\n%s", diff)
			}
			if err := d.Verify(t.Context()); err != nil {
				t.Error(err)
			}
			row, _ := dataset.ParseZIP("90210")
			q, err := d.ZIPDetail(t.Context(), row)
			if err != nil {
				t.Fatal(err)
			}
			sources := map[string]bool{}
			for _, s := range d.Manifest().Sources {
				sources[s.ID] = true
			}
			if !sources[q.Quality.PopulationSource] || !sources[q.Quality.HousingSource] {
				t.Errorf("sources %q and %q of 90210 are missing from the manifest", q.Quality.PopulationSource, q.Quality.HousingSource)
			}
		})
	}
}
