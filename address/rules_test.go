package address_test

import (
	"testing"

	"github.com/postgeo/postgeo/address"
)

// TestRules requires that the name of each rule is unique and that the rule applies
// to its example.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range address.Rules() {
		name := r.Table + ": " + r.Name
		if seen[name] {
			t.Errorf("%s: several rules have this name", name)
		}
		seen[name] = true
		if !address.Applied(r.Example)[name] {
			t.Errorf("%s: doesn't apply to %q", name, r.Example)
		}
	}
}
