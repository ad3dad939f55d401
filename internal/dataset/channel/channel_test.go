package channel_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/channel"
	"github.com/postgeo/postgeo/internal/dataset/sample"
)

// today is the time of publications in tests.
func today() time.Time { return time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC) }

// A world is a channel of two vintages, with its keys and the published files.
type world struct {
	folder   string
	key      channel.Key
	trust    channel.KeySet
	old, new string // paths of datasets
}

// published is the channel that tests copy.
var published struct {
	sync.Once
	world
	dir string
}

func TestMain(m *testing.M) {
	if from := os.Getenv("POSTGEO_PULL_FROM"); from != "" {
		os.Exit(pullOnce(from, os.Getenv("POSTGEO_PULL_TRUST"), os.Getenv("POSTGEO_PULL_OUTPUT")))
	}
	code := m.Run()
	os.RemoveAll(published.dir)
	os.Exit(code)
}

// newWorld returns a copy of a channel with the sample and a changed sample.
func newWorld(t testing.TB) *world {
	t.Helper()
	published.Do(func() {
		dir, err := os.MkdirTemp("", "channel")
		check(t, err)
		published.dir = dir
		w := &published.world
		*w = world{folder: filepath.Join(dir, "channel"), old: filepath.Join(dir, "old.db"), new: filepath.Join(dir, "new.db")}
		w.key, w.trust = newKey(t, filepath.Join(dir, "key"))
		b, err := fs.ReadFile(sample.FS(), sample.Name)
		check(t, err)
		check(t, os.WriteFile(w.old, b, 0o644))
		change(t, w.old, w.new, "sample-2026-12")
		w.publish(t, w.old)
		w.publish(t, w.new)
	})
	w := published.world
	w.folder = filepath.Join(t.TempDir(), "channel")
	check(t, os.CopyFS(w.folder, os.DirFS(published.folder)))
	return &w
}

func newKey(t testing.TB, path string) (channel.Key, channel.KeySet) {
	t.Helper()
	check(t, channel.NewKey(path, rand.Reader))
	key, err := channel.ReadKey(path)
	check(t, err)
	trust, err := channel.ReadKeys(path + ".pub")
	check(t, err)
	return key, trust
}

// change writes a dataset with another version and one more road.
func change(t testing.TB, from, to, version string) {
	t.Helper()
	d, err := dataset.Open(from)
	check(t, err)
	defer d.Close()
	w, err := dataset.Extend(to, d)
	check(t, err)
	m := d.Manifest()
	m.Version = version
	m.Gaps = append(m.Gaps, dataset.Gap{Name: "streets without a name", Count: 3})
	check(t, w.Finish(m))
}

func (w *world) publish(t testing.TB, files ...string) *channel.Manifest {
	t.Helper()
	m, err := channel.Publish(t.Context(), channel.PublishOptions{Files: files, To: w.folder, Key: w.key, Now: today()})
	check(t, err)
	return m
}

// options returns the options of a pull into a new folder.
func (w *world) options(t testing.TB, from ...string) channel.PullOptions {
	t.Helper()
	if len(from) == 0 {
		from = []string{w.folder}
	}
	return channel.PullOptions{
		From: from, Trust: w.trust, Output: filepath.Join(t.TempDir(), "postgeo.db"), Now: today, Retries: 3,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	check(t, err)
	return b
}

// same compares two files.
func same(t testing.TB, got, want string) {
	t.Helper()
	if string(read(t, got)) != string(read(t, want)) {
		t.Errorf("%s differs from %s", got, want)
	}
}

// TestPull installs vintages from a folder and from a server.
func TestPull(t *testing.T) {
	w := newWorld(t)
	server := httptest.NewServer(http.FileServer(http.Dir(w.folder)))
	defer server.Close()
	for _, from := range []string{w.folder, server.URL} {
		o := w.options(t, from)
		o.Vintage = "sample-2026-11"
		r, err := channel.Pull(t.Context(), o)
		check(t, err)
		same(t, o.Output, w.old)
		if !r.Installed || r.Delta || r.Vintage != o.Vintage {
			t.Errorf("first pull: %+v", r)
		}
		o.Vintage, o.Check = "", true
		r, err = channel.Pull(t.Context(), o)
		check(t, err)
		if r.Current || r.Installed || r.Vintage != "sample-2026-12" || r.Download == 0 {
			t.Errorf("check: %+v", r)
		}
		same(t, o.Output, w.old)
		o.Check = false
		r, err = channel.Pull(t.Context(), o)
		check(t, err)
		same(t, o.Output, w.new)
		if !r.Installed || !r.Delta || r.Download > 100_000 {
			t.Errorf("second pull: %+v", r)
		}
		r, err = channel.Pull(t.Context(), o)
		check(t, err)
		if r.Installed || !r.Current {
			t.Errorf("third pull: %+v", r)
		}
		d, err := dataset.Open(o.Output)
		check(t, err)
		check(t, errors.Join(d.Verify(t.Context()), d.Close()))
		if left, _ := filepath.Glob(o.Output + ".pull"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// TestSameBytes publishes twice into two folders.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("publishes several times")
	}
	w := newWorld(t)
	again := *w
	again.folder = filepath.Join(t.TempDir(), "again")
	again.publish(t, w.old)
	again.publish(t, w.new)
	if diff := cmp.Diff(tree(t, w.folder), tree(t, again.folder)); diff != "" {
		t.Error(diff)
	}
}

// tree returns the sizes and contents of the files of a folder.
func tree(t testing.TB, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	check(t, fs.WalkDir(os.DirFS(folder), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files[path] = string(read(t, filepath.Join(folder, path)))
		}
		return err
	}))
	return files
}

