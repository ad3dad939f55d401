package signed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/signed"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/source/fetch"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

func today() time.Time { return time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC) }

// A site is a folder with the published sample.
type site struct {
	dir, folder, file string
	key               minisign.PrivateKey
	trust             minisign.PublicKey
	manifest          *signed.Manifest
}

func newSite(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	s := &site{dir: dir, folder: filepath.Join(dir, "site"), file: filepath.Join(dir, "all.db")}
	b, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	check(t, os.WriteFile(s.file, b, 0o600))
	once.Do(func() { // compressing takes seconds
		s.key, s.trust = newKey(t, filepath.Join(dir, "key"))
		s.publish(t, s.file)
		for _, end := range ends {
			b, err := os.ReadFile(filepath.Join(s.folder, "all"+end))
			check(t, err)
			published = append(published, b)
		}
		first = *s
	})
	s.key, s.trust, s.manifest = first.key, first.trust, first.manifest
	check(t, os.MkdirAll(s.folder, 0o755))
	for i, b := range published {
		check(t, os.WriteFile(filepath.Join(s.folder, "all"+ends[i]), b, 0o600))
	}
	return s
}

var (
	once      sync.Once
	first     site
	published [][]byte
	ends      = []string{".db.zst", ".json", ".json.minisig"}
)

func newKey(t *testing.T, path string) (minisign.PrivateKey, minisign.PublicKey) {
	t.Helper()
	check(t, signed.NewKey(path))
	key, err := signed.ReadKey(path)
	check(t, err)
	trust, err := signed.ReadTrust(path + ".pub")
	check(t, err)
	return key, trust
}

func (s *site) publish(t *testing.T, file string) {
	t.Helper()
	m, err := signed.Publish(t.Context(), signed.PublishOptions{Files: []string{file}, To: s.folder, Key: s.key, Expires: today().Add(time.Hour)})
	check(t, err)
	s.manifest = m[0]
}

// options pulls from an address or folder without waiting.
func (s *site) options(t *testing.T, from string) signed.PullOptions {
	t.Helper()
	return signed.PullOptions{
		From: from, Name: "all", Trust: s.trust, Output: filepath.Join(t.TempDir(), "postgeo.db"), Now: today,
		Fetch: fetch.Options{Retries: 1, Sleep: func(context.Context, time.Duration) error { return nil }},
	}
}

// sign replaces the manifest by a text and signs it.
func (s *site) sign(t *testing.T, text []byte) {
	t.Helper()
	check(t, os.WriteFile(filepath.Join(s.folder, "all.json"), text, 0o600))
	check(t, os.WriteFile(filepath.Join(s.folder, "all.json.minisig"), minisign.Sign(s.key, text), 0o600))
}

var check = checktest.Check

func same(t *testing.T, got, want string) {
	t.Helper()
	a, err := os.ReadFile(got)
	check(t, err)
	b, err := os.ReadFile(want)
	check(t, err)
	if !bytes.Equal(a, b) {
		t.Errorf("%s has %d bytes and differs from %s with %d", got, len(a), want, len(b))
	}
}

// changed writes the sample with another version and date.
func (s *site) changed(t *testing.T, built time.Time) string {
	t.Helper()
	d, err := sqlite.Open(s.file)
	check(t, err)
	defer d.Close()
	to := filepath.Join(t.TempDir(), "all.db")
	w, err := storewrite.Extend(to, d)
	check(t, err)
	m := d.Manifest()
	m.Version, m.Built = "sample-changed", built
	check(t, w.Finish(m))
	return to
}

func TestPublishAndPull(t *testing.T) {
	s := newSite(t)
	if !minisign.Verify(s.trust, published[1], published[2]) {
		t.Error("the signature is not one of minisign")
	}
	s.publish(t, s.file)
	if again, err := os.ReadFile(filepath.Join(s.folder, "all.db.zst")); err != nil || !bytes.Equal(again, published[0]) {
		t.Errorf("a second publication differs: %v", err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(s.folder)))
	defer server.Close()
	for _, from := range []string{s.folder, server.URL, server.URL + "/"} {
		o := s.options(t, from)
		for _, installs := range []bool{true, false} {
			r, err := signed.Pull(t.Context(), o)
			check(t, err)
			if r.Installed != installs || r.SHA256 != s.manifest.SHA256 || !slices.Equal(r.Layers, s.manifest.Layers) {
				t.Errorf("%s: %+v", from, r)
			}
			same(t, o.Output, s.file)
			if left, _ := filepath.Glob(o.Output + ".pull"); len(left) > 0 {
				t.Errorf("%s: a pull leaves %v", from, left)
			}
		}
	}
}

