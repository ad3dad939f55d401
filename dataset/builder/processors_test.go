package builder_test

import (
	"runtime"
	"testing"
)

// TestProcessors builds all layers of an invented country with one processor and
// with several: the bytes are the same.
func TestProcessors(t *testing.T) {
	dir := countryMirror(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := contents(t, buildMirror(t, dir, "all").path)
	runtime.GOMAXPROCS(4)
	if contents(t, buildMirror(t, dir, "all").path) != want {
		t.Error("the file of four processors differs from that of one")
	}
}
