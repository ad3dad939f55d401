package postgeo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

func openTest(tb testing.TB) *postgeo.DB {
	tb.Helper()
	return sampletest.File(tb, lookuptest.Path(tb))
}

func TestOpen(t *testing.T) {
	path := lookuptest.Path(t)
	for name, open := range map[string]func() (*postgeo.DB, error){
		"Open": func() (*postgeo.DB, error) { return postgeo.Open(path) },
		"OpenFS": func() (*postgeo.DB, error) {
			return postgeo.OpenFS(os.DirFS(filepath.Dir(path)), filepath.Base(path), postgeo.OpenOptions{})
		},
	} {
		db, err := open()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m := db.Info(); m.Version != "2026-06-30" || !m.Built.Equal(lookuptest.Built) {
			t.Errorf("%s: the manifest is %+v", name, m)
		}
		if err := errors.Join(db.Ping(t.Context()), db.Verify(t.Context())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		rec, err := db.Lookup(t.Context(), "90210", lookup.Options{Include: lookup.Include{Timezone: true}})
		if err != nil || rec.City != "Beverly Hills" || rec.Timezone == nil {
			t.Errorf("%s: 90210 is %+v, %v", name, rec, err)
		}
		if err := errors.Join(db.Close(), db.Close()); err != nil {
			t.Errorf("%s: closing twice: %v", name, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage.db")
	check(t, os.WriteFile(garbage, bytes.Repeat([]byte("garbage"), 1000), 0o644))
	if _, err := postgeo.Open(filepath.Join(dir, "absent.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent file: %v", err)
	}
	if _, err := postgeo.Open(garbage); !errors.Is(err, store.ErrNotDataset) {
		t.Errorf("a file of garbage: %v", err)
	}
	if _, err := postgeo.OpenFS(os.DirFS(dir), "garbage.db", postgeo.OpenOptions{}); !errors.Is(err, store.ErrNotDataset) {
		t.Errorf("a file of garbage in a file system: %v", err)
	}
	db := openTest(t)
	for _, path := range []string{garbage, filepath.Join(dir, "absent.db")} {
		if err := db.Swap(t.Context(), path); err == nil {
			t.Errorf("%s took the place of a dataset", path)
		}
	}
	if _, err := db.Lookup(t.Context(), "90210", lookup.Options{}); err != nil {
		t.Errorf("after the swaps that failed: %v", err)
	}
}

func TestLookupsEndWithTheContext(t *testing.T) {
	db := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var records int
	var last error
	for rec, err := range db.LookupBatch(ctx, slices.Values([]string{"90210", "10001", "20500"}), lookup.Options{}) {
		if rec != nil {
			records++
		}
		last = err
		cancel()
	}
	if records != 1 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d records, then %v; want 1 and the context's error", records, last)
	}
}

func TestQuickLookupAllocatesOnce(t *testing.T) {
	db := openTest(t)
	ctx := context.Background()
	for _, code := range []string{"90210", "K1A", "K1A 0B1"} {
		for _, opt := range []lookup.QuickOptions{{}, {Timezone: true}} {
			if n := testing.AllocsPerRun(100, func() {
				if _, err := db.QuickLookup(ctx, code, opt); err != nil {
					t.Fatal(err)
				}
			}); n > 1 {
				t.Errorf("a quick lookup of %s with %+v allocates %v times", code, opt, n)
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := db.Distance(ctx, "90210", "K1A 0B1", radius.DistanceOptions{}); err != nil {
			t.Fatal(err)
		}
	}); n > 1 {
		t.Errorf("a distance allocates %v times", n)
	}
}

// FuzzDB asks everything of any input: a result or a contract failure.
func FuzzDB(f *testing.F) {
	for _, s := range []string{"90210", "90210-1234", "k1a9z9", "H0H", "1,2", "", "９０２１０"} {
		f.Add(s, "10001")
	}
	db := openTest(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		_, quickErr := db.QuickLookup(t.Context(), a, lookup.QuickOptions{Timezone: true})
		_, lookupErr := db.Lookup(t.Context(), a, lookup.Options{})
		_, distanceErr := db.Distance(t.Context(), a, b, radius.DistanceOptions{})
		for _, err := range []error{quickErr, lookupErr, distanceErr} {
			if err != nil && envelope.FaultOf(err) == nil {
				t.Fatalf("%q, %q: %v", a, b, err)
			}
		}
	})
}

// TestACSMemory checks that a DB keeps to its limit of memory for surveys, also after a swap,
// and gives the same answers under any limit.
func TestACSMemory(t *testing.T) {
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	path := filepath.Join(t.TempDir(), "sample.db")
	check(t, os.WriteFile(path, data, 0o644))
	var want []byte
	for _, tt := range []struct {
		name  string
		opt   postgeo.OpenOptions
		limit int64
	}{
		{"none", postgeo.OpenOptions{ACSMemory: -1}, 0},
		{"default", postgeo.OpenOptions{}, store.DefaultACSMemory},
		{"little", postgeo.OpenOptions{ACSMemory: 100_000}, 100_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db, err := postgeo.Open(path, tt.opt)
			check(t, err)
			defer db.Close()
			for range 2 {
				res, err := db.Radius(t.Context(), "98101", radius.Options{Max: 100, Include: radius.Include{ACS: []acs.Tag{{Profile: acs.Housing}}}})
				check(t, err)
				got, err := json.Marshal(res.Stats)
				check(t, err)
				if want == nil {
					want = got
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("another answer (-want +got):\n%s", diff)
				}
				if limit, used := db.ACSMemory(); limit != tt.limit || used > limit {
					t.Errorf("%d of %d bytes are in use, want at most %d", used, limit, tt.limit)
				}
				check(t, db.Swap(t.Context(), path))
			}
		})
	}
}

// spoil changes all numbers, flags and texts that can be reached from a value.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			spoil(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			spoil(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			spoil(v.Index(i))
		}
	default:
		if v.CanSet() {
			v.SetZero()
		}
	}
}

// A record is its caller's own: what a caller does to it changes no later answer.
func TestRecordsAreOwn(t *testing.T) {
	db := sampletest.Open(t)
	opt, _ := lookup.ParseOptions([]string{"timezone", "census", "cd", "school_district", "state_leg", "quality", "medicare", "demographics"})
	for _, code := range []string{"90210", "10001", "99546", "K1A", "K1A 0B1"} {
		read := func() (*lookup.Record, string) {
			r, err := db.Lookup(t.Context(), code, opt)
			check(t, err)
			text, err := json.Marshal(r)
			check(t, err)
			return r, string(text)
		}
		r, want := read()
		spoil(reflect.ValueOf(r))
		if _, got := read(); got != want {
			t.Errorf("%s after its first record was changed:\n%s\nwant\n%s", code, got, want)
		}
	}
}
