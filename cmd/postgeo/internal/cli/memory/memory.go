// Package memory sets the memory limit of the process.
package memory

import (
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
)

// A Size is an amount of memory in the form of GOMEMLIMIT: a number of bytes, or one with the
// unit KiB, MiB, GiB or TiB. The word off means math.MaxInt64.
type Size int64

// minSize is enough for the program and the sample.
const minSize = 128 << 20

// UnmarshalText reads an amount of at least 128 MiB.
func (s *Size) UnmarshalText(text []byte) error {
	*s = math.MaxInt64
	if string(text) == "off" {
		return nil
	}
	digits := strings.TrimRight(string(text), "KMGTiB")
	shift, known := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[string(text[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	if !known || err != nil || n > math.MaxInt64>>shift || n<<shift < minSize {
		return &envelope.Failure{Kind: envelope.KindInvalidParam, Range: "at least 128MiB, in the form of GOMEMLIMIT, such as 1GiB, or off"}
	}
	*s = Size(n << shift)
	return nil
}

// Runtime returns the limit of the runtime for a process of this size: a tenth less, for
// memory that the runtime does not count, such as the program.
func (s Size) Runtime() int64 {
	if s == math.MaxInt64 {
		return int64(s)
	}
	return int64(s - s/10)
}

// Limit sets the memory limit of the runtime to the least of some bytes and that of the
// process's control group, see [Size.Runtime]. $GOMEMLIMIT, which the runtime has read, takes
// precedence.
func Limit(getenv func(string) string, most int64) {
	if getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(min(most, OfGroup(os.ReadFile).Runtime()))
}

// OfGroup returns the memory limit of the control groups that hold the
// process, or math.MaxInt64 if they have none.
//
// Go's runtime does not look at them, and a process in a container could grow until the
// kernel kills it. In version 2 the process has one line "0::/path" in /proc/self/cgroup,
// and each group on the path may have a limit in memory.max, "max" for none (kernel
// documentation, admin-guide/cgroup-v2); the least applies. Version 1 is not read.
func OfGroup(read func(name string) ([]byte, error)) Size {
	limit := Size(math.MaxInt64)
	list, err := read("/proc/self/cgroup")
	if err != nil {
		return limit
	}
	for line := range strings.Lines(string(list)) {
		group, version2 := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for group = path.Clean("/" + group); version2; group = path.Dir(group) {
			text, err := read(path.Join("/sys/fs/cgroup", group, "memory.max"))
			if n, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil && n > 0 {
				limit = min(limit, Size(n))
			}
			if group == "/" {
				break
			}
		}
	}
	return limit
}