// TestRestricted refuses a dataset with a source that may not be passed on.
func TestRestricted(t *testing.T) {
	w := newWorld(t)
	d, err := dataset.Open(w.old)
	check(t, err)
	defer d.Close()
	e, err := dataset.Extend(filepath.Join(t.TempDir(), "x.db"), d)
	check(t, err)
	m := d.Manifest()
	m.Sources = slices.Clone(m.Sources)
	m.Sources[3].License, m.Sources[3].Redistribution = "private terms", dataset.Restricted
	path := filepath.Join(t.TempDir(), "restricted.db")
	_ = e.Abort()
	e, err = dataset.Extend(path, d)
	check(t, err)
	check(t, e.Finish(m))
	_, err = channel.Publish(t.Context(), channel.PublishOptions{Files: []string{path}, To: t.TempDir(), Key: w.key, Now: today()})
	if !errors.Is(err, channel.ErrRestricted) || err == nil {
		t.Fatalf("got %v", err)
	}
	if want := m.Sources[3].ID + " (private terms)"; !strings.Contains(err.Error(), want) {
		t.Errorf("%v; expected %q in it", err, want)
	}
}

// TestRefused checks that a pull refuses attacks and stale mirrors, and leaves the
// installed file as it is.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("publishes several times")
	}
	w := newWorld(t)
	stranger := filepath.Join(t.TempDir(), "stranger")
	strangerKey, strangerTrust := newKey(t, stranger)
	for name, c := range map[string]struct {
		attack func(t *testing.T, folder string, o *channel.PullOptions)
		want   error
	}{
		"wrong key": {func(_ *testing.T, _ string, o *channel.PullOptions) { o.Trust = strangerTrust }, channel.ErrUntrusted},
		"index by a stranger": {func(t *testing.T, folder string, _ *channel.PullOptions) {
			other := *w
			other.key, other.folder = strangerKey, t.TempDir()
			other.publish(t, w.new)
			copyFile(t, filepath.Join(other.folder, "index.json"), filepath.Join(folder, "index.json"))
		}, channel.ErrUntrusted},
		"no signature": {func(t *testing.T, folder string, _ *channel.PullOptions) {
			edit(t, filepath.Join(folder, "index.json"), func(m map[string]json.RawMessage) { m["signatures"] = []byte("[]") })
		}, channel.ErrUntrusted},
		"frozen mirror": {func(_ *testing.T, _ string, o *channel.PullOptions) {
			o.Now = func() time.Time { return today().Add(channel.DefaultValid) }
		}, channel.ErrExpired},
		"rollback": {func(t *testing.T, folder string, o *channel.PullOptions) {
			_, err := channel.Pull(t.Context(), *o)
			check(t, err)
			old := *w
			old.folder = t.TempDir()
			old.publish(t, w.old)
			copyFile(t, filepath.Join(old.folder, "index.json"), filepath.Join(folder, "index.json"))
		}, channel.ErrRollback},
		"two indexes with one counter": {func(t *testing.T, folder string, o *channel.PullOptions) {
			_, err := channel.Pull(t.Context(), *o)
			check(t, err)
			other := *w
			other.folder = t.TempDir()
			other.publish(t, w.new)
			other.publish(t, w.old)
			check(t, os.RemoveAll(folder))
			check(t, os.CopyFS(folder, os.DirFS(other.folder)))
		}, channel.ErrRollback},
		"mix of vintages": {func(t *testing.T, folder string, _ *channel.PullOptions) {
			m := manifestOf(t, folder, "sample-2026-12")
			other := manifestOf(t, folder, "sample-2026-11")
			copyFile(t, blob(folder, other.Files[0].Frame.SHA256), blob(folder, m.Files[0].Frame.SHA256))
		}, channel.ErrContent},
		"manifest of another vintage": {func(t *testing.T, folder string, _ *channel.PullOptions) {
			x := indexOf(t, folder)
			copyFile(t, blob(folder, x.Vintages["sample-2026-11"].SHA256), blob(folder, x.Vintages["sample-2026-12"].SHA256))
		}, channel.ErrContent},
		"huge index": {func(t *testing.T, folder string, _ *channel.PullOptions) {
			check(t, os.Truncate(filepath.Join(folder, "index.json"), 1<<32))
		}, channel.ErrContent},
		"unknown channel":  {func(_ *testing.T, _ string, o *channel.PullOptions) { o.Channel = "beta" }, channel.ErrMissing},
		"unknown vintage":  {func(_ *testing.T, _ string, o *channel.PullOptions) { o.Vintage = "../../etc" }, channel.ErrMissing},
		"unknown layer":    {func(_ *testing.T, _ string, o *channel.PullOptions) { o.Layers = []string{"oceans"} }, channel.ErrMissing},
		"missing a pack":   {func(t *testing.T, folder string, _ *channel.PullOptions) { removePack(t, folder) }, fs.ErrNotExist},
		"no trusted key":   {func(_ *testing.T, _ string, o *channel.PullOptions) { o.Trust = nil }, channel.ErrUntrusted},
		"canceled context": {func(_ *testing.T, _ string, o *channel.PullOptions) { o.From = nil }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "copy")
			check(t, os.CopyFS(folder, os.DirFS(w.folder)))
			o := w.options(t, folder)
			c.attack(t, folder, &o)
			before, _ := os.ReadFile(o.Output)
			_, err := channel.Pull(t.Context(), o)
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, expected %v", err, c.want)
			}
			after, _ := os.ReadFile(o.Output)
			if string(before) != string(after) {
				t.Error("the installed file changed")
			}
		})
	}
}

