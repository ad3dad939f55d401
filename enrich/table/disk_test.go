package table_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/disk/disktest"
)

// outputs are the kinds of files that runs are disturbed in. A copy is of Parquet.
var outputs = []string{"out.csv", "out.csv.gz", "out.ndjson", "out.parquet", "copy.out.parquet"}

// A diskJob enriches a table on a disk of memory. With often there is a
// checkpoint for every block or row group.
type diskJob struct {
	in, out string
	group   int // rows of a row group
}

const (
	often = time.Nanosecond
	never = time.Hour
)

func newDiskJob(t *testing.T, out string) diskJob {
	t.Helper()
	in := filepath.Join(t.TempDir(), "in.csv")
	write1(t, in, customers(3500))
	if strings.HasPrefix(out, "copy.") {
		text := in
		in = filepath.Join(t.TempDir(), "in.parquet")
		if _, err := (job{out: table.Output{RowGroup: 1024, Status: "s", Reason: "r"}}).file(t, text, in); err != nil {
			t.Fatal(err)
		}
	}
	return diskJob{in, out, 1024}
}

func (j diskJob) run(t *testing.T, d disk.Disk, every time.Duration) (table.Summary, error) {
	t.Helper()
	return job{
		add: []string{"city"}, disk: d,
		out: table.Output{Resume: true, RowGroup: j.group},
		run: table.RunOptions{Every: every},
	}.file(t, j.in, j.out)
}

// undisturbed returns the bytes of the output, and how many operations change
// the disk until it is there.
func (j diskJob) undisturbed(t *testing.T) (want []byte, operations int) {
	t.Helper()
	d := disktest.New()
	d.Fail = func(string, string) error {
		operations++
		return nil
	}
	if _, err := j.run(t, d, often); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{j.out}, d.Names()); diff != "" {
		t.Fatalf("what is on the disk (-want +got):\n%s", diff)
	}
	want, err := disk.ReadFile(d, j.out)
	if err != nil {
		t.Fatal(err)
	}
	return want, operations
}

