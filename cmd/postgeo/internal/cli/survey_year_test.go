package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// yearAfter writes the embedded dataset with one more year of the economic and
// housing profiles, which repeats the newest, and returns its path.
func yearAfter(t *testing.T) string {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	base, err := sqlite.OpenFS(sample.FS(), sample.Name)
	must(err)
	defer base.Close()
	path := filepath.Join(t.TempDir(), "after.db")
	e, err := store.Extend(path, base)
	must(err)
	for _, l := range []acs.Level{acs.ZCTA, acs.Tract} {
		geoids := base.ACSGEOIDs(l)
		all := make([]uint32, len(geoids))
		for i := range all {
			all[i] = uint32(i)
		}
		for _, p := range []acs.Profile{acs.Economic, acs.Housing} {
			old := base.ACSTable(l, acs.LastYear, p.Table())
			table := *old
			table.Year++
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
	for _, tt := range []struct {
		name string
		args []string
		acs  func(answer []byte) (json.RawMessage, error) // the object of years
		want string                                       // its members
	}{
		{
			"radius",
			[]string{"radius", "98101", "--max", "3", "-i", "acs_housing_2025,acs_housing_2024", "--format", "json"},
			func(b []byte) (json.RawMessage, error) {
				var r struct{ Stats struct{ ACS json.RawMessage } }
				err := json.Unmarshal(b, &r)
				return r.Stats.ACS, err
			}, "current:2025 2024:2024",
		},
		{
			"address",
			[]string{"address", "350 5th Ave, New York, NY 10118", "-i", "acs_tract_housing_2025,acs_tract_housing_2024,acs_tract_economic", "--format", "json"},
			func(b []byte) (json.RawMessage, error) {
				var r struct {
					Data struct {
						ACS struct{ Tract json.RawMessage }
					}
				}
				err := json.Unmarshal(b, &r)
				return r.Data.ACS.Tract, err
			}, "current:2025 2024:2024",
		},
		{
			"lookup",
			[]string{"lookup", "98101", "-i", "acs_housing_2025,acs_housing_2024", "--format", "json"},
			func(b []byte) (json.RawMessage, error) {
				var r struct{ ACS json.RawMessage }
				err := json.Unmarshal(b, &r)
				return r.ACS, err
			}, "current:2025 2024:2024",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := world{}.run(append(tt.args, "--data", path)...)
			if r.code != 0 {
				t.Fatalf("exit %d: %s", r.code, r.stderr)
			}
			object, err := tt.acs([]byte(r.stdout))
			if err != nil {
				t.Fatal(err)
			}
			var years []string
			dec := json.NewDecoder(strings.NewReader(string(object)))
			if _, err := dec.Token(); err != nil {
				t.Fatalf("%v: %s", err, r.stdout)
			}
			for dec.More() {
				key, err := dec.Token()
				var block struct{ Year json.Number }
				if err == nil {
					err = dec.Decode(&block)
				}
				if err != nil {
					t.Fatal(err)
				}
				years = append(years, key.(string)+":"+block.Year.String())
			}
			if got := strings.Join(years, " "); got != tt.want {
				t.Errorf("years %s, want %s", got, tt.want)
			}
			r = world{}.run(tt.args...) // of the embedded dataset
			if r.code != cli.Misuse || !strings.Contains(r.stderr, "_housing_2025") {
				t.Errorf("without the year: exit %d: %s", r.code, r.stderr)
			}
		})
	}
}
