//go:build unix

package billing_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// limitFiles keeps the process from writing files of more bytes; "" is no
// limit.
func limitFiles(bytes string) error {
	if bytes == "" {
		return nil
	}
	n, err := strconv.ParseUint(bytes, 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
}

// A disk that gets full while credits are spent ends the calls with errors that
// may be tried again; everything that was promised until then is in the file,
// and once there is room everything goes on.
func TestFullDisk(t *testing.T) {
	path := crashAccounts(t)
	base := int(size(t, path))
	promised := 0
	for round, room := range []int{1, 8 << 10, 40 << 10, 200 << 10, 500 << 10, 1 << 20} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), crashFile+"="+path, crashFile+"_ROUND=full"+strconv.Itoa(round), crashFile+"_LIMIT="+strconv.Itoa(base+room))
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		check(t, err)
		var lines []string
		for sc := bufio.NewScanner(out); sc.Scan(); {
			if line := sc.Text(); line != "ready" {
				lines = append(lines, line)
			}
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(stderr.String(), "the accounts cannot be reached: sqlite: "+path) {
			t.Errorf("%d bytes of room: the child ended with %v: %s", room, err, &stderr)
		}
		settled, kept, _ := promisesIn(t, lines)
		promised += settled + kept
		spent, _ := checkFile(t, path, lines)
		if spent < promised || spent > promised+(round+1)*crashWorkers*crashHold {
			t.Errorf("%d bytes of room: %d credits are spent, %d were promised", room, spent, promised)
		}
		t.Logf("%d bytes of room: %d lines, then: %s", room, len(lines), strings.TrimSpace(stderr.String()))
		base = int(size(t, path))
	}
	if promised == 0 {
		t.Error("nothing was spent before the disk was full")
	}
}
