package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestSQL runs the queries of docs/dataset.md on the sample, as any SQLite tool would.
func TestSQL(t *testing.T) {
	good, _ := baseline(t)
	path := filepath.Join(t.TempDir(), "sample.db")
	check(t, os.WriteFile(path, good, 0o600))
	page, err := os.ReadFile("../../docs/dataset.md")
	check(t, err)
	db := openSQL(t, path)
	defer db.Close()
	queries := regexp.MustCompile("(?m)^-- .*\n(SELECT .*);$").FindAllSubmatch(page, -1)
	if len(queries) < 10 {
		t.Errorf("%d queries, want at least 10", len(queries))
	}
	for _, q := range queries {
		var n int
		check(t, db.QueryRow("SELECT count(*) FROM ("+string(q[1])+")").Scan(&n))
		if n == 0 {
			t.Errorf("no rows of %s", q[1])
		}
	}
}
