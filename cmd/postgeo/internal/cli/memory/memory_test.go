package memory_test

import (
	"io/fs"
	"math"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]memory.Size{
		"1GiB": 1 << 30, "512MiB": 512 << 20, "131072KiB": 128 << 20, "1TiB": 1 << 40, "134217728B": 128 << 20, "134217728": 128 << 20, "off": math.MaxInt64,
		"": -1, "GiB": -1, "1GB": -1, "1 GiB": -1, "-1GiB": -1, "1.5GiB": -1, "9000000TiB": -1, "Off": -1, "1gib": -1, "127MiB": -1,
	} {
		var got memory.Size
		if err := got.UnmarshalText([]byte(text)); err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d; want %d", text, got, want)
		}
	}
}

// TestGroupMemory checks that the tightest limit of the groups around the
// process counts.
func TestGroupMemory(t *testing.T) {
	const none = math.MaxInt64
	for name, tt := range map[string]struct {
		files map[string]string
		want  memory.Size
	}{
		"no groups": {nil, none},
		"version 2": {map[string]string{
			"/proc/self/cgroup": "0::/system.slice/postgeo.service\n",
			"/sys/fs/cgroup/system.slice/postgeo.service/memory.max": "4294967296\n",
			"/sys/fs/cgroup/system.slice/memory.max":                 "max\n",
		}, 4 << 30},
		"the parent's is tighter": {map[string]string{
			"/proc/self/cgroup":             "0::/a/b\n",
			"/sys/fs/cgroup/a/b/memory.max": "4294967296",
			"/sys/fs/cgroup/a/memory.max":   "1073741824",
		}, 1 << 30},
		"in a container": {map[string]string{"/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "536870912\n"}, 512 << 20},
		"nonsense":       {map[string]string{"/proc/self/cgroup": "x\n0::/\n", "/sys/fs/cgroup/memory.max": "-5"}, none},
	} {
		read := func(name string) ([]byte, error) {
			if text, ok := tt.files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}
		if got := memory.OfGroup(read); got != tt.want {
			t.Errorf("%s: %d; want %d", name, got, tt.want)
		}
	}
}
