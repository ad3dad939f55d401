package store_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// openAndReport names the file that a child process opens in order to tell
// how much memory a process takes that has nothing else to do.
const openAndReport = "POSTGEO_TEST_OPEN_AND_REPORT"

func TestMain(m *testing.M) {
	if path := os.Getenv(openAndReport); path != "" {
		d, err := sqlite.Open(path)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(residentBytes(), d.NumZIPs())
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fewer returns n, or a tenth of it with -short.
func fewer(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// residentBytes is the resident memory of the process, 0 where the system
// does not tell.
func residentBytes() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return pages * os.Getpagesize()
}

// residentAfterOpen opens the file in a process of its own and returns that
// process's resident megabytes.
func residentAfterOpen(t testing.TB, path string) float64 {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), openAndReport+"="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var bytes, zips int
	if _, err := fmt.Sscan(string(out), &bytes, &zips); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return float64(bytes) / 1e6
}
