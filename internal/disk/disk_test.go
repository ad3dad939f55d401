package disk_test

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/disk/disktest"
)

// pieces writes a text in small writes that go through to the disk.
func pieces(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.Copy(w, strings.NewReader(text))
		return err
	}
}

func contents(t *testing.T, d disk.Disk, path string) string {
	t.Helper()
	data, err := disk.ReadFile(d, path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var (
	former = "the former file"
	newer  = strings.Repeat("the newer file\n", 40_000)
)

// TestWrite fails each operation of a write in turn, and cuts the power at it:
// there is the former file or the new one, and never a part of one.
func TestWrite(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	ended := map[string]int{}
	for at := 0; ; at++ {
		for range 20 {
			d := disktest.New()
			if err := disk.Write(d, "out", pieces(former)); err != nil {
				t.Fatal(err)
			}
			n, off := 0, at%2 == 0
			d.Fail = func(op, _ string) error {
				if n++; n > at/2 && (off || op != "remove") {
					return syscall.ENOSPC
				}
				return nil
			}
			err := disk.Write(d, "out", pieces(newer))
			if err == nil {
				if got := contents(t, d.Cut(random), "out"); got != newer {
					t.Fatalf("a file that was written has %d bytes after a power failure, want %d", len(got), len(newer))
				}
				if ended["former"] == 0 || ended["newer"] == 0 {
					t.Errorf("how writes ended: %v", ended)
				}
				return
			}
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatal(err)
			}
			if off {
				d = d.Cut(random)
			} else if diff := cmp.Diff([]string{"out"}, d.Names()); diff != "" {
				t.Fatalf("operation %d fails, and there are (-want +got):\n%s", at/2, diff)
			}
			switch got := contents(t, d, "out"); got {
			case former:
				ended["former"]++
			case newer:
				ended["newer"]++
			default:
				t.Fatalf("operation %d fails, and the file has %d bytes of neither", at/2, len(got))
			}
		}
	}
}

// TestWriteGivesUp keeps the former file where the writer itself fails.
func TestWriteGivesUp(t *testing.T) {
	d := disktest.New()
	if err := disk.Write(d, "out", pieces(former)); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no more rows")
	err := disk.Write(d, "out", func(w io.Writer) error {
		return errors.Join(pieces(newer)(w), cause)
	})
	if !errors.Is(err, cause) || contents(t, d, "out") != former {
		t.Errorf("%v, %q", err, contents(t, d, "out"))
	}
}

// TestWriteRefuses checks what no file takes the place of: whoever may rename
// files in /dev would lose /dev/null.
func TestWriteRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink(os.DevNull, "link"); err != nil {
		t.Skip("there are no links:", err)
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"": "empty", "link": "link is not a file but a device or a pipe", "folder": "folder is not a file but a folder"} {
		err := disk.Write(disk.OS{}, path, func(io.Writer) error {
			t.Errorf("%q: something was to be written", path)
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", path, err, want)
		}
	}
}

// TestOS checks the system's file system to what the interface promises, and the
// disk of the tests beside it.
func TestOS(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, d := range map[string]disk.Disk{"system": disk.OS{}, "memory": disktest.New()} {
		t.Run(name, func(t *testing.T) {
			if err := disk.WriteBy(d, "new", "a", pieces("0123456789")); err != nil {
				t.Fatal(err)
			}
			f, err := d.Open("a")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := f.Truncate(4); err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write([]byte("xy")); err != nil {
				t.Fatal(err)
			}
			size, err := f.Size()
			if err != nil || size != 6 || f.Name() != "a" || contents(t, d, "a") != "0123xy" {
				t.Errorf("%d bytes, %v, %q", size, err, contents(t, d, "a"))
			}
			if _, err := d.Create("a"); !errors.Is(err, fs.ErrExist) {
				t.Errorf("a file that exists was made: %v", err)
			}
			if _, err := d.Open("b"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a file that is missing was opened: %v", err)
			}
			if err := d.Mkdir("folder"); err != nil {
				t.Fatal(err)
			}
			if err := d.Rename("a", filepath.Join("folder", "b")); err != nil {
				t.Fatal(err)
			}
			if info, err := d.Stat("folder"); err != nil || !info.IsDir() {
				t.Errorf("%v, %v", info, err)
			}
			for range 2 { // the second finds nothing
				if err := d.RemoveAll("folder"); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := d.Stat(filepath.Join("folder", "b")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v", err)
			}
		})
	}
	left, err := os.ReadDir(".")
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
