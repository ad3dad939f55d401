package disk_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/disk"
)

var check = checktest.Check

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// files returns the names and contents in a folder.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(folder)
	check(t, err)
	all := map[string]string{}
	for _, entry := range list {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		check(t, err)
		all[entry.Name()] = string(content)
	}
	return all
}

// A file is replaced whole. If its writer fails midway, the former one remains
// alone.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "out")
	for _, content := range []string{"the former file", "the newer file"} {
		check(t, disk.Write(path, text(content)))
		if diff := cmp.Diff(map[string]string{"out": content}, files(t, folder)); diff != "" {
			t.Fatalf("files (-want +got):\n%s", diff)
		}
	}
	broken := errors.New("broken")
	err := disk.Write(path, func(w io.Writer) error { return errors.Join(text("half")(w), broken) })
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"out": "the newer file"}, files(t, folder)); diff != "" {
		t.Errorf("files after a failure (-want +got):\n%s", diff)
	}
}

// Errors name the file that the caller knows.
func TestWriteRefuses(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{"", folder, os.DevNull} {
		if err := disk.Write(path, text("x")); err == nil {
			t.Errorf("%q is written", path)
		}
	}
	path := filepath.Join(folder, "missing", "out")
	var e *fs.PathError
	if err := disk.Write(path, text("x")); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &e) || e.Path != path {
		t.Errorf("in a missing folder: %v", err)
	}
}
