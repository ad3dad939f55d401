package builder_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/storetest"
)

func serveFolder(t *testing.T, dir string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(s.Close)
	return s
}

// TestKilledBuild kills builds at any moment. The existing dataset stays as it
// was until a whole one replaces it, nothing half done gets its name, and the
// next build leaves nothing of the killed ones behind. POSTGEO_TEST_KILLS is
// the number of kills.
func TestKilledBuild(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files of a killed process may still be in use here")
	}
	mirror, good, took := fromServer(t)
	dir := t.TempDir()
	c := childBuild{Mirror: mirror, Output: filepath.Join(dir, "data", "out.db"), Cache: filepath.Join(dir, "cache")}
	check(t, os.Mkdir(filepath.Dir(c.Output), 0o755))
	const former = "the former dataset"
	rnd := rand.New(rand.NewPCG(9, 5))
	killed, half, replaced := 0, 0, 0
	for n := storetest.Times("POSTGEO_TEST_KILLS", 10); n > 0 || killed == 0 && n > -30; n-- {
		check(t, os.WriteFile(c.Output, []byte(former), 0o644))
		if rnd.IntN(3) == 0 {
			os.RemoveAll(c.Cache) // so that transfers are cut too
		}
		cmd, _ := c.start(t)
		time.Sleep(time.Duration(rnd.Int64N(int64(took))))
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		switch contents(t, c.Output) {
		case former:
		case good:
			replaced++
		default:
			t.Fatal("the output is neither the former dataset nor the new one")
		}
		for _, name := range names(t, filepath.Dir(c.Output)) {
			if name != "out.db" && !unfinished(name) {
				t.Errorf("a killed build left %s", name)
			}
			if unfinished(name) {
				half++
			}
		}
	}
	if said, ok := c.run(t); !ok {
		t.Fatalf("a build after the killed ones: %s", said)
	}
	if contents(t, c.Output) != good {
		t.Error("a build after the killed ones makes another file")
	}
	if diff := cmp.Diff([]string{"out.db"}, names(t, filepath.Dir(c.Output))); diff != "" {
		t.Errorf("beside the dataset (-want +got):\n%s", diff)
	}
	for _, name := range names(t, c.Cache) {
		if strings.Contains(name, "part") || strings.Contains(name, "tmp") {
			t.Errorf("the cache still has %s", name)
		}
	}
	verified(t, c.Output)
	t.Logf("%d killed, %d files half done, %d after the new dataset had its name", killed, half, replaced)
	if killed == 0 {
		t.Error("every build ended before it was killed")
	}
}

// TestFullDisk limits the size of files. The build fails and names the place,
// the existing dataset stays, and nothing else is left.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many datasets")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no limit of files here")
	}
	mirror, good, _ := fromServer(t)
	for _, limit := range []int{1, 200, 4 << 10, 20_000, 100_000, len(good) / 2, len(good) - 1} {
		dir := t.TempDir()
		c := childBuild{Mirror: mirror, Output: filepath.Join(dir, "data", "out.db"), Cache: filepath.Join(dir, "cache"), Limit: uint64(limit)}
		check(t, os.Mkdir(filepath.Dir(c.Output), 0o755))
		check(t, os.WriteFile(c.Output, []byte("former"), 0o644))
		said, ok := c.run(t)
		if ok || !strings.Contains(said, dir) {
			t.Errorf("%d bytes: success %t, said %q; want an error that names a file", limit, ok, said)
		}
		t.Logf("%d bytes: %s", limit, strings.ReplaceAll(said, dir, "DIR"))
		if contents(t, c.Output) != "former" {
			t.Errorf("%d bytes: the former dataset is gone", limit)
		}
		if diff := cmp.Diff([]string{"out.db"}, names(t, filepath.Dir(c.Output))); diff != "" {
			t.Errorf("%d bytes: beside the dataset (-want +got):\n%s", limit, diff)
		}
		c.Limit = 0
		if said, ok := c.run(t); !ok || contents(t, c.Output) != good {
			t.Errorf("%d bytes: once there is room: %s", limit, said)
		}
	}
}

// TestReadOnlyFolder builds into a folder, and with a cache, that may only be
// read. It fails with a clear error before anything is fetched.
func TestReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders have no such rights here")
	}
	root := newWorld(t, "small").write()
	dir, err := os.MkdirTemp("", "postgeo-readonly") // all may enter it, unlike a test's own
	check(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, d := range []string{"closed", "open"} {
		check(t, os.Mkdir(filepath.Join(dir, d), 0o777))
	}
	for d, mode := range map[string]os.FileMode{".": 0o755, "open": 0o777, "closed": 0o555} {
		check(t, os.Chmod(filepath.Join(dir, d), mode))
	}
	mirror := serveFolder(t, root).URL
	for _, tt := range []struct {
		name, output, cache string
	}{
		{"output", "closed/out.db", "open/cache"},
		{"cache", "open/out.db", "closed/cache"},
	} {
		c := childBuild{Mirror: mirror, Output: filepath.Join(dir, tt.output), Cache: filepath.Join(dir, tt.cache), Nobody: true}
		said, ok := c.run(t)
		if ok || !strings.Contains(said, "permission denied") || !strings.Contains(said, filepath.Join(dir, "closed")) {
			t.Errorf("%s: success %t, said %q; want an error that names the folder", tt.name, ok, said)
		}
		t.Logf("%s: %s", tt.name, strings.ReplaceAll(said, dir, "DIR"))
		if list := names(t, filepath.Join(dir, "closed")); len(list) > 0 {
			t.Errorf("%s: left %v", tt.name, list)
		}
		if list := names(t, filepath.Join(dir, "open")); len(list) > 0 {
			t.Errorf("%s: made %v for nothing", tt.name, list)
		}
	}
}
