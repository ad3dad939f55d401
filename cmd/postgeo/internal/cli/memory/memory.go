// Package memory sets the memory limit of the process.
package memory

import (
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// Limit sets the memory limit of the runtime to the least of some bytes and that of the
// process's control group, less a tenth for memory that the runtime does not count, such as
// the program. $GOMEMLIMIT, which the runtime has read, takes precedence.
func Limit(getenv func(string) string, most int64) {
	if getenv("GOMEMLIMIT") != "" {
		return
	}
	if group := OfGroup(os.ReadFile); group < math.MaxInt64 {
		most = min(most, group-group/10)
	}
	debug.SetMemoryLimit(most)
}

// OfGroup returns the memory limit of the control groups that hold the
// process, or math.MaxInt64 if they have none.
func OfGroup(read func(name string) ([]byte, error)) int64 {
	limit := int64(math.MaxInt64)
	list, err := read("/proc/self/cgroup")
	if err != nil {
		return limit
	}
	for line := range strings.Lines(string(list)) {
		group, version2 := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for group = path.Clean("/" + group); version2; group = path.Dir(group) {
			text, err := read(path.Join("/sys/fs/cgroup", group, "memory.max"))
			if n, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil && n > 0 {
				limit = min(limit, n)
			}
			if group == "/" {
				break
			}
		}
	}
	return limit
}
