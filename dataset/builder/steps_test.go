package builder_test

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
)

// TestEverySourceIsRead checks that a step declares each source.
func TestEverySourceIsRead(t *testing.T) {
	var ids []string
	for _, s := range builder.Catalog() {
		ids = append(ids, s.ID)
	}
	if err := plan.Unread(builder.Steps(), ids); err != nil {
		t.Error(err)
	}
}

// TestStepsDeclareReads runs each step as early as its declarations allow. A
// step that uses a part of a table without declaring it finds the part empty,
// which makes the files differ.
func TestStepsDeclareReads(t *testing.T) {
	dir := inventedMirror(t)
	run := func(t *testing.T, first string) []byte {
		out := filepath.Join(t.TempDir(), "out.db")
		o := builder.Options{Mirror: dir, Output: out, Layers: []string{"all"}}
		if _, err := builder.BuildPrepared(t.Context(), o, func(b *plan.Build) { b.First = first }); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	want := run(t, "")
	for i, s := range builder.Steps() {
		if testing.Short() && i%6 != 0 {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			if !bytes.Equal(run(t, s.Name), want) {
				t.Errorf("the file differs when the step runs early; it declares that it reads %v", s.Reads())
			}
		})
	}
}

// TestStepsDeclareWrites compares the tables before and after each step: only
// parts that the step declares may change.
func TestStepsDeclareWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	dir := inventedMirror(t)
	w := &watcher{t: t, seed: maphash.MakeSeed()}
	_, err := builder.BuildPrepared(t.Context(), builder.Options{Mirror: dir, Output: filepath.Join(t.TempDir(), "out.db"), Layers: []string{"all"}}, func(b *plan.Build) {
		b.Watch = w.watch
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.changed) < 30 {
		t.Errorf("only %d parts ever changed: %v", len(w.changed), w.changed)
	}
}

type watcher struct {
	t       *testing.T
	seed    maphash.Seed
	before  map[string]uint64
	changed map[string]bool
}

func (w *watcher) watch(s plan.Step, tables map[string]any, after bool) {
	prints := map[string]uint64{}
	for name, table := range tables {
		for part, value := range partsOf(table) {
			prints[strings.TrimSuffix(name+"."+part, ".")] = w.hash(value)
		}
	}
	if !after {
		w.before = prints
		return
	}
	writes := s.Writes()
	for key, now := range prints {
		if before, had := w.before[key]; !had || before == now || key == "Output" {
			continue
		}
		if w.changed == nil {
			w.changed = map[string]bool{}
		}
		w.changed[key] = true
		if !slices.Contains(writes, key) {
			w.t.Errorf("step %q changed %s without declaring it; it declares %v", s.Name, key, writes)
		}
	}
}

// partsOf returns the values of the parts of a table; "" is the table itself,
// without the parts.
func partsOf(table any) map[string]any {
	if _, ok := table.(*draft.Output); ok {
		return nil
	}
	if t, ok := table.(plan.PartTable); ok {
		parts := map[string]any{}
		for _, part := range append(t.Parts(), "") {
			if value := t.Part(part); reflect.ValueOf(value).Len() > 0 {
				parts[part] = value
			}
		}
		return parts
	}
	return map[string]any{"": table}
}

// hash returns a hash of everything that a value leads to, except outlines that
// are laid out on demand.
func (w *watcher) hash(v any) uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	w.write(&h, reflect.ValueOf(v), map[uintptr]bool{})
	return h.Sum64()
}

func (w *watcher) write(h *maphash.Hash, v reflect.Value, seen map[uintptr]bool) {
	if !v.IsValid() {
		h.WriteByte(0)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			h.WriteByte(1)
			return
		}
		seen[v.Pointer()] = true
		w.write(h, v.Elem(), seen)
	case reflect.Interface:
		w.write(h, v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "laidOut" {
				w.write(h, v.Field(i), seen)
			}
		}
	case reflect.Slice, reflect.Array:
		maphash.WriteComparable(h, v.Len())
		for i := range v.Len() {
			w.write(h, v.Index(i), seen)
		}
	case reflect.Map:
		sum := uint64(v.Len())
		for it := v.MapRange(); it.Next(); {
			var one maphash.Hash
			one.SetSeed(w.seed)
			w.write(&one, it.Key(), map[uintptr]bool{})
			w.write(&one, it.Value(), map[uintptr]bool{})
			sum += one.Sum64() // in any order
		}
		maphash.WriteComparable(h, sum)
	case reflect.String:
		h.WriteString(v.String())
		h.WriteByte(0)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		fmt.Fprint(h, v)
	}
}
