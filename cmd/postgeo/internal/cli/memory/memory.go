// Package memory sets the memory limit of the process.
package memory

import (
	"fmt"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// noLimit is the value of --memory-limit without a limit.
const noLimit = "off"

// memoryUnits are the units of GOMEMLIMIT.
var memoryUnits = []struct {
	name string
	size int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"B", 1}, {"", 1}}

// Parse reads an amount of memory in the form of GOMEMLIMIT. It is a whole number of bytes,
// or a number with the unit KiB, MiB, GiB or TiB. The word off means math.MaxInt64.
func Parse(s string) (int64, error) {
	if s == noLimit {
		return math.MaxInt64, nil
	}
	for _, unit := range memoryUnits {
		digits, ok := strings.CutSuffix(s, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/unit.size {
			break
		}
		return n * unit.size, nil
	}
	return 0, fmt.Errorf("%q is not an amount of memory such as 1GiB, 512MiB or off", s)
}

// Limit sets the memory limit of the runtime: the given one unless it is 0, else
// $GOMEMLIMIT, else the limit of the process's control group. A tenth of it is
// reserved for memory that the runtime does not count, such as the program.
func Limit(getenv func(string) string, limit int64) {
	whole, err := Parse(getenv("GOMEMLIMIT"))
	switch {
	case limit != 0:
	case err == nil: // as the runtime read it, in place of an earlier limit
		debug.SetMemoryLimit(whole)
		return
	default:
		limit = OfGroup(os.ReadFile)
	}
	if limit < math.MaxInt64 {
		limit -= limit / 10
	}
	debug.SetMemoryLimit(limit)
}

// LimitTo is Limit without a given limit, and at most some bytes unless
// $GOMEMLIMIT is set.
func LimitTo(getenv func(string) string, most int64) {
	Limit(getenv, 0)
	if getenv("GOMEMLIMIT") == "" && debug.SetMemoryLimit(-1) > most {
		debug.SetMemoryLimit(most)
	}
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
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		if parts[1] != "" { // of version 1
			continue
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
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
