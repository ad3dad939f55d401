package builder_test

import (
	"bytes"
	"os"
	"runtime"
	"testing"
)

// TestProcessors builds all layers of an invented country with one processor and
// with several: the files and the checks of the report must be the same.
func TestProcessors(t *testing.T) {
	dir := countryMirror(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := buildMirror(t, dir, "all")
	want, err := os.ReadFile(one.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{4} {
		runtime.GOMAXPROCS(n)
		several := buildMirror(t, dir, "all")
		got, err := os.ReadFile(several.path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d processors: the file differs from that of one", n)
		}
	}
}
