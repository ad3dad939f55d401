//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package fetch

import (
	"errors"
	"os"
)

// TryLock creates the lock file at the path, and unlock removes it. ok is
// false while the file is there. A process that dies leaves it behind.
func TryLock(path string) (unlock func(), ok bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	f.Close()
	return func() { os.Remove(path) }, true, nil
}
