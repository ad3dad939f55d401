//go:build unix

package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// publishSample publishes the sample with the commands and returns the channel's
// folder and its public key.
func publishSample(t *testing.T) (site, key string) {
	t.Helper()
	dir := t.TempDir()
	site, key = filepath.Join(dir, "site"), filepath.Join(dir, "key")
	for _, args := range [][]string{
		{"dataset", "key", "new", "-o", key},
		{"dataset", "publish", sampleFile(t), "--key", key, "--to", site, "--vintage", "2026-11", "-f", "jsonl"},
	} {
		if r := (world{}).run(args...); r.code != cli.Done {
			t.Fatalf("%v: exit code %d: %s", args, r.code, r.stderr)
		}
	}
	return site, key + ".pub"
}

// TestPullCommand checks, installs and reloads by a running server, which updates
// itself afterwards.
func TestPullCommand(t *testing.T) {
	site, key := publishSample(t)
	out := filepath.Join(t.TempDir(), "new.db")
	check := []string{"dataset", "pull", "--from", site, "--trust", key, "-o", out, "--check", "-f", "json"}
	if r := (world{}).run(check...); r.code != cli.Failed || !strings.Contains(r.stderr, "2026-11") {
		t.Errorf("check before: exit code %d: %s", r.code, r.stderr)
	}
	if r := (world{}).run("dataset", "pull", "--from", site, "--trust", key, "-o", out, "-f", "json"); r.code != cli.Done || !strings.Contains(r.stdout, `"installed":true`) {
		t.Errorf("pull: exit code %d: %s%s", r.code, r.stdout, r.stderr)
	}
	if r := (world{}).run(check...); r.code != cli.Done || !strings.Contains(r.stdout, `"up_to_date":true`) {
		t.Errorf("check after: exit code %d: %s%s", r.code, r.stdout, r.stderr)
	}
	if r := (world{}).run("dataset", "pull", "--trust", key); r.code != cli.Misuse {
		t.Errorf("without a channel: exit code %d: %s", r.code, r.stderr)
	}

	// The server replaces a dataset that another build wrote.
	served := filepath.Join(t.TempDir(), "served.db")
	if r := (world{}).run("dataset", "build", "--base", out, "--address-points", pointsFile(t), "-o", served, "--cache", t.TempDir()); r.code != cli.Done {
		t.Fatalf("build: %s", r.stderr)
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

// pointsFile writes an address point.
func pointsFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "points.csv")
	if err := os.WriteFile(path, []byte("LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n-118.4,34.09,1,Elm St,Beverly Hills,CA,90210\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
