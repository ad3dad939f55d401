//go:build unix

package builder_test

import (
	"os"
	"os/signal"
	"syscall"
)

// confine restricts the process for the test.
func (c childBuild) confine() error {
	if c.Limit > 0 {
		signal.Ignore(syscall.SIGXFSZ) // the write fails instead
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: c.Limit, Max: c.Limit}); err != nil {
			return err
		}
	}
	if c.Nobody && os.Geteuid() == 0 {
		const nobody = 65534
		if err := syscall.Setgid(nobody); err != nil {
			return err
		}
		return syscall.Setuid(nobody)
	}
	return nil
}
