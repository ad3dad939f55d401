package postgeo_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A program that imports the library links no clocks, server, builder or command, and one
// that calls a server links neither the library nor SQLite.
func TestLinks(t *testing.T) {
	const module = "github.com/postgeo/postgeo"
	for name, denied := range map[string][]string{
		".": {
			"time/tzdata", "net/http", module + "/dataset/builder", module + "/billing", module + "/enrich", module + "/server",
			module + "/internal/operation", module + "/internal/source",
		},
		"./server/client": {module, module + "/internal/store/sqlite", "modernc.org/sqlite", "database/sql", module + "/server", module + "/billing"},
	} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", name).Output()
		if err != nil {
			t.Skipf("go list: %v", err)
		}
		linked := strings.Fields(string(out))
		for _, p := range denied {
			if slices.Contains(linked, p) {
				t.Errorf("%s links %s", name, p)
			}
		}
	}
}
