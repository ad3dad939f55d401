package plan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
)

// TestDo verifies that findings and durations keep the order of the parts, and that a
// part that fails names itself.
func TestDo(t *testing.T) {
	b := plan.New(nil, nil)
	bad := errors.New("bad")
	for _, name := range []string{"first", "second"} {
		err := b.Do(t.Context(), name, func(e *plan.Env) error {
			e.Applied(name, "x")
			return map[string]error{"second": bad}[name]
		})
		if want := name == "second"; errors.Is(err, bad) != want || want && !strings.HasPrefix(err.Error(), "second: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	var got []string
	for i, f := range b.Notes().Rules {
		got = append(got, f.Name, b.Timings()[i].Name)
	}
	if diff := cmp.Diff([]string{"first", "first", "second", "second"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
