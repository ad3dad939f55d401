package program_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/bench/internal/program"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") { // a command to measure
		program.Main("test", func(context.Context, string) error { return errors.New("no command is measured") })
	}
	os.Exit(m.Run())
}

// TestRun measures a command that uses less memory than this process.
func TestRun(t *testing.T) {
	own := make([]byte, 200<<20)
	for i := range own {
		own[i] = 1
	}
	u, err := program.Run(t.Context(), []string{"WORD=x"}, "sh", "-c", `[ "$WORD" = x ] && sleep 0.01 && echo "$POSTGEO_BENCH_MEASURES"`)
	if err != nil || u.Time < 10e6 || u.Memory < 1<<19 || u.Memory > 100<<20 || own[0] == 0 {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := program.Run(t.Context(), nil, "sh", "-c", "echo wrong; exit 3"); err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "wrong\n") {
		t.Errorf("a command that fails: %v", err)
	}
}
