package postgeo_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/radius"
)

// TestACSMemory holds that a DB keeps as much as it was told, also after a
// swap, and that its answers are the same whatever that is.
func TestACSMemory(t *testing.T) {
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sample.db")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, tt := range []struct {
		name  string
		opt   postgeo.OpenOptions
		limit int64
	}{
		{"none", postgeo.OpenOptions{ACSMemory: -1}, 0},
		{"default", postgeo.OpenOptions{}, store.DefaultACSMemory},
		{"little", postgeo.OpenOptions{ACSMemory: 100_000}, 100_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db, err := postgeo.Open(path, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			for range 2 {
				res, err := db.Radius(t.Context(), "98101", radius.Options{Max: 100, Include: radius.Include{ACS: []acs.Tag{{Profile: acs.Housing}}}})
				if err != nil {
					t.Fatal(err)
				}
				got, err := json.Marshal(res.Stats)
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = got
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("another answer (-want +got):\n%s", diff)
				}
				if limit, used := db.ACSMemory(); limit != tt.limit || used > limit {
					t.Errorf("%d of %d bytes are in use, want at most %d", used, limit, tt.limit)
				}
				if err := db.Swap(t.Context(), path); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
