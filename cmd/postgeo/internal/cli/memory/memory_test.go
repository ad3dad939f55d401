package memory_test

import (
	"io/fs"
	"math"
	"runtime/debug"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
)

func TestParseMemory(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64 // -1: refused
	}{
		{"1GiB", 1 << 30},
		{"512MiB", 512 << 20},
		{"2KiB", 2 << 10},
		{"1TiB", 1 << 40},
		{"77B", 77},
		{"77", 77},
		{"0", 0},
		{"off", math.MaxInt64},
		{"", -1},
		{"GiB", -1},
		{"1GB", -1},
		{"1 GiB", -1},
		{"-1GiB", -1},
		{"1.5GiB", -1},
		{"9000000TiB", -1},
		{"Off", -1},
		{"1gib", -1},
	} {
		got, err := memory.Parse(tt.text)
		if tt.want < 0 {
			if err == nil {
				t.Errorf("ParseMemory(%q) = %d; want an error", tt.text, got)
			}
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("ParseMemory(%q) = %d, %v; want %d", tt.text, got, err, tt.want)
		}
	}
}

// TestGroupMemory checks that the tightest limit of the groups around the
// process counts.
func TestGroupMemory(t *testing.T) {
	const none = math.MaxInt64
	for name, tt := range map[string]struct {
		files map[string]string
		want  int64
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

// TestLimit sets a limit and takes it back, as a server does that reads its settings again.
func TestLimit(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	env := map[string]string{"GOMEMLIMIT": "512MiB"}
	for _, tt := range []struct{ given, want int64 }{{1000 << 20, 900 << 20}, {0, 512 << 20}, {math.MaxInt64, math.MaxInt64}} {
		memory.Limit(func(name string) string { return env[name] }, tt.given)
		if got := debug.SetMemoryLimit(-1); got != tt.want {
			t.Errorf("Limit(%d) sets %d, want %d", tt.given, got, tt.want)
		}
	}
}
