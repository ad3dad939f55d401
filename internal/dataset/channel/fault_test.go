package channel_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/channel"
)

// times returns the number of repetitions: a few, or the number of an environment
// variable.
func times(t testing.TB, name string, few int) int {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	if testing.Short() {
		return max(2, few/10)
	}
	return few
}

// TestFaults pulls from servers with faults. Faults that pass are survived, others
// are errors; the installed file is the published one or as before.
func TestFaults(t *testing.T) {
	w := newWorld(t)
	files := http.FileServer(http.Dir(w.folder))
	isData := func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/data/") }
	for name, c := range map[string]struct {
		serve func(w http.ResponseWriter, r *http.Request, n int) // n counts the requests of a path
		fails bool
	}{
		"cut": {func(w http.ResponseWriter, r *http.Request, n int) {
			if isData(r) && n == 1 {
				files.ServeHTTP(&cutter{w, 1000}, r)
				return
			}
			files.ServeHTTP(w, r)
		}, false},
		"429 and 503": {func(w http.ResponseWriter, r *http.Request, n int) {
			if n <= 2 {
				http.Error(w, "later", []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}[n-1])
				return
			}
			files.ServeHTTP(w, r)
		}, false},
		"always 500": {func(w http.ResponseWriter, _ *http.Request, _ int) {
			http.Error(w, "no", http.StatusInternalServerError)
		}, true},
		"redirect loop": {func(w http.ResponseWriter, r *http.Request, _ int) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, true},
		"flipped bytes": {func(w http.ResponseWriter, r *http.Request, _ int) {
			if isData(r) {
				files.ServeHTTP(flipper{w}, r)
				return
			}
			files.ServeHTTP(w, r)
		}, true},
		"endless file": {func(w http.ResponseWriter, r *http.Request, _ int) {
			if isData(r) {
				for b := make([]byte, 1<<16); r.Context().Err() == nil; {
					if _, err := w.Write(b); err != nil {
						return
					}
				}
			}
			files.ServeHTTP(w, r)
		}, true},
		"endless index": {func(w http.ResponseWriter, r *http.Request, _ int) {
			for b := bytes.Repeat([]byte(" "), 1<<16); r.Context().Err() == nil; {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		}, true},
		"web page": {func(w http.ResponseWriter, _ *http.Request, _ int) { fmt.Fprint(w, "<!doctype html><title>Log in") }, true},
		"empty":    {func(http.ResponseWriter, *http.Request, int) {}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			count := map[string]int{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				count[r.URL.Path]++
				n := count[r.URL.Path]
				mu.Unlock()
				c.serve(w, r, n)
			}))
			defer server.Close()
			o := w.options(t, server.URL)
			copyFile(t, w.old, o.Output)
			_, err := channel.Pull(t.Context(), o)
			if (err != nil) != c.fails {
				t.Errorf("error %v, expected one: %t", err, c.fails)
			}
			want := w.new
			if c.fails {
				want = w.old
			}
			same(t, o.Output, want)
			if c.fails { // the next mirror has the file
				o.From = append(o.From, w.folder)
				_, err = channel.Pull(t.Context(), o)
				check(t, err)
				same(t, o.Output, w.new)
			}
		})
	}
}

// A cutter ends a response after some bytes.
type cutter struct {
	http.ResponseWriter
	left int
}

// Write implements io.Writer.
func (c *cutter) Write(b []byte) (int, error) {
	n := min(len(b), c.left)
	c.left -= n
	if _, err := c.ResponseWriter.Write(b[:n]); err != nil || n < len(b) {
		return n, errors.New("cut")
	}
	return n, nil
}

// A flipper changes a bit of each write.
type flipper struct{ http.ResponseWriter }

// Write implements io.Writer.
func (f flipper) Write(b []byte) (int, error) {
	b = bytes.Clone(b)
	if len(b) > 0 {
		b[len(b)/2] ^= 4
	}
	return f.ResponseWriter.Write(b)
}

