package cli_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// yearAfter writes the embedded dataset with one more year of the economic and
// housing profiles, which repeats the newest, and returns its path.
func yearAfter(t *testing.T) string {
	t.Helper()
	must := lookuptest.Must(t)
	base := lookuptest.Sample(t)
	path := filepath.Join(t.TempDir(), "after.db")
	e, err := storewrite.Extend(path, base)
	must(err)
	for k := range base.ACSTables() {
		old := &base.ACSTables()[k]
		years := []int{old.Year}
		if old.Year == acs.LastYear && (old.Name == acs.Economic.Table() || old.Name == acs.Housing.Table()) {
			years = append(years, old.Year+1)
		}
		geoids := base.ACSGEOIDs(old.Level)
		all := make([]uint32, len(geoids))
		for i := range all {
			all[i] = uint32(i)
		}
		for _, year := range years {
			table := *old
			table.Year = year
			id, err := e.AddACSTable(table)
			must(err)
			cells := make([]store.ACSCell, len(table.Columns))
			must(base.ACSRows(t.Context(), old, all, func(i int, r *store.ACSRow) error {
				if err := r.Cells(cells); err != nil {
					return err
				}
				return e.AddACSRow(id, geoids[i], cells)
			}))
		}
	}
	must(e.Finish(dataset.Manifest{Version: "after", Sample: true}))
	return path
}

// TestYearsFollowTheDataset asks for a year that the contract does not name, of
// a dataset that has it and of one that has not.
func TestYearsFollowTheDataset(t *testing.T) {
	path := yearAfter(t)
	for _, args := range []string{
		"radius 98101 --max 3 -i acs_housing_2025,acs_housing_2024", "address 350+5th+Ave,+10118 -i acs_tract_housing_2025,acs_tract_housing_2024",
		"lookup 98101 -i acs_housing_2025,acs_housing_2024",
	} {
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "+", " ")
		}
		words = append(words, "--format", "json")
		r := world{}.run(append(words, "--data", path)...)
		if r.code != cli.Done || !regexp.MustCompile(`"current":\{[^{}]*"year":2025\b.*"2024":\{[^{}]*"year":2024\b`).MatchString(r.stdout) {
			t.Errorf("%s: %.500s", args, r)
		}
		r = world{}.run(words...) // of the embedded dataset
		if r.code != cli.Misuse || !strings.Contains(r.stderr, "_housing_2025") {
			t.Errorf("%s without the year: exit %d: %s", args, r.code, r.stderr)
		}
	}
}
