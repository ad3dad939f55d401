package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// library builds the library once and returns its folder, which TestMain removes.
var library = sync.OnceValues(func() (string, error) {
	if folder := os.Getenv("POSTGEO_TEST_LIBRARY"); folder != "" { // such as one of "make clib"
		return folder, nil
	}
	dir, err := os.MkdirTemp("", "libpostgeo")
	built = dir
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildmode=c-shared", "-o", filepath.Join(dir, "libpostgeo.so"), ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return dir, nil
})

var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

func libraryFolder(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc")
	}
	dir, err := library()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out.Bytes(), stderr.Bytes())
	}
	return out.String()
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	comment   = regexp.MustCompile(`(?s)/\*.*?\*/`)
	prototype = regexp.MustCompile(`(?m)^(?:extern )?([\w ]+?[ *]+)(postgeo_\w+)\(([^)]*)\);`)
	space     = regexp.MustCompile(`\s+`)
)

// The header is frozen: a change breaks compiled programs and needs a new
// postgeo_abi. Additions are added to testdata/abi.txt.
func TestHeader(t *testing.T) {
	header := comment.ReplaceAllString(read(t, "postgeo.h"), "")
	var frozen []string
	for _, p := range prototype.FindAllString(header, -1) {
		frozen = append(frozen, space.ReplaceAllString(p, " "))
	}
	declared := regexp.MustCompile(`(?s)typedef enum \{.*?\n\}[^;]*;|typedef uint64_t \w+;`)
	for _, s := range declared.FindAllString(header, -1) {
		frozen = append(frozen, space.ReplaceAllString(s, " "))
	}
	got := strings.Join(frozen, "\n") + "\n"
	if diff := cmp.Diff(read(t, "testdata/abi.txt"), got); diff != "" {
		t.Errorf("postgeo.h against testdata/abi.txt (-want +got):\n%s", diff)
	}
}

// The functions of the header have the types that the library exports.
func TestExports(t *testing.T) {
	dir := libraryFolder(t)
	want := signatures(comment.ReplaceAllString(read(t, "postgeo.h"), ""))
	got := signatures(read(t, filepath.Join(dir, "libpostgeo.h")))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("header and library (-header +library):\n%s", diff)
	}
}

// signatures returns the types of the functions of a header by their names.
func signatures(header string) map[string]string {
	widths := map[string]string{"GoInt32": "int32_t", "GoInt64": "int64_t", "GoUint64": "uint64_t", "postgeo_db": "uint64_t"}
	kind := func(s string) string {
		s = strings.TrimSpace(s)
		switch name, _, _ := strings.Cut(strings.TrimPrefix(s, "extern "), " "); {
		case strings.Contains(s, "*"):
			return "pointer"
		case widths[name] != "":
			return widths[name]
		default:
			return name
		}
	}
	all := map[string]string{}
	for _, m := range prototype.FindAllStringSubmatch(header, -1) {
		types := []string{kind(m[1])}
		for p := range strings.SplitSeq(m[3], ",") {
			if p != "void" && p != "" {
				types = append(types, kind(p))
			}
		}
		all[m[2]] = strings.Join(types, " ")
	}
	return all
}

func TestExample(t *testing.T) {
	dir := libraryFolder(t)
	program := filepath.Join(t.TempDir(), "lookup")
	run(t, nil, "gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I.", "-o", program, "example/lookup.c", "-L"+dir, "-lpostgeo")
	out := run(t, []string{"LD_LIBRARY_PATH=" + dir}, program)
	for i, want := range []string{
		`"distance":{"miles":2458.91,"km":3957.22},"bearing":65.9}`,
		`{"columns":[{"name":"city","type":"string","values":["Beverly Hills","New York",null]},{"name":"county_fips","type":"string","values":["06037","36061",null]},` +
			`{"name":"postgeo_status","type":"string","values":["matched","matched","not_found"]},{"name":"postgeo_reason","type":"string","values":["","","NOT_FOUND_ZIP: ZIP code 99999 not found."]}]}`,
		`{"columns":[{"name":"county_fips","type":"string","values":["06037",null]}]}`,
		`1 {"status":1,"kind":"not found","message":"postgeo: lookup: ZIP code \"99999\" not found","code":"NOT_FOUND_ZIP","input":"99999"}`,
		`7 {"status":7,"kind":"closed"`,
	} {
		line, rest, _ := strings.Cut(out, "\n")
		out = rest
		if !strings.Contains(line, want) {
			t.Errorf("line %d of example/lookup.c: %s, want %s", i, line, want)
		}
	}
}

// The wheel installs without a network and passes its tests, with Debian's pandas
// and without.
func TestWheel(t *testing.T) {
	dir := libraryFolder(t)
	bindings := "../../bindings/python"
	wheels, site := t.TempDir(), t.TempDir()
	interpreters := pythons()
	if len(interpreters) == 0 {
		t.Skip("needs python3")
	}
	run(t, nil, interpreters[0], bindings+"/build_wheel.py", "--library", filepath.Join(dir, "libpostgeo.so"), "--output", wheels)
	list, err := filepath.Glob(filepath.Join(wheels, "*.whl"))
	if err != nil || len(list) != 1 {
		t.Fatalf("wheels %v, %v", list, err)
	}
	installed := false
	for _, python := range interpreters {
		if exec.Command(python, "-m", "pip", "--version").Run() != nil {
			continue
		}
		run(t, nil, python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", "--target", site, list[0])
		installed = true
		break
	}
	if !installed {
		t.Skip("needs pip")
	}
	for _, python := range interpreters {
		out := run(t, []string{"PYTHONPATH=" + site, "POSTGEO_LIBRARY=", "PYTHONDONTWRITEBYTECODE=1", "PYTHONWARNINGS=error"}, python, "-m", "unittest", "discover", "-s", bindings+"/tests")
		t.Logf("%s: %s", python, out)
	}
}

// pythons returns the interpreter of the path and, if it differs, the system's,
// which has the packages of Debian.
func pythons() (list []string) {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err == nil && (len(list) == 0 || list[0] != path) {
			list = append(list, path)
		}
	}
	return list
}
