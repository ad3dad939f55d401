package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// openFresh opens the file that is open once more, for reads that the system
// answers from the disk and keeps no copy of. Nil where the file system has no
// such reads.
func openFresh(f *os.File) (io.ReaderAt, func() error) {
	fresh, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), os.O_RDONLY|syscall.O_DIRECT, 0)
	if err != nil {
		return nil, nil
	}
	return fresh, fresh.Close
}

// isUnsupported reports whether a file cannot be read directly at all.
func isUnsupported(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported)
}