// Each fault is refused, and the installed file stays.
func TestRefused(t *testing.T) {
	flip := func(name string, at int) func(*testing.T, *site, *signed.PullOptions) {
		return func(t *testing.T, s *site, _ *signed.PullOptions) {
			path := filepath.Join(s.folder, name)
			b, err := os.ReadFile(path)
			check(t, err)
			b[(at+len(b))%len(b)] ^= 1
			check(t, os.WriteFile(path, b, 0o600))
		}
	}
	edit := func(from, to string) func(*testing.T, *site, *signed.PullOptions) {
		return func(t *testing.T, s *site, _ *signed.PullOptions) {
			text, err := os.ReadFile(filepath.Join(s.folder, "all.json"))
			check(t, err)
			if !strings.Contains(string(text), from) {
				t.Fatalf("the manifest lacks %q: %s", from, text)
			}
			s.sign(t, []byte(strings.Replace(string(text), from, to, 1)))
		}
	}
	old := newSite(t).changed(t, today().AddDate(-30, 0, 0))
	for name, c := range map[string]struct {
		change func(*testing.T, *site, *signed.PullOptions)
		want   error
	}{
		"changed manifest":   {flip("all.json", 40), signed.ErrSignature},
		"changed signature":  {flip("all.json.minisig", 120), signed.ErrSignature},
		"no signature":       {flip("all.json.minisig", 0), nil},
		"changed data":       {flip("all.db.zst", 5000), signed.ErrContent},
		"changed end":        {flip("all.db.zst", -1), signed.ErrContent},
		"another name":       {edit(`"name": "all"`, `"name": "other"`), signed.ErrContent},
		"another size":       {edit(`"size": `, `"size": 1`), signed.ErrContent},
		"smaller compressed": {edit(`"compressed_size": `, `"compressed_size": 1000, "x": `), nil},
		"another hash":       {edit(`"sha256": "`, `"sha256": "00`), signed.ErrContent},
		"another compressed": {edit(`"compressed_sha256": "`, `"compressed_sha256": "00`), signed.ErrContent},
		"no JSON":            {func(t *testing.T, s *site, _ *signed.PullOptions) { s.sign(t, []byte("[]")) }, signed.ErrContent},
		"expired": {func(_ *testing.T, _ *site, o *signed.PullOptions) {
			o.Now = func() time.Time { return today().Add(time.Hour) }
		}, signed.ErrExpired},
		"another key": {func(t *testing.T, _ *site, o *signed.PullOptions) {
			_, o.Trust = newKey(t, filepath.Join(t.TempDir(), "other"))
		}, signed.ErrSignature},
		"no such name": {func(_ *testing.T, _ *site, o *signed.PullOptions) { o.Name = "identity" }, nil},
		"bad name":     {func(_ *testing.T, _ *site, o *signed.PullOptions) { o.Name = "../all" }, nil},
		"missing data": {func(t *testing.T, s *site, _ *signed.PullOptions) {
			check(t, os.Remove(filepath.Join(s.folder, "all.db.zst")))
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			server := httptest.NewServer(http.FileServer(http.Dir(s.folder)))
			defer server.Close()
			for _, from := range []string{s.folder, server.URL} {
				o := s.options(t, from)
				b, err := os.ReadFile(old)
				check(t, err)
				check(t, os.WriteFile(o.Output, b, 0o600))
				if from == s.folder {
					c.change(t, s, &o)
				} else {
					switch name { // what is in the options, not in the folder
					case "expired", "another key", "no such name", "bad name":
						c.change(t, s, &o)
					}
				}
				if _, err = signed.Pull(t.Context(), o); err == nil || c.want != nil && !errors.Is(err, c.want) {
					t.Errorf("%s: %v; expected %v", from, err, c.want)
				}
				same(t, o.Output, old)
			}
		})
	}
}

// An older dataset and a file that is no dataset are replaced with Force only.
func TestOlder(t *testing.T) {
	s := newSite(t)
	newer := s.changed(t, today())
	for _, file := range []string{newer, filepath.Join(s.folder, "all.json")} {
		o := s.options(t, s.folder)
		b, err := os.ReadFile(file)
		check(t, err)
		check(t, os.WriteFile(o.Output, b, 0o600))
		if _, err = signed.Pull(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--force") || file == newer && !errors.Is(err, signed.ErrOlder) {
			t.Errorf("over %s: %v", file, err)
		}
		same(t, o.Output, file)
		o.Force = true
		_, err = signed.Pull(t.Context(), o)
		check(t, err)
		same(t, o.Output, s.file)
	}
	o := s.options(t, s.folder)
	_, err := signed.Pull(t.Context(), o)
	check(t, err)
	s.publish(t, newer)
	r, err := signed.Pull(t.Context(), o)
	check(t, err)
	if same(t, o.Output, newer); !r.Installed || r.Vintage != "sample-changed" {
		t.Errorf("an update: %+v", r)
	}
}

