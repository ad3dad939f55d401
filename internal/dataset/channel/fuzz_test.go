package channel_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/internal/dataset/channel"
)

// FuzzIndex pulls with an arbitrary index. Only the published one is accepted.
func FuzzIndex(f *testing.F) {
	fuzzFile(f, func(w *world) string { return filepath.Join(w.folder, "index.json") })
}

// FuzzManifest pulls with an arbitrary manifest.
func FuzzManifest(f *testing.F) {
	fuzzFile(f, func(w *world) string { return blob(w.folder, indexOf(f, w.folder).Vintages["sample-2026-12"].SHA256) })
}

func fuzzFile(f *testing.F, name func(*world) string) {
	w := newWorld(f)
	path := name(w)
	was := read(f, path)
	f.Add(was)
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, os.WriteFile(path, b, 0o644))
		o := w.options(t)
		o.Check = true
		if _, err := channel.Pull(t.Context(), o); (err == nil) != (string(b) == string(was)) {
			t.Errorf("error %v", err)
		}
	})
}