// TestMutations changes each file of a channel in many ways. No pull accepts one.
// POSTGEO_TEST_MUTATIONS sets the number.
func TestMutations(t *testing.T) {
	w := newWorld(t)
	check(t, channel.Rotate(w.folder, w.trust, w.trust, w.key))
	m := manifestOf(t, w.folder, "sample-2026-12")
	f := m.Files[0]
	names := []string{"index.json", "keys.json", "data/" + indexOf(t, w.folder).Vintages["sample-2026-12"].SHA256, "data/" + f.Frame.SHA256}
	for _, p := range f.Packs {
		names = append(names, "data/"+p.SHA256)
	}
	delta := "data/" + f.Deltas[0].SHA256
	names = append(names, delta)
	fresh, old := w.options(t), w.options(t)
	copyFile(t, w.old, old.Output)
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for i := range times(t, "POSTGEO_TEST_MUTATIONS", 400) {
		name := names[i%len(names)]
		path := filepath.Join(w.folder, filepath.FromSlash(name))
		was := read(t, path)
		check(t, os.WriteFile(path, mutate(random, was), 0o644))
		o := fresh
		if name == delta { // the packs are missing, too
			o = old
			check(t, os.Rename(blob(w.folder, f.Frame.SHA256), w.folder+".frame"))
		}
		if _, err := channel.Pull(t.Context(), o); err == nil {
			accepted++
			t.Errorf("mutation %d of %s was accepted", i, name)
		}
		if name == delta {
			check(t, os.Rename(w.folder+".frame", blob(w.folder, f.Frame.SHA256)))
		}
		check(t, os.WriteFile(path, was, 0o644))
	}
	if _, err := os.Stat(fresh.Output); err == nil {
		t.Error("a file was installed")
	}
	same(t, old.Output, w.old)
	for _, o := range []channel.PullOptions{fresh, old} { // the files are whole again
		_, err := channel.Pull(t.Context(), o)
		check(t, err)
		same(t, o.Output, w.new)
	}
}

// mutate returns changed bytes: a flipped bit, a cut, an insertion, a swap or zeros.
func mutate(r *rand.Rand, b []byte) []byte {
	for {
		c := bytes.Clone(b)
		i := r.IntN(len(c))
		switch r.IntN(5) {
		case 0:
			c[i] ^= 1 << r.IntN(8)
		case 1:
			c = c[:i]
		case 2:
			c = slices.Insert(c, i, byte(r.IntN(256)))
		case 3:
			k := r.IntN(len(c))
			c[i], c[k] = c[k], c[i]
		default:
			clear(c[i:min(len(c), i+1+r.IntN(64))])
		}
		if !bytes.Equal(c, b) {
			return c
		}
	}
}

