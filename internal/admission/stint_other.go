//go:build !linux

package admission

import "time"

// threadTime reports that this system does not measure the processor time of a
// thread.
func threadTime() (time.Duration, bool) { return 0, false }
