package scoretest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/scoretest"
)

// TestReplace checks the place of a table in a file.
func TestReplace(t *testing.T) {
	x := scoretest.Table{Title: "b", Columns: []string{"kind", ">n"}, Rows: [][]any{{"x", 1234}}}
	const own = "\n## b\n\n| kind | n |\n| --- | ---: |\n| x | 1,234 |\n"
	for _, tt := range []struct{ name, text, want string }{
		{"new", "head\n", "head\n" + own},
		{"last", "head\n\n## a\n\n| old |\n\n## b\n\n| old |\n", "head\n\n## a\n\n| old |\n" + own},
		{"between", "head\n\n## b\n\n| old |\n\n## bc\n\n| old |\n", "head\n" + own + "\n## bc\n\n| old |\n"},
		{"same", "head\n" + own, "head\n" + own},
	} {
		if diff := cmp.Diff(tt.want, x.Replace(tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestHold checks that a table is compared, and written on request.
func TestHold(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "bench", "results"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	x := scoretest.Table{Title: "a", Columns: []string{"kind"}, Rows: [][]any{{"x"}}}
	t.Setenv("POSTGEO_SCORES", "write")
	scoretest.Hold(t, "subject", x)
	t.Setenv("POSTGEO_SCORES", "")
	scoretest.Hold(t, "subject", x)
	x.Rows = [][]any{{"y"}}
	if stale := new(recorder); !stale.hold(x) {
		t.Error("an old table is accepted")
	}
}

// A recorder counts errors in place of a test.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.errors++ }

func (r *recorder) hold(x scoretest.Table) bool {
	scoretest.Hold(r, "subject", x)
	return r.errors == 1
}

// TestPercent checks that only all is 100 %.
func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		part, all int
		want      string
	}{{1, 1, "100.0 %"}, {9999, 10_000, "99.9 %"}, {1, 3, "33.3 %"}, {0, 0, "0.0 %"}} {
		if got := scoretest.Percent(tt.part, tt.all); got != tt.want {
			t.Errorf("%d of %d is %s, want %s", tt.part, tt.all, got, tt.want)
		}
	}
}