// A pull goes on where another ended, and one that gets a few bytes at a time ends.
func TestResumeAndDrip(t *testing.T) {
	s := newSite(t)
	files := http.FileServer(http.Dir(s.folder))
	data := published[0]
	var mode atomic.Value
	mode.Store("cut")
	var lock sync.Mutex
	var ranges []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mode := mode.Load()
		if !strings.HasSuffix(r.URL.Path, ".zst") || mode == "" {
			if mode == "" && r.Header.Get("Range") != "" {
				lock.Lock()
				ranges = append(ranges, r.Header.Get("Range"))
				lock.Unlock()
			}
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Last-Modified", modified(s).UTC().Format(http.TimeFormat))
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		if mode == "cut" {
			if r.Header.Get("Range") == "" {
				_, _ = w.Write(data[:len(data)/2])
			}
			panic(http.ErrAbortHandler)
		}
		for i := range data {
			if _, err := w.Write(data[i : i+1]); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}))
	defer server.Close()
	o := s.options(t, server.URL)
	if _, err := signed.Pull(t.Context(), o); !errors.Is(err, fetch.ErrTransfer) {
		t.Errorf("a cut transfer: %v", err)
	}
	if _, err := os.Stat(o.Output); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a cut transfer leaves an output: %v", err)
	}
	mode.Store("")
	_, err := signed.Pull(t.Context(), o)
	check(t, err)
	same(t, o.Output, s.file)
	lock.Lock()
	defer lock.Unlock()
	if want := fmt.Sprintf("bytes=%d-", len(data)/2); !slices.Equal(ranges, []string{want}) {
		t.Errorf("ranges %q, want %q", ranges, want)
	}

	mode.Store("drip")
	for name, change := range map[string]func(*fetch.Options){
		"rate":  func(o *fetch.Options) { o.Idle, o.Retries = 50*time.Millisecond, -1 },
		"total": func(o *fetch.Options) { o.Longest = 50 * time.Millisecond },
	} {
		o := s.options(t, server.URL)
		change(&o.Fetch)
		if _, err := signed.Pull(t.Context(), o); !errors.Is(err, fetch.ErrTransfer) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func modified(s *site) (at time.Time) {
	if info, err := os.Stat(filepath.Join(s.folder, "all.db.zst")); err == nil {
		at = info.ModTime()
	}
	return at
}

func TestPublishRefuses(t *testing.T) {
	s := newSite(t)
	d, err := sqlite.Open(s.file)
	check(t, err)
	defer d.Close()
	with := func(name, redistribution string) string {
		path := filepath.Join(s.dir, name)
		w, err := storewrite.Extend(path, d)
		check(t, err)
		m := d.Manifest()
		m.Sources = append(m.Sources, dataset.Source{ID: "own", License: "secret", Redistribution: redistribution})
		check(t, w.Finish(m))
		return path
	}
	private, unknown := with("private.db", dataset.Restricted), with("unknown.db", "unknown")
	to := filepath.Join(s.dir, "to")
	for _, files := range [][]string{{s.file, private}, {unknown}, {s.file, s.file}, {filepath.Join(s.folder, "all.json")}} {
		_, err := signed.Publish(t.Context(), signed.PublishOptions{Files: files, To: to, Key: s.key, Expires: today()})
		refused := slices.Contains(files, private) || slices.Contains(files, unknown)
		if err == nil || refused && (!errors.Is(err, signed.ErrRestricted) || strings.Contains(err.Error(), "name its license") != slices.Contains(files, unknown)) {
			t.Errorf("%v: %v", files, err)
		}
	}
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("refused files are published: %v", err)
	}
}

// No message shows a private key, and others may not read it.
func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	newKey(t, path)
	secret, err := os.ReadFile(path)
	check(t, err)
	last := strings.Fields(string(secret))
	if err := signed.NewKey(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a key: %v", err)
	}
	_, trust := signed.ReadTrust(path)
	_, key := signed.ReadKey(path + ".pub")
	for _, err := range []error{trust, key} {
		if err == nil || strings.Contains(err.Error(), last[len(last)-1]) {
			t.Errorf("the wrong key: %v", err)
		}
	}
	if os.PathSeparator == '/' {
		check(t, os.Chmod(path+".pub", 0o600))
		check(t, os.Chmod(path, 0o644))
		if _, err := signed.ReadKey(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("a key that others can read: %v", err)
		}
	}
}
