//go:build unix

package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// TestPullCommand publishes the sample and installs it, also by a running server.
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
	for _, args := range [][]string{{"--pull", site}, {"--trust", key}} {
		if r := (world{}).run(append([]string{"config", "check", "--data", out}, args...)...); r.code != cli.Misuse {
			t.Errorf("%v alone: exit code %d: %s", args, r.code, r.stderr)
		}
	}

	// The server replaces another dataset.
	served := filepath.Join(dir, "served.db")
	base, err := sqlite.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer base.Close()
	w, err := store.Extend(served, base)
	if err != nil {
		t.Fatal(err)
	}
	m := base.Manifest()
	m.Version = "sample-other"
	if err := w.Finish(m); err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--listen", "127.0.0.1:0", "--private-listen", "127.0.0.1:0", "--data", served, "--pull", site, "--trust", key, "--every", "1h")
	private := s.await(t, `/live, /ready, /metrics and /reload on (http://[0-9.:]+)`)
	s.await(t, `"msg":"dataset pulled"`)
	if _, body := get(t, private+"/metrics"); !strings.Contains(body, "postgeo_dataset_pull_failures_total 0") || !strings.Contains(body, "postgeo_dataset_pull_age_seconds ") {
		t.Errorf("metrics of pulls are missing:\n%s", body)
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	if code := <-s.code; code != cli.Done {
		t.Errorf("exit code %d", code)
	}
	a, _ := os.ReadFile(out)
	if b, _ := os.ReadFile(served); string(a) != string(b) {
		t.Error("the server's dataset is not the published one")
	}
}
