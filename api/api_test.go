package api_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/api"
)

var (
	update   = flag.Bool("update", false, "write the list anew")
	complete = flag.Bool("complete", false, "fail too where the list lacks a name")
)

const golden = "go.txt"

// promised are the packages that keep what they export. The others serve the
// builder, the command line and tests, and may change.
var promised = []string{"", "/enrich", "/enrich/table", "/export", "/geo", "/geo/geojson", "/geo/svg", "/price", "/server", "/server/accounts", "/server/client"}

// Nothing that was listed has gone or has changed.
func TestCompatibility(t *testing.T) {
	now, err := api.List("..")
	if err != nil {
		t.Fatal(err)
	}
	all := len(now)
	now = slices.DeleteFunc(now, func(line string) bool {
		pkg, _, _ := strings.Cut(strings.TrimPrefix(line, "pkg "+api.Module), ",")
		return !slices.Contains(promised, pkg)
	})
	if len(now) < all/2 {
		t.Fatalf("%d of %d names are of packages that keep them", len(now), all)
	}
	names, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	shown, unnamed, err := api.Reachable("..", promised, now, string(names))
	if err != nil {
		t.Fatal(err)
	}
	if len(unnamed) > 0 {
		t.Errorf("callers cannot name these types; add them to names.txt:\n\t%s", strings.Join(unnamed, "\n\t"))
	}
	now = shown
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Split(strings.TrimSpace(string(data)), "\n")
	gone := without(before, now)
	for _, line := range gone {
		t.Errorf("gone, or changed: %s", line)
	}
	if len(gone) > 0 {
		t.Error("programs that use this do not build any more; if that is meant, run 'go test ./api -update' and tell of it in CHANGELOG.md")
	}
	added := without(now, before)
	t.Logf("%d names are listed, %d are new", len(before), len(added))
	if *complete && len(added) > 0 {
		t.Errorf("not listed yet; run 'go test ./api -update':\n%s", strings.Join(added, "\n"))
	}
}

// without are the lines of a that b does not have.
func without(a, b []string) []string {
	has := make(map[string]bool, len(b))
	for _, line := range b {
		has[line] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(line string) bool { return has[line] })
}

// What counts as exported, and how it is written.
func TestList(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module x\n",
		"a.go": `package a

// A comment.
type T[K comparable] struct {
	A, B int ` + "`json:\"a\"`" + `
	c    int
	*Other
	hidden
}

type (
	I    interface { M(x int, y ...string) (n int, err error); hidden() }
	Name = map[string]T[int]
	Kind uint8
)

type hidden struct{ D int }

const (
	One Kind = iota + 1
	Two
	Text = "x"
	small = 1
)

var Err, other error

func F[T any](a, b T, f func(x int) bool) (_ T, err error) { panic(1) }
func (t *T[K]) Do(n int)          {}
func (h hidden) Not()             {}
func (h *hidden) Nor()            {}
func unseen()                     {}
`,
		"a_test.go":         "package a\n\nfunc Tested() {}\n",
		"sub/b.go":          "package sub\n\nfunc G() {}\n",
		"internal/c/c.go":   "package c\n\nfunc H() {}\n",
		"tool/main.go":      "package main\n\nfunc Exported() {}\n",
		"nested/go.mod":     "module y\n",
		"nested/n.go":       "package n\n\nfunc N() {}\n",
		"testdata/t/odd.go": "package broken {",
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.Split(strings.TrimSpace(`
const One Kind
const Text = "x"
const Two
func F[T any](T, T, func(x int) bool) (T, error)
method (*T[K]) Do(int)
type I interface
type I interface, M(int, ...string) (int, error)
type I interface, hidden()
type Kind uint8
type Name = map[string]T[int]
type T[K comparable] struct
type T[K comparable] struct, A int
type T[K comparable] struct, B int
type T[K comparable] struct, embeds *Other
var Err error`), "\n")
	for i := range want {
		want[i] = "pkg " + api.Module + ", " + want[i]
	}
	want = append(want, "pkg "+api.Module+"/sub, func G()")
	got, err := api.List(dir)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
