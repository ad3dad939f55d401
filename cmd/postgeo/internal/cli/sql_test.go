package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// TestSQLExitCode runs programs named postgeo-sql and compares exit codes.
func TestSQLExitCode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "postgeo-sql"), []byte("#!/bin/sh\nfor last; do :; done\nexit $last\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for statement, want := range map[string]int{"0": cli.Done, "1": cli.Failed, "2": cli.Misuse, "3": cli.Failed} {
		if got := (world{}).run("sql", statement); got.code != want {
			t.Errorf("postgeo-sql exits with %s: %s, want %d", statement, got, want)
		}
	}
}
