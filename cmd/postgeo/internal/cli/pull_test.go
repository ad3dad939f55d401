package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// TestPullCommand publishes the sample and installs it.
func TestPullCommand(t *testing.T) {
	dir := t.TempDir()
	site, key, out, file := filepath.Join(dir, "site"), filepath.Join(dir, "key"), filepath.Join(dir, "new.db"), filepath.Join(dir, "all.db")
	if err := os.Rename(sampleFile(t), file); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"dataset", "key", "new", "-o", key},
		{"dataset", "publish", file, "--key", key, "--to", site, "-f", "jsonl"},
	} {
		if r := (world{}).run(args...); r.code != cli.Done {
			t.Fatalf("%v: exit code %d: %s", args, r.code, r.stderr)
		}
	}
	key += ".pub"
	pull := []string{"dataset", "pull", site, "--trust", key, "-o", out, "-f", "json"}
	for _, says := range []string{`"installed":true`, `"installed":false`} {
		if r := (world{}).run(pull...); r.code != cli.Done || !strings.Contains(r.stdout, says) || !strings.Contains(r.stdout, `"name":"all"`) {
			t.Errorf("pull: exit code %d: %s%s; want %s", r.code, r.stdout, r.stderr, says)
		}
	}
	if r := (world{}).run(append(pull, "--name", "identity")...); r.code != cli.Failed || !strings.Contains(r.stderr, "identity.json does not exist") {
		t.Errorf("a name that was not published: exit code %d: %s", r.code, r.stderr)
	}
	if r := (world{}).run("dataset", "pull", site); r.code != cli.Misuse {
		t.Errorf("without a key: exit code %d: %s", r.code, r.stderr)
	}
}
