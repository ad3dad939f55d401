package billing

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A refund that is owed replaces a cut of the same request, and no cut a refund.
func TestOwed(t *testing.T) {
	var o owed
	for _, call := range []struct {
		id  string
		cut bool
	}{{"c", false}, {"a", true}, {"b", true}, {"b", true}, {"a", false}, {"c", true}} {
		o.add(call.id, call.cut)
	}
	if diff := cmp.Diff(map[string]bool{"a": false, "b": true, "c": false}, o.cut); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
