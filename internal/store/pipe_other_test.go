//go:build !unix

package store_test

import "testing"

// pipe skips: this system has no pipes with names of files.
func pipe(t *testing.T, _ string) { t.Skip("no named pipes here") }
