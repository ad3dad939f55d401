package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// answer runs a command that has to succeed and returns its JSON.
func answer[T any](t *testing.T, w world, args ...string) T {
	t.Helper()
	r := w.run(append(args, "--format", "json")...)
	var v T
	if r.code != cli.Done {
		t.Fatalf("%s: %v", args, r)
	}
	if err := json.Unmarshal([]byte(r.stdout), &v); err != nil {
		t.Fatalf("%s: %v in %s", args, err, r.stdout)
	}
	return v
}

type object = map[string]any

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "postgeo.json")
	check(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// newAccounts creates accounts in a file.
func newAccounts(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "accounts.db")
	if r := (world{}).run("account", "create", "--plan", "free", "--accounts", path); r.code != cli.Done {
		t.Fatal(r)
	}
	return path
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // of a string
	return string(b)
}