func blob(folder, sum string) string { return filepath.Join(folder, "data", sum) }

func removePack(t *testing.T, folder string) {
	check(t, os.Remove(blob(folder, manifestOf(t, folder, "sample-2026-12").Files[0].Packs[1].SHA256)))
}

func indexOf(t testing.TB, folder string) (x channel.Index) {
	t.Helper()
	var s struct{ Signed json.RawMessage }
	check(t, json.Unmarshal(read(t, filepath.Join(folder, "index.json")), &s))
	check(t, json.Unmarshal(s.Signed, &x))
	return x
}

func manifestOf(t testing.TB, folder, vintage string) (m channel.Manifest) {
	t.Helper()
	check(t, json.Unmarshal(read(t, blob(folder, indexOf(t, folder).Vintages[vintage].SHA256)), &m))
	return m
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	check(t, os.WriteFile(to, read(t, from), 0o644))
}

func edit(t testing.TB, path string, f func(map[string]json.RawMessage)) {
	t.Helper()
	m := map[string]json.RawMessage{}
	check(t, json.Unmarshal(read(t, path), &m))
	f(m)
	b, err := json.Marshal(m)
	check(t, err)
	check(t, os.WriteFile(path, b, 0o644))
}

// TestRotation replaces keys. Two of three must sign, and a revoked key is refused.
func TestRotation(t *testing.T) {
	if testing.Short() {
		t.Skip("publishes several times")
	}
	dir := t.TempDir()
	var keys []channel.Key
	var sets []channel.KeySet
	var trust channel.KeySet
	for _, name := range []string{"a", "b", "c", "d"} {
		k, s := newKey(t, filepath.Join(dir, name))
		keys, sets = append(keys, k), append(sets, s)
	}
	trust = slices.Concat(sets[0], sets[1], sets[2])
	w := newWorld(t)
	w.key, w.trust = keys[0], trust
	w.publish(t, w.new)
	o := w.options(t)
	_, err := channel.Pull(t.Context(), o)
	check(t, err)

	next := slices.Concat(sets[1], sets[2], sets[3])
	if err := channel.Rotate(w.folder, trust, next, keys[0]); err == nil {
		t.Error("one of three keys rotated the set")
	}
	if err := channel.Rotate(w.folder, trust, next, keys[0], keys[0]); err == nil {
		t.Error("one key rotated the set twice")
	}
	revoked := read(t, filepath.Join(w.folder, "index.json"))
	check(t, channel.Rotate(w.folder, trust, next, keys[1], keys[2]))
	if _, err := channel.Publish(t.Context(), channel.PublishOptions{Files: []string{w.new}, To: w.folder, Key: keys[0], Now: today()}); err == nil {
		t.Error("a replaced key published")
	}
	w.key = keys[3]
	w.publish(t, w.new)
	for _, o := range []channel.PullOptions{o, w.options(t)} { // one that pulled before and a new one
		_, err = channel.Pull(t.Context(), o)
		check(t, err)
		// The mirror hides the rotation and offers an index of the revoked key.
		mirror := filepath.Join(t.TempDir(), "mirror")
		check(t, os.CopyFS(mirror, os.DirFS(w.folder)))
		check(t, os.WriteFile(filepath.Join(mirror, "index.json"), revoked, 0o644))
		check(t, os.Remove(filepath.Join(mirror, "keys.json")))
		o.From = []string{mirror}
		if _, err := channel.Pull(t.Context(), o); !errors.Is(err, channel.ErrUntrusted) {
			t.Errorf("revoked key: got %v", err)
		}
	}
}