// rounds is how often a run is disturbed; POSTGEO_TEST_KILLS says otherwise.
func rounds(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("POSTGEO_TEST_KILLS")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPowerFailure cuts the power at random moments: of each file and each name
// that was not synced, anything or nothing is left. Runs go on until one gets to
// the end. The output never has its name before it is whole, and in the end the
// bytes of a run that nobody disturbed.
func TestPowerFailure(t *testing.T) {
	for _, out := range outputs {
		t.Run(out, func(t *testing.T) {
			j := newDiskJob(t, out)
			want, operations := j.undisturbed(t)
			random := rand.New(rand.NewPCG(7, uint64(len(want))))
			cuts, resumed := 0, 0
			for range rounds(t, 10) {
				d := disktest.New()
				for {
					left := 1 + random.IntN(operations)
					d.Fail = func(string, string) error {
						if left--; left < 0 {
							return errors.New("the power is off")
						}
						return nil
					}
					every := often
					if random.IntN(4) == 0 {
						every = never
					}
					sum, err := j.run(t, d, every)
					if sum.Resumed > 0 {
						resumed++
					}
					if err != nil && left >= 0 {
						t.Fatalf("after a power failure: %v; on the disk are %q", err, d.Names())
					}
					if err != nil {
						cuts++
					}
					d = d.Cut(random)
					got, missing := disk.ReadFile(d, j.out)
					if missing != nil && err == nil {
						t.Fatal(missing)
					}
					if missing == nil {
						if !bytes.Equal(got, want) {
							t.Fatalf("the output has %d bytes that differ from the %d of an undisturbed run", len(got), len(want))
						}
						break
					}
				}
			}
			t.Logf("%d cuts at any of %d operations, %d runs went on from a checkpoint", cuts, operations, resumed)
			if resumed == 0 {
				t.Error("no run went on from a checkpoint")
			}
		})
	}
}

// TestRemovedOutput kills runs at every operation, removes the output if it has its name,
// and resumes them.
func TestRemovedOutput(t *testing.T) {
	for _, out := range outputs {
		t.Run(out, func(t *testing.T) {
			j := newDiskJob(t, out)
			j.group = 10_000 // one part, which becomes the output
			want, operations := j.undisturbed(t)
			removed := 0
			for first := range operations {
				d, at := disktest.New(), 0
				d.Fail = func(string, string) error {
					if at++; at > first {
						return errors.New("killed")
					}
					return nil
				}
				if _, err := j.run(t, d, often); err == nil {
					t.Fatalf("a run that is killed at operation %d succeeds", first)
				}
				d.Fail = nil
				if _, err := d.Stat(out); err == nil {
					removed++
					if err := d.RemoveAll(out); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := j.run(t, d, often); err != nil {
					t.Fatalf("killed at operation %d: %v", first, err)
				}
				if got, err := disk.ReadFile(d, out); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("killed at operation %d: %d bytes, want %d, %v", first, len(got), len(want), err)
				}
			}
			if removed == 0 {
				t.Error("no run was killed after the last rename")
			}
		})
	}
}

// TestDiskErrors fills the disk at every second operation, and has the others
// fail once. The error names a file, the checkpoint is one, and once there is
// room a run goes on to the same bytes.
func TestDiskErrors(t *testing.T) {
	for _, out := range outputs {
		t.Run(out, func(t *testing.T) {
			j := newDiskJob(t, out)
			want, operations := j.undisturbed(t)
			resumed := 0
			for first := range operations {
				if j.disturbed(t, want, first, first%2 == 0) {
					resumed++
				}
			}
			if resumed < operations/4 {
				t.Errorf("%d of %d runs went on from a checkpoint", resumed, operations)
			}
		})
	}
}

// disturbed has an operation fail, and with full all those after it that need
// room, and then goes on. It reports whether there was a checkpoint.
func (j diskJob) disturbed(t *testing.T, want []byte, first int, full bool) (resumed bool) {
	t.Helper()
	d := disktest.New()
	cause, at, failed := error(syscall.EIO), 0, ""
	if full {
		cause = syscall.ENOSPC
	}
	d.Fail = func(op, path string) error {
		at++
		room := op == "write" || op == "create" || op == "mkdir" || op == "sync"
		if at-1 == first || full && room && at > first {
			if failed == "" {
				failed = op + " " + path
			}
			return cause
		}
		return nil
	}
	_, err := j.run(t, d, often)
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "out.") && !strings.HasPrefix(failed, "sync .") {
		t.Fatalf("%s fails with %v, and the run with %v", failed, cause, err)
	}
	d.Fail = nil
	switch text, err := disk.ReadFile(d, j.out+".checkpoint"); {
	case err == nil:
		var c struct{ Summary table.Summary }
		if err := json.Unmarshal(text, &c); err != nil || c.Summary.Rows == 0 {
			t.Fatalf("%s failed, and the checkpoint is %q", failed, text)
		}
	case !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	}
	if got, err := disk.ReadFile(d, j.out); err == nil { // it failed behind the end
		if !bytes.Equal(got, want) {
			t.Fatalf("%s failed, and the output is not whole", failed)
		}
		if sum, err := j.run(t, d, often); err != nil || sum.Rows == 0 || sum.Resumed != sum.Rows { // only cleans up
			t.Fatalf("after %s failed: %v, %+v", failed, err, sum)
		}
		if diff := cmp.Diff([]string{j.out}, d.Names()); diff != "" {
			t.Fatalf("after %s failed there are (-want +got):\n%s", failed, diff)
		}
		return false
	}
	sum, err := j.run(t, d, often)
	if err != nil {
		t.Fatalf("after %s failed: %v", failed, err)
	}
	if got, err := disk.ReadFile(d, j.out); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("after %s failed: %d bytes, want %d; %v", failed, len(got), len(want), err)
	}
	if diff := cmp.Diff([]string{j.out}, d.Names()); diff != "" {
		t.Fatalf("after %s failed there are (-want +got):\n%s", failed, diff)
	}
	return sum.Resumed > 0
}
