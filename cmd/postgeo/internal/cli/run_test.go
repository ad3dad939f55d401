package cli_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/sample"
)

var update = flag.Bool("update", false, "rewrite golden files")

// A world is where a test runs commands: an Env without the user's files.
type world struct {
	stdin    string
	terminal bool // standard output is one
	vars     map[string]string
	dataDir  string
	cacheDir string
}

type result struct {
	code           int
	stdout, stderr string
}

func (w world) run(args ...string) result {
	var stdout, stderr bytes.Buffer
	code := cli.Run(context.Background(), args, cli.Env{
		Stdin: strings.NewReader(w.stdin), Stdout: &stdout, Stderr: &stderr,
		StdoutTerminal: w.terminal,
		Getenv:         func(name string) string { return w.vars[name] },
		Now:            func() time.Time { return time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC) },
		DataDir:        w.dataDir,
		CacheDir:       w.cacheDir,
	})
	return result{code, stdout.String(), stderr.String()}
}

// told runs a command and returns one member of the JSON that it prints.
func told(t *testing.T, member string, args ...string) string {
	t.Helper()
	text, _ := answer[object](t, world{}, args...)[member].(string)
	return text
}

// String is the form of golden files.
func (r result) String() string {
	return fmt.Sprintf("%s-- stderr --\n%s-- exit code %d --\n", r.stdout, r.stderr, r.code)
}

// A failure is a command line with its exit code and a part of its standard error.
type failure struct {
	args string
	code int
	says string
}

// fails runs command lines, which are divided at blanks, and compares their failures.
func fails(t *testing.T, w world, tests []failure, more ...string) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			r := w.run(append(strings.Fields(tt.args), more...)...)
			if r.code != tt.code || !strings.Contains(r.stderr, tt.says) || tt.code == cli.Misuse && r.stdout != "" {
				t.Errorf("exit code %d, stderr %q; want %d and %q", r.code, r.stderr, tt.code, tt.says)
			}
			if strings.Contains(r.stderr, "0123456789abcdefghjkmnpq") {
				t.Error("the key is repeated")
			}
		})
	}
}

// golden compares got with a file of testdata, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); rewrite with -update if it is meant:\n%s", path, diff)
	}
}

// sampleFile writes the embedded sample to a file and returns its path.
func sampleFile(t *testing.T) string {
	t.Helper()
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sample.db")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
