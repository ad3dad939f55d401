package file

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// openFresh opens the file a second time for reads from the disk that bypass the
// page cache. It returns nil if the file system does not support them.
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