// TestKeyFiles refuses keys that others can read and files that are not keys.
func TestKeyFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	newKey(t, path)
	if err := channel.NewKey(path, rand.Reader); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a key was replaced: %v", err)
	}
	if _, err := channel.ReadKey(path + ".pub"); err == nil {
		t.Error("a public key was read as a private one")
	}
	check(t, os.Chmod(path, 0o644))
	if _, err := channel.ReadKey(path); err == nil {
		t.Error("a key that others can read was accepted")
	}
	if _, err := channel.ParseKeys("postgeo-public-key AAAA\n"); err == nil {
		t.Error("a short key was accepted")
	}
	if _, err := channel.ParseKeys("# none\n\n"); err == nil {
		t.Error("an empty list was accepted")
	}
}

// TestLayers chooses the smallest file with the layers.
func TestLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("publishes several times")
	}
	w := newWorld(t)
	d, err := dataset.Open(w.new)
	check(t, err)
	defer d.Close()
	few := filepath.Join(t.TempDir(), "few.db")
	e, err := dataset.Extend(few, d)
	check(t, err)
	m := d.Manifest()
	m.Layers = []string{"identity"}
	check(t, e.Finish(m))
	w.publish(t, w.new, few)
	for _, c := range []struct {
		layers []string
		want   string
	}{{nil, w.new}, {[]string{"identity"}, few}, {[]string{"identity", "boundaries"}, w.new}} {
		o := w.options(t)
		o.Layers = c.layers
		_, err := channel.Pull(t.Context(), o)
		check(t, err)
		same(t, o.Output, c.want)
	}
}

// TestWrongNames gives wrong files, as users do: the error names them, nothing is written,
// and no private key is shown.
func TestWrongNames(t *testing.T) {
	w, dir := newWorld(t), t.TempDir()
	_, err := channel.ReadKeys(filepath.Join(published.dir, "key"))
	secret := strings.TrimSpace(string(read(t, filepath.Join(published.dir, "key"))))
	if _, body, _ := strings.Cut(secret, " "); err == nil || strings.Contains(err.Error(), body) || !strings.Contains(err.Error(), "line 1 is not a public key") {
		t.Errorf("a private key to trust: %v", err)
	}
	for name, files := range map[string][]string{"missing": {w.old, filepath.Join(dir, "none.db")}, "twice": {w.old, w.new}} {
		to := filepath.Join(dir, name)
		if _, err := channel.Publish(t.Context(), channel.PublishOptions{Files: files, To: to, Key: w.key, Now: today()}); err == nil {
			t.Errorf("%s is published", name)
		}
		if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a folder remains: %v", name, err)
		}
	}
	check(t, os.WriteFile(filepath.Join(w.folder, "index.json"), []byte("{"), 0o600))
	if _, err := channel.Publish(t.Context(), channel.PublishOptions{Files: []string{w.old}, To: w.folder, Key: w.key, Now: today()}); err == nil || !strings.Contains(err.Error(), "index.json is damaged") {
		t.Errorf("publish over a damaged index: %v", err)
	}
	empty := filepath.Join(dir, "empty")
	check(t, os.Mkdir(empty, 0o700))
	o := w.options(t, empty, empty)
	if _, err := channel.Pull(t.Context(), o); err == nil || strings.Count(err.Error(), empty+": index.json does not exist; expected the folder or address of a channel") != 2 || strings.Contains(err.Error(), "\n") {
		t.Errorf("pull from empty folders: %v", err)
	}
	o.Output = empty
	if _, err := channel.Pull(t.Context(), o); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("pull into a folder: %v", err)
	}
	left, err := filepath.Glob(empty + ".*")
	if check(t, err); len(left) > 0 {
		t.Errorf("pull into a folder leaves %v", left)
	}
}
