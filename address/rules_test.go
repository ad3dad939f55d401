package address_test

import (
	"testing"

	"github.com/postgeo/postgeo/address"
)

// TestRules requires that the name of each rule is unique and that the rule applies
// to its example.
func TestRules(t *testing.T) {
	rules := address.Rules()
	if len(rules) == 0 {
		t.Fatal("no rules")
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.Name] {
			t.Errorf("%s: several rules have this name", r.Name)
		}
		seen[r.Name] = true
		if !r.Applies() {
			t.Errorf("%s: doesn't apply to %q", r.Name, r.Example)
		}
	}
}
