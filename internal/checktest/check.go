// Package checktest has the check that tests of most packages share.
package checktest

import "testing"

// Check ends the test with an error.
func Check(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
