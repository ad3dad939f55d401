package builder_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// childVariable holds the build of a child process.
const childVariable = "POSTGEO_TEST_BUILD"

// A childBuild is a build in a child process, which can be killed, kept from
// writing large files, or made a user without rights.
type childBuild struct {
	Mirror, Output, Cache string
	Limit                 uint64 // bytes that a file may have; 0: any number
	Nobody                bool   // the process gives up the administrator's rights
}

// runChild runs the build of the variable and prints its error.
func runChild(text string) int {
	var c childBuild
	err := json.Unmarshal([]byte(text), &c)
	if err == nil {
		err = c.confine()
	}
	if err == nil {
		_, err = builder.Build(context.Background(), builder.Options{Mirror: c.Mirror, Output: c.Output, Cache: c.Cache, Layers: []string{"identity"}})
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// start begins the build.
func (c childBuild) start(t *testing.T) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	text, err := json.Marshal(c)
	check(t, err)
	out := &strings.Builder{}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	cmd.Stdout, cmd.Stderr = out, out
	check(t, cmd.Start())
	return cmd, out
}

// run builds and returns the output of the process; ok when it succeeded.
func (c childBuild) run(t *testing.T) (said string, ok bool) {
	t.Helper()
	cmd, out := c.start(t)
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || !exit.Exited() || exit.ExitCode() != 1) {
		t.Fatalf("the build ended with %v: %s", err, out)
	}
	return out.String(), err == nil
}

// names lists the files of a folder and those below it.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	check(t, err)
	return list
}

func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	check(t, err)
	return string(b)
}

// fromServer returns the address of a mirror of a world, so that a build has to
// write a cache too, and the resulting dataset.
func fromServer(t *testing.T) (mirror, good string, took time.Duration) {
	t.Helper()
	root := newWorld(t, "small").write()
	mirror = serveFolder(t, root).URL
	dir := t.TempDir()
	began := time.Now()
	c := childBuild{Mirror: mirror, Output: filepath.Join(dir, "good.db"), Cache: filepath.Join(dir, "cache")}
	if said, ok := c.run(t); !ok {
		t.Fatal(said)
	}
	return mirror, contents(t, c.Output), time.Since(began)
}

// verified fails the test unless the file is a dataset.
func verified(t *testing.T, path string) {
	t.Helper()
	d, err := sqlite.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	if err := errors.Join(d.Verify(t.Context()), d.Close()); err != nil {
		t.Error(err)
	}
}

// unfinished are the files next to the output of a running build.
func unfinished(name string) bool {
	return slices.Contains([]string{"out.db.unverified", "out.db.unverified.part", "out.db.unverified.rows.part"}, name)
}
