package sqlstore_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing/sqlstore"
)

// Repay retries calls in the order of their ids until one fails, and forgets
// those that succeed. A refund replaces a cut.
func TestOwed(t *testing.T) {
	var o sqlstore.Owed
	o.Add("c", sqlstore.OpRefund)
	o.Add("a", sqlstore.OpCut)
	o.Add("b", sqlstore.OpCut)
	o.Add("b", sqlstore.OpCut)
	o.Add("a", sqlstore.OpRefund)
	o.Add("c", sqlstore.OpCut)
	var retried []string
	away := errors.New("away")
	undo := func(id string, kind sqlstore.OpKind) error {
		if (kind == sqlstore.OpCut) != (id == "b") {
			t.Errorf("%s: kind %v", id, kind)
		}
		retried = append(retried, id)
		if id == "b" && len(retried) < 3 {
			return away
		}
		return nil
	}
	if err := o.Repay(undo); !errors.Is(err, away) {
		t.Errorf("error %v", err)
	}
	for range 2 {
		if err := o.Repay(undo); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"a", "b", "b", "c"}, retried); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