// pullOnce is the program that TestKilled kills.
func pullOnce(from, trust, output string) int {
	keys, err := channel.ParseKeys(trust)
	if err == nil {
		_, err = channel.Pull(context.Background(), channel.PullOptions{From: []string{from}, Trust: keys, Output: output, Now: today})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// A slowServer sends files slowly and notes repeated requests.
type slowServer struct {
	files    http.Handler
	mu       sync.Mutex
	have     map[string]int64 // bytes of interrupted transfers by path
	repeated int64            // the most bytes that were requested though the client had them
}

// ServeHTTP implements http.Handler.
func (s *slowServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var from int64
	_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
	s.mu.Lock()
	s.repeated = max(s.repeated, s.have[r.URL.Path]-from)
	delete(s.have, r.URL.Path)
	s.mu.Unlock()
	s.files.ServeHTTP(&slowWriter{w}, r)
}

// interrupted notes the sizes of the interrupted transfers in a work folder.
func (s *slowServer) interrupted(t *testing.T, folder string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have = map[string]int64{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(filepath.Base(path), ".part"); err == nil && ok && filepath.Base(filepath.Dir(path)) == "data" {
			info, err := e.Info()
			if err != nil {
				return err
			}
			s.have["/data/"+name] = info.Size()
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

type slowWriter struct{ http.ResponseWriter }

// Write implements io.Writer.
func (w *slowWriter) Write(b []byte) (n int, err error) {
	for len(b) > 0 && err == nil {
		var m int
		m, err = w.ResponseWriter.Write(b[:min(len(b), 1<<14)])
		if f, ok := w.ResponseWriter.(http.Flusher); ok {
			f.Flush()
		}
		b, n = b[m:], n+m
		time.Sleep(time.Millisecond)
	}
	return n, err
}

// TestKilled kills pulls at random times. The installed file is always whole, and the
// next pull continues. POSTGEO_TEST_KILLS sets the number.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	const chunk = 1 << 20
	w := newWorld(t)
	slow := &slowServer{files: http.FileServer(http.Dir(w.folder)), have: map[string]int64{}}
	server := httptest.NewServer(slow)
	defer server.Close()
	output := filepath.Join(t.TempDir(), "postgeo.db")
	random := rand.New(rand.NewPCG(3, 4))
	killed, done := 0, 0
	var longest time.Duration
	for kills := times(t, "POSTGEO_TEST_KILLS", 40); killed < kills; {
		if done%2 == 1 { // from the old vintage, by the delta
			copyFile(t, w.old, output)
		} else {
			check(t, os.RemoveAll(output))
		}
		whole := []string{"", w.old}[done%2]
		for {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), "POSTGEO_PULL_FROM="+server.URL, "POSTGEO_PULL_TRUST="+w.trust.String(), "POSTGEO_PULL_OUTPUT="+output)
			var stderr bytes.Buffer
			child.Stderr = &stderr
			begin := time.Now()
			check(t, child.Start())
			timer := time.AfterFunc(time.Duration(random.Int64N(int64(max(longest, 300*time.Millisecond)))), func() { _ = child.Process.Kill() })
			err := child.Wait()
			timer.Stop()
			if err == nil {
				longest = max(longest, time.Since(begin))
				break
			}
			if child.ProcessState.ExitCode() > 0 {
				t.Fatalf("pull: %s", stderr.String())
			}
			killed++
			slow.interrupted(t, output+".pull")
			switch b, err := os.ReadFile(output); {
			case err != nil && whole != "":
				t.Fatal("the installed file is missing")
			case err == nil && string(b) != string(read(t, w.new)) && (whole == "" || string(b) != string(read(t, whole))):
				t.Fatalf("the installed file is broken after %d kills", killed)
			}
		}
		same(t, output, w.new)
		done++
	}
	if slow.repeated > chunk {
		t.Errorf("%d bytes were requested twice, expected at most %d", slow.repeated, chunk)
	}
	t.Logf("%d kills, %d installed, at most %d bytes requested twice", killed, done, slow.repeated)
}

// TestDiskFull pulls with a limit of the size of files, as on a full disk.
func TestDiskFull(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to set a limit")
	}
	w := newWorld(t)
	o := w.options(t)
	copyFile(t, w.old, o.Output)
	check(t, os.RemoveAll(blob(w.folder, manifestOf(t, w.folder, "sample-2026-12").Files[0].Deltas[0].SHA256))) // packs only
	for _, blocks := range []string{"1", "100", "4000"} {
		child := exec.Command(shell, "-c", "ulimit -f "+blocks+" && exec "+os.Args[0])
		child.Env = append(os.Environ(), "POSTGEO_PULL_FROM="+w.folder, "POSTGEO_PULL_TRUST="+w.trust.String(), "POSTGEO_PULL_OUTPUT="+o.Output)
		if out, err := child.CombinedOutput(); err == nil || !strings.Contains(string(out), "too large") {
			t.Errorf("limit of %s blocks: %v: %s", blocks, err, out)
		}
		same(t, o.Output, w.old)
	}
	_, err = channel.Pull(t.Context(), o)
	check(t, err)
	same(t, o.Output, w.new)
}

// TestLocalDisk pulls onto a disk that fails: the mirrors after the first one are not
// requested.
func TestLocalDisk(t *testing.T) {
	w := newWorld(t)
	requests := 0
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		http.NotFound(w, r)
	}))
	defer mirror.Close()
	o := w.options(t, w.folder, mirror.URL)
	check(t, os.MkdirAll(filepath.Join(o.Output+".pull", "new.db", "folder"), 0o755)) // in place of the new file
	if _, err := channel.Pull(t.Context(), o); err == nil || requests > 0 {
		t.Errorf("%d requests to the mirror: %v", requests, err)
	}
	o.From[0] = filepath.Join(t.TempDir(), "missing")
	if _, err := channel.Pull(t.Context(), o); err == nil || requests == 0 {
		t.Errorf("the mirror was not requested after a missing folder: %v", err)
	}
}

// TestTwoPulls runs several pulls of one output at once.
func TestTwoPulls(t *testing.T) {
	w := newWorld(t)
	server := httptest.NewServer(http.FileServer(http.Dir(w.folder)))
	defer server.Close()
	o := w.options(t, server.URL)
	o.Sleep = nil
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := channel.Pull(t.Context(), o); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	same(t, o.Output, w.new)
}

// TestServed replaces a dataset that is read, without a failed read.
// POSTGEO_TEST_SWAPS sets the number.
func TestServed(t *testing.T) {
	w := newWorld(t)
	o := w.options(t)
	o.Vintage = "sample-2026-11"
	_, err := channel.Pull(t.Context(), o)
	check(t, err)
	d, err := dataset.Open(o.Output)
	check(t, err)
	defer func() { d.Close() }()
	for i := range times(t, "POSTGEO_TEST_SWAPS", 8) {
		o.Vintage = []string{"sample-2026-12", "sample-2026-11"}[i%2]
		_, err := channel.Pull(t.Context(), o)
		check(t, err)
		check(t, d.Ping(t.Context())) // the old file is still open
		next, err := dataset.Open(o.Output)
		check(t, err)
		if next.Manifest().Version != o.Vintage {
			t.Errorf("opened %s, expected %s", next.Manifest().Version, o.Vintage)
		}
		check(t, d.Close())
		d = next
	}
}
