package spatial_test

import (
	"os"
	"path/filepath"
	"testing"
)

// sharedFile returns the path of a file below the shared data, or "" if they
// are not available. POSTGEO_SHARED names their folder; otherwise it is looked
// for beside the repository.
func sharedFile(tb testing.TB, name string) string {
	tb.Helper()
	root := os.Getenv("POSTGEO_SHARED")
	for dir := "."; root == ""; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			root = filepath.Join(dir, "..", "shared")
		}
		if len(dir) > 60 {
			return ""
		}
	}
	path := filepath.Join(root, "data", "mirror", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
